// Tensor: an n-dimensional array with autograd, under LibTorch's names.
//
// A Tensor is a handle: copying it shares the data. What it is made of is in core/tensor_base.h; the operations are listed in
// ops/function_list.h and ops/defs, from which the declarations below are made, and are defined in ops/.
#pragma once

#include <functional>
#include <iosfwd>
#include <optional>
#include <source_location>
#include <string_view>
#include <tuple>
#include <vector>

#include "wick/framework/autograd/node.h"
#include "wick/framework/core/generator.h"
#include "wick/framework/core/optional_array_ref.h"
#include "wick/framework/core/tensor_accessor.h"
#include "wick/framework/core/tensor_base.h"
#include "wick/framework/ops/compat_list.h"
#include "wick/framework/ops/defs/names.h"
#include "wick/framework/ops/function_list.h"
#include "wick/framework/ops/tensor_index.h"

namespace wick {

class Tensor;
class AsyncItem;
namespace cuda {
class Stream;
}
using TensorList = ArrayRef<Tensor>;
using TensorPair = std::tuple<Tensor, Tensor>;
using TensorTriple = std::tuple<Tensor, Tensor, Tensor>;
using TensorQuad = std::tuple<Tensor, Tensor, Tensor, Tensor>;

// What a loss does with the losses of its elements.
namespace Reduction {
enum Reduction : int64_t { None, Mean, Sum, END };
}

// Before a list in parentheses: WICK_UNPAREN takes the parentheses off; WICK_TAIL, too, and puts a comma before what is not empty.
#define WICK_UNPAREN(...) __VA_ARGS__
#define WICK_TAIL(...) __VA_OPT__(, ) __VA_ARGS__
// A default argument of composite_list.h.
#define WICK_OR(...) = __VA_ARGS__

// ---- Free functions ----------------------------------------------------------------------------------------------------------------
// Which form each letter stands for is said in ops/function_list.h.

// Code of methods that are not free functions. In-place code gets the tensor it writes to as a const handle, as LibTorch's methods do.
namespace method {
#define WICK_NONE(...)
#define WICK_METHOD_CODE(R, name, params, args, ...) R name(const Tensor& self WICK_TAIL params);
#define WICK_INPLACE_CODE(name, params, args, ...) void name(const Tensor& self WICK_TAIL params);
WICK_ALL_FUNCTIONS(/*B*/ WICK_NONE, /*M*/ WICK_METHOD_CODE, /*I*/ WICK_INPLACE_CODE, /*V*/ WICK_INPLACE_CODE, /*F*/ WICK_NONE,
                   /*O*/ WICK_NONE, /*A*/ WICK_NONE, /*P*/ WICK_NONE)
#define WICK_UNARY_CODE(Op, name, ...) void name##_(const Tensor& self);
#define WICK_BINARY_CODE(Op, name, ...)                       \
  void name##_(const Tensor& self, const Tensor& other);      \
  void name##_(const Tensor& self, const Scalar& other);
WICK_UNARY_OPS(WICK_UNARY_CODE)
WICK_COMPARISON_OPS(WICK_BINARY_CODE)
WICK_BITWISE_OPS(WICK_BINARY_CODE)
void logical_not_(const Tensor& self);
#define WICK_BINARY_INPLACE_CODE(Op, name, ...) void name##_(const Tensor& self, const Tensor& other);
WICK_BINARY_INPLACE_OPS(WICK_BINARY_INPLACE_CODE)
// What the in-place forms made by the lists read, and self = value.
Tensor source(const Tensor& self);
void overwrite(const char* op, const Tensor& self, const Tensor& value);
#undef WICK_METHOD_CODE
#undef WICK_INPLACE_CODE
#undef WICK_UNARY_CODE
#undef WICK_BINARY_CODE
#undef WICK_BINARY_INPLACE_CODE
}  // namespace method

#define WICK_FREE_AND_METHOD(R, name, params, args, ...) R name(const Tensor& self WICK_TAIL params);
#define WICK_FREE_INPLACE(name, params, args, ...)       \
  inline Tensor& name(Tensor& self WICK_TAIL params) {   \
    method::name(self WICK_TAIL args);                   \
    return self;                                         \
  }
WICK_ALL_FUNCTIONS(/*B*/ WICK_FREE_AND_METHOD, /*M*/ WICK_NONE, /*I*/ WICK_FREE_INPLACE, /*V*/ WICK_NONE, /*F*/ WICK_NONE,
                   /*O*/ WICK_FREE_AND_METHOD, /*A*/ WICK_FREE_AND_METHOD, /*P*/ WICK_NONE)
#undef WICK_FREE_AND_METHOD
#undef WICK_FREE_INPLACE

#define WICK_FREE_UNARY(Op, name, ...)                                       \
  Tensor name(const Tensor& self);                                           \
  Tensor& name##_out(Tensor& out, const Tensor& self);                       \
  inline Tensor& name##_(Tensor& self) { return method::name##_(self), self; }
#define WICK_FREE_PREDICATE(Op, name, ...) Tensor name(const Tensor& self);
#define WICK_FREE_BINARY(Op, name, ...)                                      \
  Tensor name(const Tensor& self, const Tensor& other);                      \
  Tensor& name##_out(Tensor& out, const Tensor& self, const Tensor& other);
#define WICK_FREE_BINARY_NUMBER(Op, name, ...)                               \
  WICK_FREE_BINARY(Op, name)                                                 \
  Tensor name(const Tensor& self, const Scalar& other);
WICK_UNARY_OPS(WICK_FREE_UNARY)
WICK_PREDICATE_OPS(WICK_FREE_PREDICATE)
WICK_COMPARISON_OPS(WICK_FREE_BINARY_NUMBER)
WICK_BITWISE_OPS(WICK_FREE_BINARY_NUMBER)
WICK_EXTREMUM_OPS(WICK_FREE_BINARY)
WICK_BINARY_INPLACE_OPS(WICK_FREE_BINARY)
#undef WICK_FREE_UNARY
#undef WICK_FREE_PREDICATE
#undef WICK_FREE_BINARY
#undef WICK_FREE_BINARY_NUMBER

// Arithmetic into a tensor of the caller's, resized by PyTorch's rule.
Tensor& add_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& sub_out(Tensor& out, const Tensor& self, const Tensor& other, const Scalar& alpha = 1);
Tensor& mul_out(Tensor& out, const Tensor& self, const Tensor& other);
Tensor& div_out(Tensor& out, const Tensor& self, const Tensor& other);
Tensor& pow_out(Tensor& out, const Tensor& self, const Tensor& exponent);

// ---- The class ---------------------------------------------------------------------------------------------------------------------

class Tensor : public TensorBase {
 public:
  Tensor() = default;
  Tensor(TensorBase base) : TensorBase(std::move(base)) {}
  explicit Tensor(Ref<TensorImpl> impl) : TensorBase(std::move(impl)) {}
  Tensor(const Tensor&) = default;
  Tensor(Tensor&&) noexcept = default;
  // A variable takes the other's tensor; what an expression such as x[0] yields stands for its elements, which are overwritten.
  Tensor& operator=(const Tensor&) & = default;
  Tensor& operator=(Tensor&&) & noexcept = default;
  Tensor& operator=(const Tensor& other) && { return copy_(other); }
  Tensor& operator=(const Scalar& value) && { return fill_(value); }

