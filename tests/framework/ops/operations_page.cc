#include "wick/tests/framework/ops/operations_page.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>

#include "wick/framework/ops/function_list.h"
#include "wick/framework/plan/elementwise_slots.h"
#include "wick/framework/plan/linalg.h"

namespace wick::test {
namespace {

// ---- The forms of each operation, from the lists -----------------------------------------------------------------------------------

struct Forms {
  bool function = false, method = false, in_place = false, out = false;
};
using Operations = std::map<std::string, Forms>;

// "add_" is a form of "add", where there is one; "uniform_" stands for itself.
Forms& operation(Operations& all, const std::string& name) {
  return all[name.ends_with('_') && all.contains(name.substr(0, name.size() - 1)) ? name.substr(0, name.size() - 1) : name];
}

Operations operations() {
  Operations all;
  const auto add = [&](const std::string& name, Forms forms) {
    Forms& known = operation(all, name);
    if (name.ends_with('_')) forms.in_place = true, forms.function = forms.method = false;
    known.function |= forms.function, known.method |= forms.method, known.in_place |= forms.in_place, known.out |= forms.out;
  };
  // First the names without "_", so that the others find them.
  for (const bool with_underscore : {false, true}) {
    const auto add_some = [&](const std::string& name, Forms forms) {
      if (name.ends_with('_') == with_underscore) add(name, forms);
    };
#define B(R, name, ...) add_some(#name, {.function = true, .method = true});
#define M(R, name, ...) add_some(#name, {.method = true});
#define I(name, ...) add_some(#name, {.in_place = true});
#define F(R, name, ...) add_some(#name, {.function = true});
#define O(R, name, ...) add_some(#name, {.function = true, .method = true, .out = true});
#define A(R, name, ...) add_some(#name, {.function = true, .method = true, .in_place = true, .out = true});
#define P(R, name, ...) add_some(#name, {.function = true, .out = true});
    WICK_ALL_FUNCTIONS(B, M, I, I, F, O, A, P)
#undef B
#undef M
#undef I
#undef F
#undef O
#undef A
#undef P
  }
#define EVERY_FORM(Op, name, node) add(#name, {.function = true, .method = true, .in_place = true, .out = true});
#define NOT_IN_PLACE(Op, name, node) add(#name, {.function = true, .method = true, .out = true});
#define NO_OUT(Op, name, node) add(#name, {.function = true, .method = true});
  WICK_UNARY_OPS(EVERY_FORM)
  WICK_COMPARISON_OPS(EVERY_FORM)
  WICK_BITWISE_OPS(EVERY_FORM)
  WICK_BINARY_INPLACE_OPS(EVERY_FORM)
  WICK_EXTREMUM_OPS(NOT_IN_PLACE)
  WICK_PREDICATE_OPS(NO_OUT)
#undef EVERY_FORM
#undef NOT_IN_PLACE
#undef NO_OUT
  return all;
}

// ---- The slots that CUDA fills -----------------------------------------------------------------------------------------------------

struct CudaSlots {
  std::set<std::string> names;           // of the kernels with a slot of their own
  std::set<const KernelInfo*> elementwise;

