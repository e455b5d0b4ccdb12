#include "wick/framework/core/dtype.h"

#include <atomic>

namespace wick {
namespace {

std::atomic<ScalarType> g_default_dtype{kFloat};

// Bool < integers < floating point < complex: the category decides first.
int category(ScalarType t) {
  if (t == kBool) return 0;
  if (is_integral(t, false)) return 1;
  return is_floating(t) ? 2 : 3;
}

struct Names {
  const char *python, *libtorch, *cpp;
};
Names names_of(ScalarType t) {
#define WICK_CASE(type, name, printed, cpp) case ScalarType::name: return {printed, #name, cpp};
  switch (t) {
    WICK_FORALL_DTYPES_AND_COMPLEX(WICK_CASE)
    case ScalarType::ComplexHalf: return {"complex32", "ComplexHalf", "ComplexHalf"};
    default: return {"undefined", "Undefined", "Undefined"};
  }
}

}  // namespace

const char* dtype_name(ScalarType t) { return names_of(t).python; }
const char* to_string(ScalarType t) { return names_of(t).libtorch; }
const char* cpp_type_name(ScalarType t) { return names_of(t).cpp; }

void append_text(std::string& out, ScalarType t) { out += to_string(t); }

ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return a == ScalarType::Undefined ? b : a;
  const int ca = category(a), cb = category(b);
  if (ca == 3 || cb == 3) {
    const auto is_wide = [](ScalarType t) { return t == kDouble || t == ScalarType::ComplexDouble; };
    const auto is_narrow = [](ScalarType t) { return t == kHalf || t == ScalarType::ComplexHalf || is_integral(t, true); };
    if (is_wide(a) || is_wide(b)) return ScalarType::ComplexDouble;
    return is_narrow(a) && is_narrow(b) ? ScalarType::ComplexHalf : ScalarType::ComplexFloat;
  }
  if (ca != cb) return ca > cb ? a : b;
  if (ca == 2) {
    if ((a == kHalf && b == kBFloat16) || (a == kBFloat16 && b == kHalf)) return kFloat;
    return element_size(a) > element_size(b) ? a : b;
  }
  // Integers: uint8 with a signed type needs the next wider signed type.
  if (a == kByte || b == kByte) {
    const ScalarType other = a == kByte ? b : a;
    return other == kChar ? kShort : other;
  }
  return element_size(a) > element_size(b) ? a : b;
}

bool can_cast(ScalarType from, ScalarType to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && is_integral(to, true)) return false;
  return !(from != kBool && to == kBool);
}

ScalarType default_dtype() { return g_default_dtype.load(std::memory_order_relaxed); }
void set_default_dtype(ScalarType t) { g_default_dtype.store(t, std::memory_order_relaxed); }

}  // namespace wick