  // ---- Operations, from the lists ----
#define WICK_METHOD(R, name, params, args, ...) \
  R name params const { return ::wick::name(*this WICK_TAIL args); }
#define WICK_METHOD_ONLY(R, name, params, args, ...) \
  R name params const { return ::wick::method::name(*this WICK_TAIL args); }
#define WICK_INPLACE_METHOD(name, params, args, ...) \
  Tensor& name params const { return ::wick::method::name(*this WICK_TAIL args), const_cast<Tensor&>(*this); }
#define WICK_METHOD_AND_INPLACE(R, name, params, args, ...) \
  WICK_METHOD(R, name, params, args)                        \
  R& name##_ params const {                                 \
    ::wick::method::overwrite(#name, *this, ::wick::name(::wick::method::source(*this) WICK_TAIL args)); \
    return const_cast<R&>(*this);                           \
  }
  WICK_ALL_FUNCTIONS(/*B*/ WICK_METHOD, /*M*/ WICK_METHOD_ONLY, /*I*/ WICK_INPLACE_METHOD, /*V*/ WICK_INPLACE_METHOD, /*F*/ WICK_NONE,
                     /*O*/ WICK_METHOD, /*A*/ WICK_METHOD_AND_INPLACE, /*P*/ WICK_NONE)

#define WICK_UNARY_METHOD(Op, name, ...) WICK_METHOD(Tensor, name, (), ()) WICK_INPLACE_METHOD(name##_, (), ())
#define WICK_PREDICATE_METHOD(Op, name, ...) WICK_METHOD(Tensor, name, (), ())
#define WICK_BINARY_METHOD(Op, name, ...) WICK_METHOD(Tensor, name, (const Tensor& other), (other))
#define WICK_BINARY_INPLACE_METHOD(Op, name, ...) WICK_BINARY_METHOD(Op, name) WICK_INPLACE_METHOD(name##_, (const Tensor& other), (other))
#define WICK_BINARY_NUMBER_METHOD(Op, name, ...)                \
  WICK_BINARY_INPLACE_METHOD(Op, name)                          \
  WICK_METHOD(Tensor, name, (const Scalar& other), (other))     \
  WICK_INPLACE_METHOD(name##_, (const Scalar& other), (other))
  WICK_UNARY_OPS(WICK_UNARY_METHOD)
  WICK_PREDICATE_OPS(WICK_PREDICATE_METHOD)
  WICK_COMPARISON_OPS(WICK_BINARY_NUMBER_METHOD)
  WICK_BITWISE_OPS(WICK_BINARY_NUMBER_METHOD)
  WICK_EXTREMUM_OPS(WICK_BINARY_METHOD)
  WICK_BINARY_INPLACE_OPS(WICK_BINARY_INPLACE_METHOD)
  WICK_INPLACE_METHOD(logical_not_, (), ())
#undef WICK_METHOD
#undef WICK_METHOD_ONLY
#undef WICK_INPLACE_METHOD
#undef WICK_METHOD_AND_INPLACE
#undef WICK_UNARY_METHOD
#undef WICK_PREDICATE_METHOD
#undef WICK_BINARY_METHOD
#undef WICK_BINARY_INPLACE_METHOD
#undef WICK_BINARY_NUMBER_METHOD

  Tensor operator-() const { return neg(); }
  Tensor operator~() const { return bitwise_not(); }
  Tensor operator!() const { return logical_not(); }
  Tensor& operator+=(const Tensor& other) { return add_(other); }
  Tensor& operator+=(const Scalar& other) { return add_(other); }
  Tensor& operator-=(const Tensor& other) { return sub_(other); }
  Tensor& operator-=(const Scalar& other) { return sub_(other); }
  Tensor& operator*=(const Tensor& other) { return mul_(other); }
  Tensor& operator*=(const Scalar& other) { return mul_(other); }
  Tensor& operator/=(const Tensor& other) { return div_(other); }
  Tensor& operator/=(const Scalar& other) { return div_(other); }
  // x[i] is the i-th slice along the first dimension, a view.
  Tensor operator[](int64_t index) const { return select(0, index); }
  Tensor operator[](const Scalar& index) const;
  Tensor operator[](const Tensor& index) const;
  // Python's x[...], in the words of ops/tensor_index.h: a view where the indices are numbers, slices, None and Ellipsis, a copy where
  // there are tensors among them. index_put_ is Python's x[...] = value.
  Tensor index(ArrayRef<indexing::TensorIndex> indices) const;
  Tensor index(std::initializer_list<indexing::TensorIndex> indices) const { return index(ArrayRef<indexing::TensorIndex>(indices)); }
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Tensor& rhs) const;
  Tensor& index_put_(ArrayRef<indexing::TensorIndex> indices, const Scalar& value) const;
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Tensor& rhs) const {
    return index_put_(ArrayRef<indexing::TensorIndex>(indices), rhs);
  }
  Tensor& index_put_(std::initializer_list<indexing::TensorIndex> indices, const Scalar& value) const {
    return index_put_(ArrayRef<indexing::TensorIndex>(indices), value);
  }

