// How an operation that is not elementwise is written.
//
//   struct Mm {
//     static constexpr OpInfo info = make_info<Mm>("mm", "MmBackward0");
//     static Tensor forward(Context& ctx, const Tensor& a, const Tensor& b);   // computes; keeps what backward needs in ctx
//     static void backward(const Gradients& g);                                // written with operations, so it can be recorded
//   };
//   Tensor mm(const Tensor& self, const Tensor& mat2) { return apply<Mm>(self, mat2); }
//
// apply() makes the node where an input requires a gradient, runs forward without recording, and gives the results their history.
// In-place operations use apply_inplace(), whose forward writes to its first argument. Gradient rules need not mind broadcasting or
// dtypes: the engine brings a gradient to the shape and dtype of its input.
//
// Tensor arguments are numbered as they come, a list counting once for each of its tensors; Context::wants(i) and Gradients::set(i)
// use these numbers.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>

#include "wick/framework/tensor.h"

namespace wick::ops {

using autograd::BackwardCall;
using autograd::Edge;
using autograd::Node;
using autograd::NodeExtra;
using autograd::OpInfo;

// ---- History (history.cc) ----------------------------------------------------------------------------------------------------------

// Where the gradient of x goes; nowhere where x requires none, or is a view made without recording. A view whose base was written to in
// place gets its new history here.
Edge gradient_edge(const TensorBase& x);

// Throws PyTorch's sentence where an in-place operation on self must not happen: a leaf that requires a gradient, a view of one, one
// of several views that one operation made. `recording`: the operation will have a node.
void check_inplace(const TensorBase& self, bool recording);

// Throws PyTorch's sentence where self was made in InferenceMode and is to be written to outside of it.
inline void check_not_inference(const TensorBase& self) { self.impl().check_not_inference(); }

// Makes `node` the history of self after an in-place operation, whose first edge goes to self's old history. Writing to a view also
// rewrites the history of its base.
void rebase_history(const TensorBase& self, Ref<Node> node);

// Makes y a view of x in autograd's sense: what is written to one is seen by the other. A view that is not recorded is a leaf that
// requires a gradient if x does, and must not be written to while operations are recorded.
void mark_view(const TensorBase& y, const TensorBase& x, bool recorded);

// ---- Forward -----------------------------------------------------------------------------------------------------------------------

inline bool wants_grad(const Tensor& x) { return x.defined() && x.impl().requires_grad(); }
inline bool wants_grad(const std::optional<Tensor>& x) { return x && wants_grad(*x); }
inline bool wants_grad(TensorList list) {
  for (const Tensor& x : list) {
    if (wants_grad(x)) return true;
  }
  return false;
}
template <class T>
constexpr bool wants_grad(const T&) { return false; }

constexpr int count_tensors(const Tensor&) { return 1; }
constexpr int count_tensors(const std::optional<Tensor>&) { return 1; }
inline int count_tensors(TensorList list) { return static_cast<int>(list.size()); }
template <class T>
constexpr int count_tensors(const T&) { return 0; }

class Context {
 public:
  explicit Context(Node* node) : node_(node) {}

  // Whether backward may be run, and whether it will want the gradient of tensor argument i.
  bool recording() const { return node_ != nullptr; }
  bool wants(int i) const { return node_ && node_->wants(i); }

  // Keep tensors for backward, in order: Gradients::saved(0), saved(1), ... The operation's output (of several, the
  // first) must be marked as such, or it and its node hold each other.
  template <class... T>
  void save(const T&... tensors) {
    if (node_) (node_->save(tensors, false), ...);
  }
  void save_output(const Tensor& y) {
    if (node_) node_->save(y, true);
  }
  // Small numbers for backward: number(0) to number(3).
  template <class... T>
  void save_numbers(T... values) {
    static_assert(sizeof...(T) <= Node::kNumbers);
    if (!node_) return;
    int i = 0;
    ((node_->number(i++) = static_cast<int64_t>(values)), ...);
  }
  // An object of any kind, derived from NodeExtra.
  template <class Extra>
  void save_extra(Extra&& extra) {
    if (node_) node_->set_extra(std::make_unique<std::decay_t<Extra>>(std::forward<Extra>(extra)));
  }
  Node* node() const { return node_; }

