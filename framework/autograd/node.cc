#include "wick/framework/autograd/node.h"

#include <new>

#include "wick/framework/core/pool.h"

namespace wick::autograd {

void destroy_node(GraphObject* object) noexcept;

namespace {

thread_local uint64_t t_sequence_nr = 0;

// The engine adds to the leaf itself.
void accumulate_backward(const BackwardCall&) {}

void destroy_record(GraphObject* object) noexcept { delete static_cast<AutogradRecord*>(object); }

// "torch.FloatTensor", as the sentence about in-place changes spells it.
std::string legacy_type_name(ScalarType t) { return std::string("torch.") + to_string(t) + "Tensor"; }

[[noreturn]] WICK_COLD void version_error(const TensorImpl& impl, uint32_t saved, uint32_t output_nr, const char* node_name) {
  const std::string origin = node_name ? detail::concat(", which is output ", output_nr, " of ", node_name, ",") : std::string();
  detail::raise<Error>(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [", legacy_type_name(impl.dtype),
      " ", IntArrayRef(impl.sizes(), impl.ndim), "]", origin, " is at version ", impl.version(), "; expected version ", saved,
      " instead. Hint: the backtrace further above shows the operation that failed to compute its gradient. "
      "The variable in question was changed in there or anywhere later. Good luck!");
}

}  // namespace

constinit const OpInfo kAccumulateGrad = {"accumulate_grad", "AccumulateGrad", &accumulate_backward};

// ---- SavedTensor -------------------------------------------------------------------------------------------------------------------

SavedTensor::SavedTensor(const TensorBase& x, bool is_output) {
  if (!x.defined()) return;
  const TensorImpl& from = x.impl();
  WICK_CHECK(!from.has(TensorImpl::kInference),
             "Inference tensors cannot be saved for backward. To work around you can make a clone to get a normal tensor and use it in "
             "autograd.");
  version_ = from.version();
  output_nr_ = from.output_nr;
  is_output_ = is_output;
  is_leaf_ = !from.grad_fn;
  if (is_output && !is_leaf_) impl_ = alias_base(x).impl_ref();
  else impl_ = x.impl_ref();
}

TensorBase SavedTensor::unpack(Node& owner) const {
  if (!impl_) return TensorBase();
  if (WICK_UNLIKELY(impl_->version() != version_)) {
    const char* maker = is_output_ ? owner.op().node_name : impl_->grad_fn ? node_of(*impl_)->op().node_name : nullptr;
    version_error(*impl_, version_, output_nr_, maker);
  }
  if (!is_output_ || is_leaf_) return TensorBase(impl_);
  TensorBase y = alias_base(TensorBase(impl_));
  y.impl().grad_fn = Ref<GraphObject>::share(&owner);
  y.impl().output_nr = output_nr_;
  return y;
}

OutputInfo::OutputInfo(const TensorBase& x) : dtype(x.scalar_type()), device(x.device()), ndim(static_cast<uint8_t>(x.dim())) {
  if (ndim > TensorImpl::kInlineDims) heap = std::make_unique<int64_t[]>(ndim);
  std::copy(x.sizes().begin(), x.sizes().end(), heap ? heap.get() : here);
}

// ---- Node --------------------------------------------------------------------------------------------------------------------------

Node::Node(const OpInfo& op, int num_edges)
    : GraphObject(destroy_node), op_(&op), sequence_nr_(++t_sequence_nr), num_edges_(static_cast<int16_t>(num_edges)) {
  if (num_edges > kInlineEdges) more_edges_ = std::make_unique<Edge[]>(static_cast<size_t>(num_edges));
  edges_ = more_edges_ ? more_edges_.get() : inline_edges_;
}

Node::~Node() = default;

Node* Node::create(const OpInfo& op, int num_edges) {
  WICK_CHECK(num_edges <= INT16_MAX, "an operation has at most ", INT16_MAX, " inputs, got ", num_edges);
  Node* node = new (pool_allocate<sizeof(Node)>()) Node(op, num_edges);
  if (&op == &kAccumulateGrad) node->sequence_nr_ = UINT64_MAX;
  return node;
}

// A node's destructor lets go of other nodes. Done by recursion that would be as deep as the graph, so a thread that is already
// destroying one only puts further nodes into a list.
void destroy_node(GraphObject* object) noexcept {
  static thread_local Node* t_waiting = nullptr;
  static thread_local bool t_destroying = false;
  Node* node = static_cast<Node*>(object);
  if (node->variable.defined()) {
    // The leaf may be handing out this node to somebody at this moment; see accumulator_of().
    AutogradRecord& record = record_of(node->variable.impl());
    record.lock();
    if (node->use_count() > 0 && !node->drop_exactly()) {
      record.unlock();
      return;
    }
    if (record.accumulator == node) record.accumulator = nullptr;
    record.unlock();
  }
  node->next_to_delete_ = t_waiting;
  t_waiting = node;
  if (t_destroying) return;
  t_destroying = true;
  while (t_waiting) {
    Node* next = t_waiting;
    t_waiting = next->next_to_delete_;
    next->~Node();
    pool_free<sizeof(Node)>(next);
  }
  t_destroying = false;
}

int Node::add_result(const TensorBase& y) {
  if (num_outputs_ == 0) output_ = OutputInfo(y);
  else more_outputs_.emplace_back(y);
  return num_outputs_++;
}

void Node::replace_result(int i, const TensorBase& y) {
  if (i == 0) output_ = OutputInfo(y);
  else more_outputs_[static_cast<size_t>(i - 1)] = OutputInfo(y);
}

int Node::save(const TensorBase& x, bool is_output) {
  if (num_saved_ >= kInlineSaved) {
    // Doubling from the inline places on.
    if ((num_saved_ & (num_saved_ - 1)) == 0 || num_saved_ == kInlineSaved) {
      const int capacity = num_saved_ == kInlineSaved ? 4 : 2 * num_saved_;
      auto more = std::make_unique<SavedTensor[]>(static_cast<size_t>(capacity));
      for (int i = 0; i < num_saved_; ++i) more[i] = std::move(saved_[i]);
      more_saved_ = std::move(more);
      saved_ = more_saved_.get();
    }
  }
  saved_[num_saved_] = SavedTensor(x, is_output);
  return num_saved_++;
}

TensorBase Node::saved(int i) {
  WICK_CHECK(!released_,
             "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). "
             "Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True "
             "if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.");
  return saved_[i].unpack(*this);
}

void Node::release() {
  released_ = true;
  for (int i = 0; i < num_saved_; ++i) saved_[i].reset();
}

NodeHooks& Node::hooks() {
  if (!hooks_) hooks_ = std::make_unique<NodeHooks>();
  return *hooks_;
}

// ---- Leaves ------------------------------------------------------------------------------------------------------------------------

AutogradRecord::AutogradRecord() : GraphObject(destroy_record) {}

AutogradRecord& record_of(TensorImpl& impl) {
  if (!impl.autograd) impl.autograd = Ref<GraphObject>::adopt(new AutogradRecord);
  return *record_or_null(impl);
}

Ref<Node> accumulator_of(const TensorBase& leaf) {
  AutogradRecord& record = record_of(leaf.impl());
  record.lock();
  if (record.accumulator && record.accumulator->retain_if_alive()) {
    auto node = Ref<Node>::adopt(record.accumulator);
    record.unlock();
    return node;
  }
  Node* node = Node::create(kAccumulateGrad, 0);
  node->variable = leaf;
  node->add_result(leaf);
  record.accumulator = node;
  record.unlock();
  return Ref<Node>::adopt(node);
}

}  // namespace wick::autograd