  // The elements of a tensor on the CPU as a[i][j], with nothing in between; throws unless this is a tensor of T with N dimensions.
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() const& {
    static_assert(N > 0, "accessor is used for indexing tensor, for scalars use *data_ptr<T>()");
    WICK_CHECK(dim() == static_cast<int64_t>(N), "TensorAccessor expected ", N, " dims but tensor has ", dim());
    WICK_CHECK(is_cpu(), "accessor: the tensor must be on the CPU, got ", device());
    return TensorAccessor<T, N>(data_ptr<T>(), sizes().data(), strides().data());
  }
  template <class T, size_t N>
  TensorAccessor<T, N> accessor() && = delete;
  // For kernels by value: for programs that include compat/ATen/packed_accessor.h, which defines them.
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  auto packed_accessor64() const&;
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
  auto packed_accessor32() const&;
  template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
  auto packed_accessor() const&;

  Tensor cpu(WICK_CALL_SITE) const;
  Tensor to(TypeMeta dtype, bool non_blocking = false, bool copy = false) const { return to(dtype.toScalarType(), non_blocking, copy); }
  Tensor cuda(WICK_CALL_SITE) const { return to(TensorOptions(Device(kCUDA)), false, false, where); }
  // A copy in pinned memory of the host, between which and a CUDA device copies are asynchronous where non_blocking asks for it.
  Tensor pin_memory() const;
  // Another stream than the one on which it was made uses this memory, too. Does nothing on the CPU. (framework/cuda/stream.h)
  void record_stream(const cuda::Stream& stream) const;
  // LibTorch's old word for dtype and device in one: only for programs that include compat/ATen/core/DeprecatedTypeProperties.h.
  const auto& type() const;
#define WICK_COMPAT_METHOD(name, params, args) decltype(auto) name params const;
#define WICK_COMPAT_INPLACE(name, params, args) decltype(auto) name##_ params const;
#define WICK_COMPAT_NO(name) bool name() const { return false; }
  WICK_COMPAT_METHODS(WICK_COMPAT_METHOD, WICK_COMPAT_INPLACE, WICK_COMPAT_METHOD, WICK_COMPAT_NO)
#undef WICK_COMPAT_METHOD
#undef WICK_COMPAT_INPLACE
#undef WICK_COMPAT_NO
  // The transpose of a matrix. (A method in LibTorch is called numpy_T.)
  Tensor T() const { return numpy_T(); }
  // The conjugate transpose of a matrix.
  Tensor H() const { return matrix_H(); }