 private:
  Node* node_;
};

// Lists of sizes, strides or dimensions as an extra.
struct DimsExtra : NodeExtra {
  template <class... D>
  explicit DimsExtra(const D&... lists) : dims{Dims(lists)...} {}
  std::array<Dims, 3> dims;
};

// y for its caller. Where it is a view of what its maker alone has seen, reshaped say, nobody can tell any more; an argument that is
// returned as it is stays a view, as somebody else holds it.
inline const Tensor& own(const Tensor& y) {
  if (WICK_UNLIKELY(y.defined() && y.is_view() && y.use_count() == 1)) y.impl().forget_base();
  return y;
}
inline Tensor own(Tensor&& y) { return own(std::as_const(y)), std::move(y); }

namespace detail {

inline void add_edges(Node& node, int& i, const Tensor& x) {
  if (x.defined() && x.requires_grad()) node.edge(i) = gradient_edge(x);
  ++i;
}
inline void add_edges(Node& node, int& i, const std::optional<Tensor>& x) {
  if (x && x->defined() && x->requires_grad()) node.edge(i) = gradient_edge(*x);
  ++i;
}
inline void add_edges(Node& node, int& i, TensorList list) {
  for (const Tensor& x : list) add_edges(node, i, x);
}
template <class T>
void add_edges(Node&, int&, const T&) {}

// Gives a result its history; results that cannot have gradients (indices, masks) keep none.
inline void attach(const Ref<Node>& node, const Tensor& y) {
  const int nr = node->add_result(y);
  if (!is_floating(y.scalar_type()) && !is_complex(y.scalar_type())) return;
  TensorImpl& impl = y.impl();
  impl.grad_fn = Ref<GraphObject>::share(node.get());
  impl.output_nr = static_cast<uint32_t>(nr);
}
inline void attach(const Ref<Node>& node, const std::vector<Tensor>& list) {
  for (const Tensor& y : list) attach(node, y);
}
template <class... T>
void attach(const Ref<Node>& node, const std::tuple<T...>& results) {
  std::apply([&](const T&... y) { (attach(node, y), ...); }, results);
}

inline void own_all(const Tensor& y) { own(y); }
inline void own_all(const std::vector<Tensor>& list) { std::for_each(list.begin(), list.end(), [](const Tensor& y) { own(y); }); }
template <class... T>
void own_all(const std::tuple<T...>& results) { std::apply([](const T&... y) { (own_all(y), ...); }, results); }

template <class... Args>
Ref<Node> make_node(const OpInfo& info, const Args&... args) {
  auto node = Ref<Node>::adopt(Node::create(info, (0 + ... + count_tensors(args))));
  int i = 0;
  (add_edges(*node, i, args), ...);
  return node;
}

}  // namespace detail

template <class... Args>
WICK_INLINE bool should_record(const Args&... args) {
  return t_state.grad_enabled && (... || wants_grad(args));
}

template <class Op, class... Args>
auto apply(const Args&... args) {
  Ref<Node> node;
  if (should_record(args...)) node = detail::make_node(Op::info, args...);
  Context ctx(node.get());
  auto result = [&] {
    AutoGradMode off(false);
    return Op::forward(ctx, args...);
  }();
  detail::own_all(result);
  if (node) detail::attach(node, result);
  return result;
}

// An operation whose result is a view of its first argument.
template <class Op, class... Args>
Tensor apply_view(const Tensor& x, const Args&... args) {
  Tensor y = apply<Op>(x, args...);
  mark_view(y, x, t_state.grad_enabled);
  return y;
}

// Op::forward(ctx, self, args...) writes to self and returns nothing.
template <class Op, class... Args>
void apply_inplace(const Tensor& self, const Args&... args) {
  const bool recording = should_record(self, args...);
  check_inplace(self, recording);
  Ref<Node> node;
  if (recording) node = detail::make_node(Op::info, self, args...);
  Context ctx(node.get());
  {
    AutoGradMode off(false);
    Op::forward(ctx, self, args...);
  }
  self.impl().bump_version();
  if (node) rebase_history(self, std::move(node));
}

// ---- Backward ----------------------------------------------------------------------------------------------------------------------

class Gradients {
 public:
  explicit Gradients(const BackwardCall& call) : call_(call) {}

  // The gradient of result i of the operation; undefined where it is zero.
  Tensor output(int i = 0) const { return call_.grads[i]; }
  Tensor saved(int i) const { return call_.node.saved(i); }
  bool has_saved(int i) const { return call_.node.has_saved(i); }
  int64_t number(int i) const { return call_.node.number(i); }
  template <class Extra>
  Extra& extra() const { return call_.node.extra<Extra>(); }
  const Dims& dims(int i = 0) const { return extra<DimsExtra>().dims[static_cast<size_t>(i)]; }

  // Whether the gradient of tensor argument i is wanted; set() may be called in any case.
  bool wants(int i) const { return call_.wants(i); }
  void set(int i, Tensor gradient) const { call_.inputs[i] = std::move(gradient); }
  int num_inputs() const { return call_.node.num_edges(); }
  // The backward pass is itself recorded: a fused kernel must give way to operations.
  bool create_graph() const { return call_.create_graph; }
  Node& node() const { return call_.node; }

 private:
  const BackwardCall& call_;
};

template <class Op>
void call_backward(const BackwardCall& call) { Op::backward(Gradients(call)); }

template <class Op>
constexpr OpInfo make_info(const char* name, const char* node_name) { return OpInfo{name, node_name, &call_backward<Op>}; }

// One computation under several names: using SumDims = Named<Sum, "sum", "SumBackward1">.
template <size_t size>
struct Text {
  char chars[size];
  constexpr Text(const char (&text)[size]) { std::copy(text, text + size, chars); }
};
template <class Op, Text name, Text node_name>
struct Named : Op {
  static constexpr OpInfo info = make_info<Op>(name.chars, node_name.chars);
};

// Floating point numbers among a node's numbers.
inline int64_t bits_of(double x) { return __builtin_bit_cast(int64_t, x); }
inline double double_of(int64_t bits) { return __builtin_bit_cast(double, bits); }

// ---- Checks that many operations share ---------------------------------------------------------------------------------------------

// All defined tensors on one device, or PyTorch's sentence.
void check_same_device(const char* op, std::initializer_list<const TensorBase*> tensors);

// Whether `other` broadcasts to self's shape, as an in-place operation needs it: throws PyTorch's sentence where it does not.
void check_broadcasts_to(const TensorBase& self, const TensorBase& other);

// "mm: " and the shapes and dtypes of the operands: the line below PyTorch's sentence.
std::string describe(const char* op, std::initializer_list<const TensorBase*> tensors);

// PyTorch's sentence for a kernel that x's dtype does not have; `op`, where it has another name than the kernel, is for the line below.
void check_floating(const char* kernel, const Tensor& x, const char* op = nullptr);

// dims as non-negative numbers, each once; throws PyTorch's sentences.
Dims wrap_dims(IntArrayRef dims, int64_t ndim);

}  // namespace wick::ops
