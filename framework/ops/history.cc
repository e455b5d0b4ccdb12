// In-place operations and views: how a tensor that is written to gets its new history.
#include <algorithm>

#include "wick/framework/ops/view.h"

namespace wick::ops {
namespace {

// Where a view lies in its base.
struct ViewGeometry : Geometry {
  ScalarType dtype;

  ViewGeometry(const TensorImpl& view, const TensorImpl& base) : dtype(view.dtype) {
    sizes = IntArrayRef(view.sizes(), view.ndim);
    strides = IntArrayRef(view.strides(), view.ndim);
    // From the base's first element, in elements of the view, which are parts, or pairs, of the base's where one of the two is complex.
    offset = view.storage_offset - base.storage_offset * element_size(base.dtype) / element_size(view.dtype);
  }

  // The base in elements of the view.
  Tensor memory_of(const Tensor& base) const {
    if (base.is_complex() && !is_complex(dtype)) return view_as_real(base);
    if (!base.is_complex() && is_complex(dtype)) return view_as_complex(base.as_strided({base.numel() / 2, 2}, {2, 1}));
    return base;
  }
  Tensor part_of(const Tensor& base) const { return memory_of(base).as_strided(sizes, strides, offset); }
};

// A view and its base, and the operation that wrote to the view.
struct ViewExtra : NodeExtra {
  ViewGeometry view;
  Dims base_sizes, base_strides;
  ScalarType base_dtype;
  Ref<Node> inner;

  ViewExtra(const TensorImpl& v, const TensorImpl& base, Ref<Node> node = nullptr)
      : view(v, base), base_sizes(IntArrayRef(base.sizes(), base.ndim)), base_strides(IntArrayRef(base.strides(), base.ndim)),
        base_dtype(base.dtype), inner(std::move(node)) {}
  Tensor zeros_like_base(const Tensor& g) const { return empty_strided(base_sizes, base_strides, g.options().dtype(base_dtype)).zero_(); }
};

// A view of the base that an in-place operation changed: y = the elements of base that the view refers to.
struct ViewOfBase {
  static constexpr OpInfo info = make_info<ViewOfBase>("as_strided", "AsStridedBackward0");

  static void backward(const Gradients& g) {
    const auto& extra = g.extra<ViewExtra>();
    Tensor base = extra.zeros_like_base(g.output());
    if (extra.view.is_disjoint()) {
      extra.view.part_of(base).copy_(g.output());
    } else {  // expanded: an element of the base gets the sum over where it appears
      const Tensor memory = extra.view.memory_of(base);
      const int64_t end = Geometry(memory).end();
      memory.as_strided(end, 1).index_add_(0, places(extra.view, end, memory.options()), g.output().reshape(-1));
    }
    g.set(0, base);
  }
};

// An in-place operation on a view, seen from the base: all but the view's part passes, and the view's part went through `inner`.
// Edge 0 goes to the base's old history, the others are those of `inner` but its first.
struct CopySlices {
  static constexpr OpInfo info = make_info<CopySlices>("copy_slices", "CopySlices");