  // The only element. The host waits for it where the device is another.
  Scalar item(WICK_CALL_SITE) const;
  template <class T>
  T item(WICK_CALL_SITE) const { return item(where).to<T>(); }
  // The same without a wait: the value is under way, and can be asked for later. (framework/cuda/loss_log.h)
  AsyncItem item_async(WICK_CALL_SITE) const;
  // The shape of *this becomes that of size; new elements are not initialised.
  const Tensor& resize_(IntArrayRef size) const;

  // ---- Autograd ----
  const Tensor& requires_grad_(bool on = true) const;
  const Tensor& set_requires_grad(bool on) const { return requires_grad_(on); }
  // The accumulated gradient of a leaf; undefined before the first backward.
  const Tensor& grad() const;
  Tensor& mutable_grad() const;
  // The gradient of this tensor with respect to the leaves of its graph, added to their grad(). `gradient` is that of some function
  // with respect to this tensor; it may be left out for a single element, where it is 1. Frees the graph unless retain_graph.
  void backward(const Tensor& gradient = {}, std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                std::optional<TensorList> inputs = std::nullopt) const;
  // This tensor becomes a leaf without history.
  Tensor& detach_() const;
  // Another handle on the same data, out of autograd's sight: writes through it are not seen by the version counter.
  Tensor data() const;
  template <class T> T* data() const { return data_ptr<T>(); }  // LibTorch's old name
  Tensor variable_data() const { return data(); }
  Tensor tensor_data() const;
  void set_data(const Tensor& other) const;
  // The tensor that this one is a view of; throws for one that is no view.
  Tensor _base() const;
  // Keeps the gradient of a tensor that is not a leaf.
  void retain_grad() const;
  bool retains_grad() const { return impl().has(TensorImpl::kRetainsGrad); }
  Ref<autograd::Node> grad_fn() const;
  // Calls hook(gradient) when the gradient of this tensor has been computed; a Tensor that it returns takes the gradient's place.
  // Returns the number that remove_hook takes.
  template <class Hook>
  unsigned register_hook(Hook&& hook) const {
    if constexpr (std::is_void_v<std::invoke_result_t<Hook, Tensor>>) {
      return add_hook([hook = std::forward<Hook>(hook)](const Tensor& grad) { return hook(grad), Tensor(); });
    } else {
      return add_hook(std::forward<Hook>(hook));
    }
  }
  void remove_hook(unsigned number) const;
  // Calls hook(leaf) each time backward has added to this leaf's grad(), which is then final for that pass; an optimiser's step may
  // follow at once. Python's name; returns the number that remove_post_accumulate_grad_hook takes.
  unsigned register_post_accumulate_grad_hook(std::function<void(const Tensor& leaf)> hook) const;
  void remove_post_accumulate_grad_hook(unsigned number) const;

 private:
  unsigned add_hook(std::function<Tensor(const Tensor&)> hook) const;
};

// AutogradRecord holds its gradient as a TensorBase; grad() refers to it as the Tensor that it is.
static_assert(sizeof(Tensor) == sizeof(TensorBase));

// The functions that are no methods; here, since their defaults need the class.
#define WICK_FREE(R, name, params, ...) R name params;
WICK_ALL_FUNCTIONS(/*B*/ WICK_NONE, /*M*/ WICK_NONE, /*I*/ WICK_NONE, /*V*/ WICK_NONE, /*F*/ WICK_FREE,
                   /*O*/ WICK_NONE, /*A*/ WICK_NONE, /*P*/ WICK_FREE)