  // sum_kernel is called "reduce_sum".
  bool has(const KernelInfo& kernel) const {
    const std::string name = kernel.name;
    return names.contains(name.starts_with("reduce_") ? name.substr(7) : name) || elementwise.contains(&kernel);
  }
};

CudaSlots cuda_slots() {
  CudaSlots slots;
  std::string all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("framework/cuda")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".cu" && extension != ".cc") continue;
    std::ifstream file(entry.path());
    all.append(std::istreambuf_iterator<char>(file), {});
  }
  const std::regex assignment(R"((\w+)_kernel\.cuda = )");
  for (std::sregex_iterator it(all.begin(), all.end(), assignment), end; it != end; ++it) slots.names.insert((*it)[1]);
  // These slots are filled a list at a time.
  const auto installs = [&](const char* list) { return all.find(std::string("  ") + list + "(WICK_INSTALL") != all.npos; };
#define ADD(...) slots.elementwise.insert(&ElementwiseSlot<ops::__VA_ARGS__>::kernel);
#define ADD_FORWARD(Op, ...) ADD(Forward<ops::Op>)
#define ADD_1(Op, ...) ADD(Forward<ops::Op>) ADD(Gradient<ops::Op, 0>)
#define ADD_2(Op, ...) ADD_1(Op) ADD(Gradient<ops::Op, 1>)
#define ADD_3(Op, ...) ADD_2(Op) ADD(Gradient<ops::Op, 2>)
#define ADD_LINALG(name) slots.names.insert("linalg_" #name);
  if (installs("WICK_LINALG_KERNELS")) { WICK_LINALG_KERNELS(ADD_LINALG) }
  if (installs("WICK_WITHOUT_GRADIENT")) { WICK_WITHOUT_GRADIENT(ADD_FORWARD) }
  if (installs("WICK_UNARY_WITH_GRADIENT")) { WICK_UNARY_WITH_GRADIENT(ADD_1) }
  if (installs("WICK_BINARY_WITH_GRADIENT")) { WICK_BINARY_WITH_GRADIENT(ADD_2) }
  if (installs("WICK_TERNARY_OPS")) { WICK_TERNARY_OPS(ADD_3) }
  return slots;
}

// ---- Trying them -------------------------------------------------------------------------------------------------------------------

// Sees every kernel that runs while it lives.
class Recorder : public LaunchListener {
 public:
  Recorder() : before_(std::exchange(t_state.listener, this)) {}
  ~Recorder() override { t_state.listener = before_; }
  void launch(const KernelInfo& kernel, Device device, const void* args) override {
    kernels.insert(&kernel);
    run_kernel(kernel, device, args);
  }
  void host_read(const char*) override {}

  std::set<const KernelInfo*> kernels;

 private:
  LaunchListener* before_;
};

struct Measured {
  std::set<ScalarType> dtypes;
  bool derivative = false, tried = false;
  std::set<std::string> missing_on_cuda;
};

#define TYPE(T, name, ...) ScalarType::name,
constexpr ScalarType kEvery[] = {WICK_FORALL_DTYPES_AND_COMPLEX(TYPE)};
#undef TYPE

// Whether a gradient of the floating-point outputs can be had for some floating-point input.
bool differentiate(const Row& row, const Tensors& inputs) {
  Tensors leaves, wanted, outputs, gradients;
  for (size_t k = 0; k < inputs.size(); ++k) {
    leaves.push_back(inputs[k].detach());
    if (row.samples[k].kind == Kind::kReal && inputs[k].is_floating_point()) wanted.push_back(leaves.back().requires_grad_());
  }
  for (const Tensor& y : row.call(leaves)) {
    if (y.defined() && y.requires_grad()) outputs.push_back(y), gradients.push_back(ones_like(y));
  }
  if (outputs.empty()) return false;
  for (const Tensor& g : autograd::grad(outputs, wanted, gradients, std::nullopt, false, true)) if (g.defined()) return true;
  return false;
}

void measure(const Row& row, const CudaSlots& slots, Measured& found) {
  found.tried = true;
  for (const ScalarType dtype : kEvery) {
    Recorder recorder;
    try {
      const Tensors inputs = make_inputs(row, dtype);
      recorder.kernels.clear();
      row.call(inputs);
      found.dtypes.insert(dtype);
      if (dtype == kFloat) found.derivative |= differentiate(row, inputs);
    } catch (const Error&) {
      continue;
    }
    for (const KernelInfo* kernel : recorder.kernels)
      if (!slots.has(*kernel)) found.missing_on_cuda.insert(kernel->name);
  }
}

// ---- Text --------------------------------------------------------------------------------------------------------------------------

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
  return text;
}

