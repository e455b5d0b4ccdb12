#include "wick/framework/autograd/node.h"

#include <new>

#include "wick/framework/core/call_frame.h"
#include "wick/framework/core/pool.h"

namespace wick::autograd {

void destroy_node(GraphObject* object) noexcept;

namespace {

thread_local uint64_t t_sequence_nr = 0;

// The engine adds to the leaf itself.
void accumulate_backward(const BackwardCall&) {}

// "torch.FloatTensor", as the sentence about in-place changes spells it.
std::string legacy_type_name(ScalarType t) { return std::string("torch.") + to_string(t) + "Tensor"; }

[[noreturn]] WICK_COLD void version_error(const TensorImpl& impl, uint32_t saved, uint32_t output_nr, const char* node_name) {
  const std::string origin = node_name ? detail::concat(", which is output ", output_nr, " of ", node_name, ",") : std::string();
  detail::raise<Error>(
      "one of the variables needed for gradient computation has been modified by an inplace operation: [", legacy_type_name(impl.dtype),
      " ", IntArrayRef(impl.sizes(), impl.ndim), "]", origin, " is at version ", impl.version(), "; expected version ", saved,
      " instead. Hint: ", t_state.anomaly ? "the backtrace further above shows the operation that failed to compute its gradient. The "
      "variable in question was changed in there or anywhere later. Good luck!" : "enable anomaly detection to find the operation that "
      "failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).", "\n"
      "  Write the operation out of place (y = y + 1 instead of y += 1), or change a clone().");
}

}  // namespace

constinit const OpInfo kAccumulateGrad = {"accumulate_grad", "AccumulateGrad", &accumulate_backward};

// ---- SavedTensor -------------------------------------------------------------------------------------------------------------------

void SavedTensor::assign(const TensorBase& x, bool is_output) {
  if (!x.defined()) return;
  const TensorImpl& from = x.impl();
  WICK_CHECK(
      !from.has(TensorImpl::kInference),
      "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation tracked by "
      "autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()` "
      "instead of `torch.inference_mode()`.");
  version_ = from.version();
  output_nr_ = from.output_nr;
  is_output_ = is_output;
  // An output that is saved while its operation still runs gets its grad_fn, this node, only afterwards.
  impl_ = is_output ? alias_base(x).impl_ref() : x.impl_ref();
}

TensorBase SavedTensor::unpack(Node& owner) const {
  if (WICK_UNLIKELY(impl_->version() != version_)) {
    const char* maker = is_output_ ? owner.op().node_name : impl_->grad_fn ? node_of(*impl_)->op().node_name : nullptr;
    version_error(*impl_, version_, output_nr_, maker);
  }
  if (!is_output_) return TensorBase(impl_);
  TensorBase y = alias_base(TensorBase(impl_));
  y.impl().grad_fn = Ref<GraphObject>::share(&owner);
  y.impl().output_nr = output_nr_;
  return y;
}

void OutputInfo::assign(ScalarType t, Device d, IntArrayRef sizes) {
  if (ndim_ > TensorImpl::kInlineDims) delete[] heap_;
  dtype = t;
  device = d;
  ndim_ = static_cast<uint8_t>(sizes.size());
  int64_t* to = here_;
  if (WICK_UNLIKELY(ndim_ > TensorImpl::kInlineDims)) to = heap_ = new int64_t[ndim_];
  for (size_t i = 0; i < ndim_; ++i) to[i] = sizes[i];
}

// A saved tensor in the form that a pack hook gave it, and its place in the graph.
struct PackedTensor {
  std::any object;
  std::shared_ptr<const SavedTensorHooks> hooks;  // null where nothing is packed
  Edge edge;
  uint32_t output_nr = 0;
  bool is_output = false;
};

struct Node::More {
  std::unique_ptr<Edge[]> edges;
  std::unique_ptr<SavedTensor[]> saved;
  std::vector<OutputInfo> results;
  std::unique_ptr<NodeExtra> extra;
  std::unique_ptr<NodeHooks> hooks;
  std::vector<PackedTensor> packed;  // by the number of the saved tensor; may be shorter
  std::string forward_call;
};

// ---- Node --------------------------------------------------------------------------------------------------------------------------

Node::Node(const OpInfo& op, int num_edges)
    : GraphObject(destroy_node),
      op_(&op),
      sequence_nr_(++t_sequence_nr),
      num_edges_(static_cast<int16_t>(num_edges)),
      edges_(inline_edges_),
      saved_(inline_saved_) {
  if (WICK_UNLIKELY(num_edges > kInlineEdges)) {
    more().edges = std::make_unique<Edge[]>(static_cast<size_t>(num_edges));
    edges_ = more_->edges.get();
  }
  if (WICK_UNLIKELY(t_state.anomaly)) more().forward_call = op.name + call_path();
}

Node::~Node() = default;

Node::More& Node::more() {
  if (!more_) more_ = std::make_unique<More>();
  return *more_;
}
NodeHooks* Node::more_hooks() const { return more_->hooks.get(); }
const OutputInfo& Node::other_result(int i) const { return more_->results[static_cast<size_t>(i - 1)]; }
std::string Node::forward_call() const { return more_ ? more_->forward_call : std::string(); }
NodeExtra* Node::extra_or_null() const { return more_ ? more_->extra.get() : nullptr; }
void Node::set_extra(std::unique_ptr<NodeExtra> extra) { more().extra = std::move(extra); }

Node* Node::create(const OpInfo& op, int num_edges) {
  WICK_CHECK(num_edges <= INT16_MAX, "an operation has at most ", INT16_MAX, " inputs, got ", num_edges);
  return new (pool_allocate<sizeof(Node)>()) Node(op, num_edges);
}

// A node's destructor lets go of other nodes. Done by recursion that would be as deep as the graph, so a thread that is already
// destroying one only puts further nodes into a list.
void destroy_node(GraphObject* object) noexcept {
  static thread_local Node* t_waiting = nullptr;
  static thread_local bool t_destroying = false;
  Node* node = static_cast<Node*>(object);
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
  if (num_results_ == 0) {
    result_.assign(y);
  } else {
    more().results.emplace_back();
    more_->results.back().assign(y);
  }
  return num_results_++;
}

void Node::replace_result(const TensorBase& y) { result_.assign(y); }

int Node::save(const TensorBase& x, bool is_output) {
  // Beyond the inline places: 4, 8, 16, ...
  if (WICK_UNLIKELY(num_saved_ >= kInlineSaved && (num_saved_ == kInlineSaved || (num_saved_ & (num_saved_ - 1)) == 0))) {
    auto wider = std::make_unique<SavedTensor[]>(static_cast<size_t>(num_saved_ == kInlineSaved ? 4 : 2 * num_saved_));
    for (int i = 0; i < num_saved_; ++i) wider[i] = std::move(saved_[i]);
    more().saved = std::move(wider);
    saved_ = more_->saved.get();
  }
  if (WICK_UNLIKELY(t_state.saved_hooks != nullptr) && x.defined()) pack(x, is_output);
  else saved_[num_saved_].assign(x, is_output);
  return num_saved_++;
}

void Node::check_not_released() const {
  WICK_CHECK(!released_,
             "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). "
             "Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True "
             "if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.");
}

TensorBase Node::saved(int i) {
  check_not_released();
  if (WICK_UNLIKELY(!saved_[i].defined())) return unpack(i);
  return saved_[i].unpack(*this);
}

void Node::pack(const TensorBase& x, bool is_output) {
  const auto hooks = t_state.saved_hooks->shared_from_this();
  std::vector<PackedTensor>& packed = more().packed;
  PackedTensor entry;
  entry.object = hooks->pack(alias_base(x));
  entry.hooks = hooks;
  entry.output_nr = x.impl().output_nr;
  entry.is_output = is_output;
  if (!is_output && x.impl().grad_fn) entry.edge = Edge(Ref<Node>::share(node_of(x.impl())), entry.output_nr);
  else if (!is_output && x.requires_grad()) entry.edge = Edge(accumulator_of(x), 0);
  packed.resize(static_cast<size_t>(num_saved_));
  packed.push_back(std::move(entry));
}

// A leaf comes back as a tensor whose gradient goes where the leaf's goes.
TensorBase Node::unpack(int i) {
  if (!more_ || static_cast<size_t>(i) >= more_->packed.size()) return TensorBase();
  const PackedTensor& entry = more_->packed[static_cast<size_t>(i)];
  if (!entry.hooks) return TensorBase();
  const TensorBase data = entry.hooks->unpack(entry.object);
  TensorBase x = alias_base(data);
  Node* maker = entry.is_output ? this : entry.edge.function.get();
  if (!maker) return x;
  x.impl().grad_fn = Ref<GraphObject>::share(maker);
  x.impl().output_nr = entry.output_nr;
  return x;
}

bool Node::has_saved(int i) const {
  check_not_released();
  if (i < num_saved_ && saved_[i].defined()) return true;
  return more_ && static_cast<size_t>(i) < more_->packed.size() && more_->packed[static_cast<size_t>(i)].hooks;
}

void Node::release() {
  released_ = true;
  for (int i = 0; i < num_saved_; ++i) saved_[i].reset();
  if (WICK_UNLIKELY(more_ != nullptr)) more_->packed.clear();
}

NodeHooks& Node::hooks() {
  if (!more().hooks) more_->hooks = std::make_unique<NodeHooks>();
  return *more_->hooks;
}

// ---- Leaves ------------------------------------------------------------------------------------------------------------------------

// The tensor of a record is gone: the record and its node no longer hold each other, and nobody can ask for the gradient. After a
// backward pass with create_graph that has a graph of its own, which leads back here.
static void forget_tensor(GraphObject* object) noexcept {
  auto* record = static_cast<AutogradRecord*>(object);
  record->lock();
  record->tensor = nullptr;
  Ref<Node> accumulator = std::move(record->accumulator);
  TensorBase grad = std::move(record->grad);
  record->unlock();
  accumulator.reset();
  grad.reset();
  if (record->drop()) destroy(record);
}

AutogradRecord::AutogradRecord() : GraphObject(forget_tensor) {}

void destroy(AutogradRecord* record) { delete record; }

AutogradRecord& record_of(TensorImpl& impl) {
  if (WICK_UNLIKELY(!impl.autograd)) {
    auto* record = new AutogradRecord;
    record->tensor = &impl;
    record->accumulator = Ref<Node>::adopt(Node::create(kAccumulateGrad, 0));
    Node& node = *record->accumulator;
    node.sequence_nr_ = UINT64_MAX;
    node.leaf_ = Ref<AutogradRecord>::share(record);
    node.result_.assign(impl.dtype, impl.device, IntArrayRef(impl.sizes(), impl.ndim));
    node.num_results_ = 1;
    impl.autograd = record;
  }
  return *record_or_null(impl);
}

}  // namespace wick::autograd