#undef WICK_FREE

// The results of an operation written to tensors of the caller's, resized by PyTorch's rule.
namespace detail {
Tensor& write_out(const char* op, Tensor& out, const Tensor& result);
}
#define WICK_OUT_Tensor(name, params, ...) \
  inline Tensor& name##_out(Tensor& out WICK_TAIL params) { return detail::write_out(#name, out, name(__VA_ARGS__)); }
#define WICK_OUT_TensorPair(name, params, ...)                                                                \
  inline std::tuple<Tensor&, Tensor&> name##_out(Tensor& out0, Tensor& out1 WICK_TAIL params) {               \
    const TensorPair y = name(__VA_ARGS__);                                                                   \
    return {detail::write_out(#name, out0, std::get<0>(y)), detail::write_out(#name, out1, std::get<1>(y))};  \
  }
#define WICK_OUT(R, name, params, args, ...) WICK_OUT_##R(name, (const Tensor& self WICK_TAIL params), self WICK_TAIL args)
#define WICK_FREE_OUT(R, name, params, args, ...) WICK_OUT_##R(name, params, WICK_UNPAREN args)
WICK_ALL_FUNCTIONS(/*B*/ WICK_NONE, /*M*/ WICK_NONE, /*I*/ WICK_NONE, /*V*/ WICK_NONE, /*F*/ WICK_NONE,
                   /*O*/ WICK_OUT, /*A*/ WICK_OUT, /*P*/ WICK_FREE_OUT)
#undef WICK_OUT
#undef WICK_FREE_OUT
#undef WICK_OUT_Tensor
#undef WICK_OUT_TensorPair
#undef WICK_OR

// ---- Operators ---------------------------------------------------------------------------------------------------------------------

inline Tensor operator/(const Tensor& a, const Tensor& b) { return div(a, b); }
inline Tensor operator/(const Tensor& a, const Scalar& b) { return div(a, b); }
inline Tensor operator/(const Scalar& a, const Tensor& b) { return mul(reciprocal(b), a); }
inline Tensor operator%(const Tensor& a, const Tensor& b) { return remainder(a, b); }
inline Tensor operator%(const Tensor& a, const Scalar& b) { return remainder(a, b); }
#define WICK_OPERATOR(op, name, mirrored)                                                       \
  inline Tensor operator op(const Tensor& a, const Tensor& b) { return name(a, b); }            \
  inline Tensor operator op(const Tensor& a, const Scalar& b) { return name(a, b); }            \
  inline Tensor operator op(const Scalar& a, const Tensor& b) { return mirrored(b, a); }
WICK_OPERATOR(+, add, add)
WICK_OPERATOR(-, sub, rsub)
WICK_OPERATOR(*, mul, mul)
WICK_OPERATOR(==, eq, eq)
WICK_OPERATOR(!=, ne, ne)
WICK_OPERATOR(<, lt, gt)
WICK_OPERATOR(<=, le, ge)
WICK_OPERATOR(>, gt, lt)
WICK_OPERATOR(>=, ge, le)
WICK_OPERATOR(&, bitwise_and, bitwise_and)
WICK_OPERATOR(|, bitwise_or, bitwise_or)
WICK_OPERATOR(^, bitwise_xor, bitwise_xor)
#undef WICK_OPERATOR

#undef WICK_NONE

// As Python prints it. Defined in io/print.cc.
std::ostream& operator<<(std::ostream& out, const Tensor& x);

// ---- Grad mode ---------------------------------------------------------------------------------------------------------------------

struct GradMode {
  static bool is_enabled() { return t_state.grad_enabled; }
  static void set_enabled(bool on) { t_state.grad_enabled = on; }
};

// Turns recording on or off in this thread for as long as it lives.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool on) : before_(t_state.grad_enabled) { t_state.grad_enabled = on; }
  ~AutoGradMode() { t_state.grad_enabled = before_; }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;

 private:
  bool before_;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};

// Nothing is recorded in this thread for as long as it lives, and tensors that are made meanwhile are inference tensors: they have no
// version, cannot be written to in place outside of an InferenceMode, nor saved for a backward pass. InferenceMode(false) within
// another one turns recording on.
class InferenceMode : AutoGradMode {
 public:
  explicit InferenceMode(bool on = true) : AutoGradMode(!on), before_(t_state.inference) { t_state.inference = on; }
  ~InferenceMode() { t_state.inference = before_; }
  static bool is_enabled() { return t_state.inference; }

 private:
  bool before_;
};

}  // namespace wick
