// Tensor's methods that concern autograd, but for backward(), which is the engine's.
#include "wick/framework/core/warning.h"
#include "wick/framework/ops/op.h"

namespace wick {

using autograd::AutogradRecord;
using autograd::NodeHooks;
using autograd::record_of;

const Tensor& Tensor::requires_grad_(bool on) const {
  TensorImpl& self = impl();
  WICK_CHECK(!on || is_floating(self.dtype) || wick::is_complex(self.dtype),
             "Only Tensors of floating point and complex dtype can require gradients\n  This one is ", dtype_name(self.dtype), ".");
  WICK_CHECK(on || !self.grad_fn,
             "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't "
             "require differentiation use var_no_grad = var.detach().");
  WICK_CHECK(!on || !self.has(TensorImpl::kInference) || t_state.inference,
             "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.");
  if (self.grad_fn) return *this;
  if (on) record_of(self);  // before other threads see it as a leaf
  self.set(self.has(TensorImpl::kInference) ? TensorImpl::kInferenceLeaf : TensorImpl::kRequiresGrad, on);
  return *this;
}

const Tensor& Tensor::grad() const {
  static const Tensor undefined;
  const AutogradRecord* record = autograd::record_or_null(impl());
  if (WICK_UNLIKELY(impl_->grad_fn && !(record && record->grad.defined()) && !retains_grad())) {
    WICK_WARN("The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be populated during "
              "autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, use .retain_grad() on the "
              "non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the leaf Tensor instead. See "
              "github.com/pytorch/pytorch/pull/30531 for more informations.");
  }
  return record ? static_cast<const Tensor&>(record->grad) : undefined;
}

Tensor& Tensor::mutable_grad() const { return static_cast<Tensor&>(record_of(impl()).grad); }

Tensor& Tensor::detach_() const {
  TensorImpl& self = impl();
  // The results of some operations are views of what nobody else can see.
  if (self.base && self.base->use_count() == 1) self.forget_base();
  WICK_CHECK(!self.base, "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
             "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be called on "
             "these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in torch/optim/optimizer.py as the "
             "solution.");
  self.grad_fn.reset();
  self.output_nr = 0;
  self.set(TensorImpl::kRequiresGrad, false);
  return const_cast<Tensor&>(*this);
}

Tensor Tensor::data() const {
  Tensor other = alias_base(*this);
  other.impl().set(TensorImpl::kUntracked, true);
  return other;
}

Tensor Tensor::tensor_data() const { return alias_base(*this); }

Tensor Tensor::_base() const {
  WICK_CHECK(is_view(), "Can't get base of non-view Tensor");
  return TensorBase(impl().base);
}

void Tensor::set_data(const Tensor& other) const {
  TensorImpl& self = impl();
  WICK_CHECK(!requires_grad() || is_floating(other.scalar_type()), "only Tensors of floating point dtype can require gradients");
  const Tensor from = other;  // `other` may be this tensor's own
  self.dtype = from.scalar_type();
  self.device = from.device();
  self.storage = from.storage_ref();
  self.storage_offset = from.storage_offset();
  self.set_shape(from.sizes(), from.strides());
  self.refresh_data();
  autograd::renew_accumulator(*this);
}

Ref<autograd::Node> Tensor::grad_fn() const {
  if (!impl().requires_grad() || (!impl().grad_fn && !impl().base)) return {};
  autograd::Edge edge = ops::gradient_edge(*this);
  return !edge.is_valid() || edge.function->leaf() ? Ref<autograd::Node>() : edge.function;
}

void Tensor::retain_grad() const {
  TensorImpl& self = impl();
  WICK_CHECK(self.requires_grad(), "can't retain_grad on Tensor that has requires_grad=False");
  ops::gradient_edge(*this);
  if (is_leaf() || self.has(TensorImpl::kRetainsGrad)) return;
  self.set(TensorImpl::kRetainsGrad, true);
  // The hook must not keep the tensor alive: the tensor holds the node, and the node the hook.
  auto hook = std::make_shared<NodeHooks::TensorHook>();
  hook->output_nr = self.output_nr;
  hook->call = [record = Ref<AutogradRecord>::share(&record_of(self))](const TensorBase& g) {
    TensorBase& kept = record->grad;
    kept = kept.defined() ? Tensor(kept) + Tensor(g) : Tensor(g).clone();
    return TensorBase();
  };
  autograd::node_of(self)->hooks().retain_grad.push_back(std::move(hook));
}

static std::vector<std::shared_ptr<NodeHooks::TensorHook>>& hooks_of(const Tensor& x) {
  TensorImpl& impl = x.impl();
  if (impl.grad_fn) return autograd::node_of(impl)->hooks().tensor_hooks;
  return record_of(impl).hooks;
}

unsigned Tensor::add_hook(std::function<Tensor(const Tensor&)> hook) const {
  WICK_CHECK(impl().requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  ops::gradient_edge(*this);  // a view whose base was written to gets its new node first
  auto& hooks = hooks_of(*this);
  auto entry = std::make_shared<NodeHooks::TensorHook>();
  entry->output_nr = impl().grad_fn ? impl().output_nr : 0;
  entry->call = [hook = std::move(hook), number = hooks.size()](const TensorBase& g) -> TensorBase {
    const Tensor y = hook(Tensor(g));
    if (!y.defined() || !g.defined()) return y;
    WICK_CHECK(y.sizes() == g.sizes(), "hook '", number, "' has changed the size of value\n  from ", g.sizes(), " to ", y.sizes());
    WICK_CHECK(y.scalar_type() == g.scalar_type(), "hook '", number, "' has changed the type of value (was torch.",
               to_string(g.scalar_type()), "Tensor got torch.", to_string(y.scalar_type()), "Tensor)");
    return y;
  };
  hooks.push_back(std::move(entry));
  return static_cast<unsigned>(hooks.size() - 1);
}

void Tensor::remove_hook(unsigned number) const {
  auto& hooks = hooks_of(*this);
  WICK_CHECK(number < hooks.size(), "Invalid index, no hook at position ", number);
  hooks[number].reset();
}

unsigned Tensor::register_post_accumulate_grad_hook(std::function<void(const Tensor&)> hook) const {
  WICK_CHECK(requires_grad(), "cannot register a hook on a tensor that doesn't require gradient");
  WICK_CHECK(is_leaf(), "post accumulate grad hooks cannot be registered on non-leaf tensors");
  auto& hooks = record_of(impl()).post_accumulate_hooks;
  const auto call = [hook = std::move(hook)](const TensorBase& leaf) { hook(Tensor(leaf)); };
  hooks.push_back(std::make_shared<std::function<void(const TensorBase&)>>(call));
  return static_cast<unsigned>(hooks.size() - 1);
}

void Tensor::remove_post_accumulate_grad_hook(unsigned number) const {
  auto& hooks = record_of(impl()).post_accumulate_hooks;
  WICK_CHECK(number < hooks.size(), "Invalid index, no hook at position ", number);
  hooks[number].reset();
}

}  // namespace wick