const char* group_of(ScalarType dtype) {
  return is_floating(dtype) ? "floating" : is_integral(dtype, false) ? "integer" : dtype == kBool ? "bool" : "complex";
}
constexpr const char* kGroups[] = {"floating", "integer", "bool", "complex"};

std::vector<std::string> names_in(const char* group, const std::function<bool(ScalarType)>& wanted) {
  std::vector<std::string> names;
  for (const ScalarType dtype : kEvery) {
    if (group_of(dtype) == std::string_view(group) && wanted(dtype)) names.push_back(dtype_name(dtype));
  }
  return names;
}

// "floating, integer, bool": a group by its name where all of it is there.
std::string dtypes_text(const std::set<ScalarType>& dtypes) {
  std::vector<std::string> parts;
  for (const char* group : kGroups) {
    const auto all = names_in(group, [](ScalarType) { return true; });
    const auto there = names_in(group, [&](ScalarType dtype) { return dtypes.contains(dtype); });
    if (there.size() == all.size() && !all.empty()) parts.push_back(group);
    else parts.insert(parts.end(), there.begin(), there.end());
  }
  return joined(parts);
}

// "floating: float16, ...; integer: ..."
std::string groups_text() {
  std::string text;
  for (const char* group : kGroups) {
    const auto all = names_in(group, [](ScalarType) { return true; });
    if (all.size() > 1) text += (text.empty() ? "" : "; ") + std::string(group) + ": " + joined(all);
  }
  return text;
}

std::string forms_text(const Forms& forms) {
  std::vector<std::string> parts;
  const auto add = [&](bool has, const char* name) { if (has) parts.push_back(name); };
  add(forms.function, "function");
  add(forms.method, "method");
  add(forms.in_place, "in-place");
  add(forms.out, "out");
  return joined(parts);
}

constexpr char kHead[] = R"(# Operations

What wick computes on tensors, from the lists of `framework/ops/`. This page is written by
`//tests/framework/ops:write_operations_page`, which calls each operation in every dtype; a test fails where page and code differ.

- **forms**: `f(x)`, `x.f()`, `x.f_()`, `f_out(y, x)`.
- **dtypes** in which a call succeeds, for inputs that all have that dtype (indices, masks and class numbers keep their own).
  @GROUPS@. Complex tensors live on the CPU alone.
- **derivative**: whether a gradient reaches an input.
- **CUDA**: whether the CUDA backend fills the slots of all kernels that the calls and their derivatives have launched; else the
  kernels that are missing, which some forms or dtypes may do without. What was measured is the CPU; `framework/cuda/kernels.md` says
  what CUDA's kernels do.

| operation | forms | dtypes | derivative | CUDA |
| --- | --- | --- | --- | --- |
)";

}  // namespace

std::string operations_page() {
  const Operations all = operations();
  const CudaSlots slots = cuda_slots();
  std::map<std::string, Measured> measured;
  const auto measure_row = [&](const Row& row) {
    std::string name = row.op();
    if (!all.contains(name) && name.ends_with('_')) name.pop_back();
    measure(row, slots, measured[name]);
  };
  for (const Row& row : op_table()) measure_row(row);
  for (const Row& row : elsewhere_calls()) measure_row(row);
  std::string page = kHead;
  page.replace(page.find("@GROUPS@"), 8, groups_text());
  for (const auto& [name, forms] : all) {
    const Measured& found = measured[name];
    std::string missing;
    for (const std::string& kernel : found.missing_on_cuda) missing += (missing.empty() ? "lacks `" : ", `") + kernel + '`';
    page += "| `" + name + "` | " + forms_text(forms) + " | " + (found.tried ? dtypes_text(found.dtypes) : "not tried") + " | " +
            (found.derivative ? "yes" : "no") + " | " + (!found.tried ? "" : missing.empty() ? "yes" : missing) + " |\n";
  }
  return page;
}

}  // namespace wick::test