  static void backward(const Gradients& g) {
    const auto& extra = g.extra<ViewExtra>();
    Node& inner = *extra.inner;
    Tensor base = extra.zeros_like_base(g.output()).copy_(g.output());
    Tensor slice = extra.view.part_of(base);
    TensorBase slice_grad = slice.clone();
    std::vector<TensorBase> inputs(static_cast<size_t>(inner.num_edges()));
    inner.op().backward(BackwardCall{inner, &slice_grad, inputs.data(), g.create_graph()});
    if (g.wants(0)) {
      const Tensor first = inputs[0];
      if (first.defined() && extra.view.is_disjoint()) slice.copy_(first);
      else slice.zero_();  // nothing but a fill writes to an expanded view
      g.set(0, base);
    }
    for (int i = 1; i < inner.num_edges(); ++i) g.set(i, std::move(inputs[static_cast<size_t>(i)]));
  }
};

void refresh_view(TensorImpl& view) {
  auto node = Ref<Node>::adopt(Node::create(ViewOfBase::info, 1));
  node->edge(0) = gradient_edge(TensorBase(view.base));
  node->set_extra(std::make_unique<ViewExtra>(view, *view.base));
  auto handle = Ref<TensorImpl>::share(&view);
  node->add_result(TensorBase(handle));
  view.grad_fn = Ref<GraphObject>::share(node.get());
  view.output_nr = 0;
  view.view_version = view.version();
}

// A view that has no place in its base's history, and a write, to it or to the base, that would need one.
[[noreturn]] WICK_COLD void untracked_view_error(const TensorImpl& view, const char* what) {
  const std::string_view maker_op = view.grad_fn ? autograd::node_of(view)->op().name : "";
  WICK_CHECK(maker_op != "not_implemented", "Mutating the view of an operator which does not have a derivative implemented is forbidden.");
  if (view.has(TensorImpl::kCustomView)) {
    const char* maker = view.grad_fn ? autograd::node_of(view)->op().node_name : "a custom Function";
    wick::detail::raise<Error>(
        "Output ", view.output_nr, " of ", maker, " is a view and ", what, " modified inplace. This view was created inside a custom "
        "Function (or because an input was returned as-is) and the autograd logic to handle view+inplace would override the custom "
        "backward associated with the custom Function, leading to incorrect gradients. This behavior is forbidden. You can fix this by "
        "cloning the output of the custom Function.");
  }
  const bool inference = view.has(TensorImpl::kInferenceView);
  const char* block = inference ? "inference_mode" : "no_grad";
  wick::detail::raise<Error>(
      "A view was created in ", inference ? "inference" : "no_grad", " mode and ", what, " modified inplace ",
      inference ? "in normal mode" : "with grad mode enabled", ". Given that this use case is ambiguous and error-prone, it is forbidden. "
      "You can clarify your code by moving both the view and the inplace either both inside the ", block, " block (if you don't want the "
      "inplace to be tracked) or both outside (if you want the inplace to be tracked).");
}

}  // namespace

Edge gradient_edge(const TensorBase& x) {
  TensorImpl& impl = x.impl();
  if (WICK_UNLIKELY(impl.base) && impl.view_version != impl.version()) {
    if (impl.base->requires_grad()) {
      if (WICK_UNLIKELY(impl.has(TensorImpl::kNoGradView))) untracked_view_error(impl, "its base or another view of its base has been");
      refresh_view(impl);
    } else if (!impl.has(TensorImpl::kCustomView)) {  // the base has been detached, and does not hold any more what the history tells of
      impl.grad_fn.reset();
    }
  }
  if (impl.grad_fn) return Edge(Ref<Node>::share(autograd::node_of(impl)), impl.output_nr);
  if (!(impl.flags & (TensorImpl::kRequiresGrad | TensorImpl::kInferenceLeaf))) return Edge();
  return Edge(autograd::accumulator_of(x), 0);
}

void check_inplace(const TensorBase& self, bool recording) {
  const TensorImpl& impl = self.impl();
  if (WICK_UNLIKELY(impl.flags & (TensorImpl::kNoGradView | TensorImpl::kInference))) {
    check_not_inference(self);
    const bool untracked = impl.has(TensorImpl::kNoGradView) && t_state.grad_enabled;
    if (untracked && (recording || impl.base->requires_grad())) untracked_view_error(impl, "is being");
  }
  if (!recording) return;
  const bool leaf = !impl.grad_fn && impl.has(TensorImpl::kRequiresGrad);
  WICK_CHECK(!leaf,
             "a leaf Variable that requires grad is being used in an in-place operation.\n"
             "  Wrap the update in a NoGradGuard, or write it out of place.");
  if (!impl.base) return;
  WICK_CHECK(impl.base->grad_fn || !impl.requires_grad(),
             "a view of a leaf Variable that requires grad is being used in an in-place operation.\n"
             "  Wrap the update in a NoGradGuard, or write it out of place.");
  const char* maker = impl.grad_fn ? autograd::node_of(impl)->op().node_name : "a function";
  WICK_CHECK(!impl.has(TensorImpl::kMultiOutputView), "Output ", impl.output_nr, " of ", maker,
             " is a view and is being modified inplace. This view is the output of a function that returns multiple views. Such functions "
             "do not allow the output views to be modified inplace. You should replace the inplace operation by an out-of-place one.");
}

// After an in-place operation the gradient that a tensor retains is that of its new value.
static void move_retain_grad(const Ref<Node>& from, uint32_t output_nr, const TensorImpl& impl) {
  if (!from || !from->hooks_or_null()) return;
  auto &hooks = from->hooks().retain_grad, &now = autograd::node_of(impl)->hooks().retain_grad;
  const auto moved = std::partition(hooks.begin(), hooks.end(), [&](const auto& hook) { return hook->output_nr != output_nr; });
  for (auto hook = moved; hook != hooks.end(); ++hook) {
    (*hook)->output_nr = impl.output_nr;
    now.push_back(std::move(*hook));
  }
  hooks.erase(moved, hooks.end());
}

void rebase_history(const TensorBase& self, Ref<Node> node) {
  TensorImpl& impl = self.impl();
  node->add_result(self);
  const Ref<Node> before = impl.has(TensorImpl::kRetainsGrad) ? Ref<Node>::share(autograd::node_of(impl)) : nullptr;
  const uint32_t nr_before = impl.output_nr;
  if (!impl.base) {
    impl.grad_fn = Ref<GraphObject>::share(node.get());
    impl.output_nr = 0;
    move_retain_grad(before, nr_before, impl);
    return;
  }
  TensorImpl& base = *impl.base;
  auto slices = Ref<Node>::adopt(Node::create(CopySlices::info, node->num_edges()));
  if (base.requires_grad()) slices->edge(0) = gradient_edge(TensorBase(impl.base));
  for (int i = 1; i < node->num_edges(); ++i) slices->edge(i) = node->edge(i);
  slices->set_extra(std::make_unique<ViewExtra>(impl, base, node));
  slices->add_result(TensorBase(impl.base));
  base.grad_fn = Ref<GraphObject>::share(slices.get());
  base.output_nr = 0;
  refresh_view(impl);
  move_retain_grad(before, nr_before, impl);
}

void mark_view(const TensorBase& y, const TensorBase& x, bool recorded) {
  if (WICK_UNLIKELY(x.is_inference())) return;  // y is an inference tensor, too
  TensorImpl& view = y.impl();
  view.base = x.impl().base ? x.impl().base : x.impl_ref();
  view.view_version = view.version();
  // A view of a view that is not to be written to is not, either.
  view.flags |= x.impl().flags & (TensorImpl::kNoGradView | TensorImpl::kInferenceView | TensorImpl::kCustomView |
                                  TensorImpl::kMultiOutputView);
  if (!recorded && !view.has(TensorImpl::kNoGradView)) {
    view.set(TensorImpl::kNoGradView, true);
    view.set(TensorImpl::kInferenceView, t_state.inference);
  }
}

}  // namespace wick::ops
