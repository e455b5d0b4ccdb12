// The engine: a walk over the nodes in an order in which every node comes after all nodes that send it a gradient.
//
// Everything a run needs lies in the nodes themselves, so a run allocates next to nothing. A node carries the number of the run that
// has claimed it; a node that another run holds (a backward pass inside a hook, or another thread's graph with the same leaves) gets
// its state from a map of this run's own instead.
#include "wick/framework/autograd/engine.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <unordered_map>

#include "wick/framework/autograd/anomaly_mode.h"
#include "wick/framework/core/warning.h"
#include "wick/framework/ops/reduce.h"

namespace wick::autograd {
namespace {

std::atomic<uint64_t> g_next_run{1};

// The lists of a run. A thread keeps them for its next one, so that a training step allocates nothing here.
struct Lists {
  std::vector<Node*> roots, visited, stack;
  std::vector<Node*> ready;  // a heap: the node that was recorded last comes first
  std::vector<Ref<Node>> alive;

  void clear() {
    roots.clear();
    visited.clear();
    stack.clear();
    ready.clear();
    alive.clear();
  }
};
thread_local Lists t_lists;
// A run of more nodes than this does not leave its lists behind.
constexpr size_t kKeptNodes = 1 << 16;

class Run {
 public:
  // A run inside another one, in a hook, finds the thread's lists taken and begins with empty ones.
  Run(bool keep_graph, bool create_graph) : keep_graph_(keep_graph), create_graph_(create_graph), lists_(std::move(t_lists)) {}
  Run(const Run&) = delete;
  ~Run();

  // A gradient for output `edge.input_nr` of the operation of edge.function.
  void add_root(const Edge& edge, const Tensor& grad);
  // Ask for the gradient that arrives at an edge, instead of for those of all leaves: into `result`, or where
  // that is null into the leaf's grad().
  void add_input(const Edge& edge, Tensor* result);
  void execute();

 private:
  using State = Node::RunState;
  struct Capture {
    Node* node;
    uint32_t nr;
    Tensor* result;  // null: accumulate into the leaf, as usual
  };

  State& claim(Node& node);  // first visit
  State* find(Node& node);   // null if not visited
  State& state(Node& node) { return *find(node); }
  void count_dependencies();
  void mark_needed(Node& root);
  bool is_capture(const Node* node) const {
    return std::any_of(captures_.begin(), captures_.end(), [&](const Capture& c) { return c.node == node; });
  }
  uint64_t skipped_edges(Node& node);
  void run_node(Node& node);
  void run_leaf(Node& node, TensorBase* grads);
  void capture(Node& node, TensorBase* grads);
  void send(const Edge& edge, Tensor grad);
  void push(Node& node);
  Tensor validated(const Edge& edge, Tensor grad, const Node& from);

  const uint64_t number_ = g_next_run.fetch_add(1, std::memory_order_relaxed);
  const bool keep_graph_, create_graph_;
  Lists lists_;
  std::vector<Capture> captures_;
  std::unordered_map<Node*, State> elsewhere_;
};

bool recorded_earlier(const Node* a, const Node* b) { return a->sequence_nr() < b->sequence_nr(); }

Run::~Run() {
  for (Node* node : lists_.visited) {
    if (node->run.load(std::memory_order_relaxed) != number_) continue;
    node->state = State();
    node->run.store(0, std::memory_order_release);
  }
  if (lists_.visited.size() > kKeptNodes) return;
  lists_.clear();
  t_lists = std::move(lists_);
}

Run::State& Run::claim(Node& node) {
  lists_.visited.push_back(&node);
  uint64_t free = 0;
  if (node.run.compare_exchange_strong(free, number_, std::memory_order_acquire)) return node.state;
  return elsewhere_[&node];
}

Run::State* Run::find(Node& node) {
  if (WICK_LIKELY(node.run.load(std::memory_order_relaxed) == number_)) return &node.state;
  if (elsewhere_.empty()) return nullptr;
  const auto it = elsewhere_.find(&node);
  return it == elsewhere_.end() ? nullptr : &it->second;
}

TensorBase& grad_slot(Node& node, Node::RunState& state, uint32_t nr) {
  if (nr == 0) return state.grad;
  if (!state.more) state.more = std::make_unique<TensorBase[]>(static_cast<size_t>(node.num_results() - 1));
  return state.more[nr - 1];
}

// Whether nobody else holds the tensor or its memory. A capture holds the memory of every launch, and does not mind.
bool is_sole_owner(const TensorBase& x) {
  const int holders = t_state.listener ? 2 : 1;
  return x.use_count() == 1 && x.storage_ref()->use_count() <= holders;
}

// a + b, into a where nobody else sees it.
void accumulate(TensorBase& sum, Tensor grad, bool create_graph) {
  if (!grad.defined()) return;
  if (!sum.defined()) {
    sum = std::move(grad);
    return;
  }
  const bool own = !create_graph && is_sole_owner(sum) && sum.is_non_overlapping_and_dense() && sum.scalar_type() == grad.scalar_type();
  if (own) Tensor(sum).add_(grad);
  else sum = Tensor(sum) + grad;
}

void Run::add_root(const Edge& edge, const Tensor& grad) {
  Node& node = *edge.function;
  lists_.alive.push_back(edge.function);
  State* known = find(node);
  if (!known) {
    known = &claim(node);
    lists_.roots.push_back(&node);
  }
  accumulate(grad_slot(node, *known, edge.input_nr), grad, create_graph_);
}

void Run::add_input(const Edge& edge, Tensor* result) {
  lists_.alive.push_back(edge.function);
  captures_.push_back({edge.function.get(), edge.input_nr, result});
}

void Run::push(Node& node) {
  lists_.ready.push_back(&node);
  std::push_heap(lists_.ready.begin(), lists_.ready.end(), recorded_earlier);
}

// How many gradients each node will get. Iterative: graphs are deep.
void Run::count_dependencies() {
  std::vector<Node*>& stack = lists_.stack;
  stack.assign(lists_.roots.begin(), lists_.roots.end());
  while (!stack.empty()) {
    Node& node = *stack.back();
    stack.pop_back();
    for (int i = 0; i < node.num_edges(); ++i) {
      Node* next = node.edge(i).function.get();
      if (!next) continue;
      State* known = find(*next);
      if (!known) {
        known = &claim(*next);
        stack.push_back(next);
      }
      ++known->dependencies;
    }
  }
}

// Marks the nodes from which a capture can be reached, themselves not counted. Nodes are visited after all that they lead to.
void Run::mark_needed(Node& root) {
  struct Frame {
    Node* node;
    int next;
  };
  std::vector<Frame> stack;
  std::unordered_map<Node*, bool> done;
  stack.push_back({&root, 0});
  done[&root] = is_capture(&root);
  while (!stack.empty()) {
    Frame& frame = stack.back();
    if (frame.next < frame.node->num_edges()) {
      Node* next = frame.node->edge(frame.next++).function.get();
      if (next && done.try_emplace(next, is_capture(next)).second) stack.push_back({next, 0});
      continue;
    }
    Node* node = frame.node;
    bool leads_on = false;
    for (int i = 0; i < node->num_edges(); ++i) {
      Node* next = node->edge(i).function.get();
      leads_on |= next && done[next];
    }
    // A capture without another one below is where the walk ends: its own backward is not run, nor is its graph freed.
    state(*node).needed = leads_on;
    done[node] |= leads_on;
    stack.pop_back();
  }
}

void Run::execute() {
  count_dependencies();
  if (!captures_.empty()) {
    for (Node* root : lists_.roots) mark_needed(*root);
  }
  for (Node* root : lists_.roots) {
    if (state(*root).dependencies == 0) push(*root);
  }
  AutoGradMode mode(create_graph_);
  while (!lists_.ready.empty()) {
    std::pop_heap(lists_.ready.begin(), lists_.ready.end(), recorded_earlier);
    Node& node = *lists_.ready.back();
    lists_.ready.pop_back();
    run_node(node);
  }
}

void run_tensor_hooks(const std::vector<std::shared_ptr<NodeHooks::TensorHook>>& hooks, TensorBase* grads) {
  const auto list = hooks;  // what a hook adds or removes concerns the next run
  for (const auto& hook : list) {
    if (!hook || !grads[hook->output_nr].defined()) continue;
    TensorBase replaced = hook->call(grads[hook->output_nr]);
    if (replaced.defined()) grads[hook->output_nr] = std::move(replaced);
  }
}

template <class Hooks, class... More>
void run_node_hooks(const Node& node, const Hooks& hooks, TensorBase* changed, int count, const More&... more) {
  if (hooks.empty()) return;
  variable_list list(changed, changed + count);
  for (const auto& hook : Hooks(hooks)) {
    list = (*hook)(list, more...);
    WICK_CHECK(list.size() == static_cast<size_t>(count), "a hook of ", node.name(), " returned ", list.size(), " gradients instead of ",
               count);
  }
  std::move(list.begin(), list.end(), changed);
}

void Run::capture(Node& node, TensorBase* grads) {
  for (const Capture& c : captures_) {
    if (c.node == &node && c.result) *c.result = Tensor(grads[c.nr]);
  }
}

// Adds a gradient to a leaf's grad(). A gradient that nobody else holds becomes the leaf's own without a copy. The leaf may be gone by
// now, while its record is not; then nobody wants the gradient.
void accumulate_into_leaf(AutogradRecord& record, Tensor grad, bool create_graph) {
  record.lock();
  struct Unlock {
    AutogradRecord& record;
    ~Unlock() { record.unlock(); }
  } unlock{record};
  // It may be gone, or no longer want a gradient.
  if (!record.tensor || !(record.tensor->flags & (TensorImpl::kRequiresGrad | TensorImpl::kInferenceLeaf))) return;
  if (!record.grad.defined()) {
    const bool contiguous = record.tensor->has(TensorImpl::kContiguous);
    const bool own = !create_graph && contiguous && grad.is_contiguous() && is_sole_owner(grad);
    if (own) record.grad = std::move(grad);
    else if (create_graph) record.grad = grad.clone();
    else record.grad = grad.detach().clone(contiguous ? MemoryFormat::Contiguous : MemoryFormat::Preserve);
  } else if (create_graph) {
    record.grad = Tensor(record.grad) + grad;
  } else {
    Tensor(record.grad).add_(grad);
  }
}

void Run::run_leaf(Node& node, TensorBase* grads) {
  AutogradRecord& record = *node.leaf();
  run_tensor_hooks(record.hooks, grads);
  if (!captures_.empty()) {
    capture(node, grads);
    const auto wants_it = [&](const Capture& c) { return c.node == &node && !c.result; };
    if (std::none_of(captures_.begin(), captures_.end(), wants_it)) return;
  }
  NodeHooks* hooks = node.hooks_or_null();
  if (WICK_UNLIKELY(hooks != nullptr)) run_node_hooks(node, hooks->pre_hooks, grads, 1);
  const variable_list kept(grads, grads + (hooks && !hooks->post_hooks.empty()));
  if (!grads[0].defined()) return;
  accumulate_into_leaf(record, Tensor(std::move(grads[0])), create_graph_);
  if (WICK_UNLIKELY(!kept.empty())) run_node_hooks(node, hooks->post_hooks, nullptr, 0, kept);
  if (WICK_LIKELY(record.post_accumulate_hooks.empty()) || !record.tensor) return;
  const TensorBase leaf(Ref<TensorImpl>::share(record.tensor));
  const auto list = record.post_accumulate_hooks;
  for (const auto& hook : list) {
    if (hook) (*hook)(leaf);
  }
}

// The edges that lead to no capture.
uint64_t Run::skipped_edges(Node& node) {
  uint64_t skipped = 0;
  for (int i = 0; i < std::min(node.num_edges(), 64); ++i) {
    Node* next = node.edge(i).function.get();
    if (next && !state(*next).needed && !is_capture(next)) skipped |= uint64_t{1} << i;
  }
  return skipped;
}

void Run::run_node(Node& node) {
  State& state = this->state(node);
  const int count = node.num_results();
  // The gradients leave the state: a node without hooks, and with one result, uses the single slot.
  TensorBase single = std::move(state.grad);
  std::unique_ptr<TensorBase[]> many;
  if (count > 1) {
    many = std::make_unique<TensorBase[]>(static_cast<size_t>(count));
    many[0] = std::move(single);
    for (int i = 1; i < count && state.more; ++i) many[i] = std::move(state.more[i - 1]);
  }
  TensorBase* grads = many ? many.get() : &single;
  NodeHooks* hooks = node.hooks_or_null();
  if (WICK_UNLIKELY(hooks != nullptr)) {
    run_tensor_hooks(hooks->tensor_hooks, grads);
    run_tensor_hooks(hooks->retain_grad, grads);
  }
  if (node.leaf()) return run_leaf(node, grads);
  if (!captures_.empty()) {
    capture(node, grads);
    if (!state.needed) return;
  }

  if (WICK_UNLIKELY(hooks != nullptr)) run_node_hooks(node, hooks->pre_hooks, grads, count);
  const int num_edges = node.num_edges();
  TensorBase few[Node::kInlineEdges];
  std::unique_ptr<TensorBase[]> more;
  if (num_edges > Node::kInlineEdges) more = std::make_unique<TensorBase[]>(static_cast<size_t>(num_edges));
  TensorBase* inputs = more ? more.get() : few;
  const bool all_zero = std::all_of(grads, grads + count, [](const TensorBase& g) { return !g.defined(); });
  // Nobody wants a gradient of what was computed from a view made without recording alone.
  bool wanted = false;
  for (int i = 0; i < num_edges && !wanted; ++i) wanted = node.edge(i).is_valid();
  if (wanted && (WICK_LIKELY(!all_zero) || node.op().takes_zero)) {
    const BackwardCall call{node, grads, inputs, create_graph_, captures_.empty() ? 0 : skipped_edges(node)};
    if (WICK_UNLIKELY(t_state.anomaly)) detail::backward_in_anomaly_mode(call);
    else node.op().backward(call);
  }
  if (WICK_UNLIKELY(hooks != nullptr)) run_node_hooks(node, hooks->post_hooks, inputs, num_edges, variable_list(grads, grads + count));
  if (!keep_graph_) node.release();
  single.reset();
  many.reset();
  for (int i = 0; i < num_edges; ++i) {
    const Edge& edge = node.edge(i);
    if (!edge.is_valid()) continue;
    send(edge, validated(edge, Tensor(std::move(inputs[i])), node));
  }
}

// Brings a gradient to the shape and dtype of the tensor that it belongs to: what broadcasting stretched is summed here, for all
// operations.
Tensor Run::validated(const Edge& edge, Tensor grad, const Node& from) {
  if (!grad.defined()) return grad;
  const OutputInfo& info = edge.function->result(static_cast<int>(edge.input_nr));
  if (WICK_UNLIKELY(grad.sizes() != info.sizes())) {
    const IntArrayRef want = info.sizes();
    bool expands = static_cast<size_t>(grad.dim()) >= want.size();
    const IntArrayRef have = expands ? grad.sizes().slice(static_cast<size_t>(grad.dim()) - want.size()) : grad.sizes();
    for (size_t d = 0; expands && d < want.size(); ++d) expands = want[d] == 1 || want[d] == have[d];
    WICK_CHECK(expands, "Function ", from.op().node_name, " returned an invalid gradient at index ", &edge - &from.edge(0), " - got ",
               grad.sizes(), " but expected shape compatible with ", info.sizes());
    grad = ops::sum_to(grad, info.sizes());
  }
  if (WICK_UNLIKELY(grad.scalar_type() != info.dtype)) {
    if (grad.is_complex() && !is_complex(info.dtype)) grad = real(grad);
    grad = grad.to(info.dtype);
  }
  if (WICK_UNLIKELY(!(grad.device() == info.device))) grad = grad.to(TensorOptions(info.device));
  return grad;
}

void Run::send(const Edge& edge, Tensor grad) {
  Node& next = *edge.function;
  State& state = this->state(next);
  accumulate(grad_slot(next, state, edge.input_nr), std::move(grad), create_graph_);
  if (--state.dependencies == 0) push(next);
}

// ---- The public functions ----------------------------------------------------------------------------------------------------------

Tensor root_gradient(const Tensor& output, const Tensor& given) {
  if (!given.defined()) {
    WICK_CHECK(output.numel() == 1, "grad can be implicitly created only for scalar outputs\n  The output has shape ", output.sizes(),
               ": pass backward() a gradient of that shape, or reduce the output to one number (sum, mean).");
    WICK_CHECK(!output.is_complex(), "grad can be computed only for real scalar outputs but got ", output.scalar_type());
    return ones_like(output);
  }
  WICK_CHECK(given.sizes() == output.sizes(), "Mismatch in shape: grad_output[0] has a shape of ", given.sizes(),
             " and output[0] has a shape of ", output.sizes(), ".");
  WICK_CHECK(is_floating(given.scalar_type()) || is_complex(given.scalar_type()), "grad must be a floating point tensor, got ",
             dtype_name(given.scalar_type()));
  WICK_CHECK(given.is_complex() == output.is_complex(), "For complex Tensors, both grad_output and output are required to have the same "
             "dtype. Mismatch in dtype: grad_output[0] has a dtype of ", given.scalar_type(), " and output[0] has a dtype of ",
             output.scalar_type(), ".");
  return given.scalar_type() == output.scalar_type() ? given : given.to(output.scalar_type());
}

// The gradients of the inputs; with `accumulate` those of inputs that are leaves, or of all leaves where there are no inputs, are added
// to their grad() instead.
// A backward pass inside of a backward function inside of ... would end with the stack: so deep it goes on on a thread with one of its own.
constexpr int kNestedPerThread = 60;
thread_local int t_nested = 0;

void execute_nested(Run& run) {
  struct Level {
    Level() { ++t_nested; }
    ~Level() { --t_nested; }
  } level;
  if (t_nested <= kNestedPerThread) return run.execute();
  std::exception_ptr error;
  std::thread([&, here = t_state] {
    t_state = here;
    try {
      run.execute();
    } catch (...) {
      error = std::current_exception();
    }
    t_state = ThreadState();
  }).join();
  if (error) std::rethrow_exception(error);
}

variable_list differentiate(TensorList outputs, TensorList given, std::optional<bool> retain_graph, bool create_graph, TensorList inputs,
                            bool accumulate) {
  Run run(retain_graph.value_or(create_graph), create_graph);
  WICK_CHECK(given.empty() || given.size() == outputs.size(), "got ", outputs.size(), " tensors and ", given.size(), " gradients");
  for (size_t i = 0; i < outputs.size(); ++i) {
    AutoGradMode off(false);
    const Edge edge = ops::gradient_edge(outputs[i]);
    WICK_CHECK(edge.is_valid(), "element ", i, " of tensors does not require grad and does not have a grad_fn\n"
               "  Nothing that it was computed from requires a gradient, or it was computed under a NoGradGuard or detached.");
    run.add_root(edge, root_gradient(outputs[i], given.empty() ? Tensor() : given[i]));
  }
  variable_list results(inputs.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const Edge edge = ops::gradient_edge(inputs[i]);
    WICK_CHECK(edge.is_valid() || inputs[i].requires_grad(), "One of the differentiated Tensors does not require grad");
    // A view that was made under a NoGradGuard requires a gradient, as its base does, and never gets one.
    if (edge.is_valid()) run.add_input(edge, accumulate && inputs[i].is_leaf() ? nullptr : &results[i]);
  }
  execute_nested(run);
  return results;
}

void run_backward(TensorList tensors, TensorList grad_tensors, std::optional<bool> retain_graph, bool create_graph, TensorList inputs) {
  if (create_graph) {
    WICK_WARN_ONCE("Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient which "
                   "can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you have to use "
                   "this function, make sure to reset the .grad fields of your parameters to None after use to break the cycle and avoid "
                   "the leak.");
  }
  const variable_list results = differentiate(tensors, grad_tensors, retain_graph, create_graph, inputs, true);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!results[i].defined()) continue;  // a tensor with history: backward(inputs) accumulates into its grad(), too
    Tensor& grad = inputs[i].mutable_grad();
    grad = grad.defined() ? grad + results[i] : results[i];
  }
}

}  // namespace

void Node::add_pre_hook(std::unique_ptr<FunctionPreHook> hook) { hooks().pre_hooks.push_back(std::move(hook)); }
void Node::add_post_hook(std::unique_ptr<FunctionPostHook> hook) { hooks().post_hooks.push_back(std::move(hook)); }

void backward(const variable_list& tensors, const variable_list& grad_tensors, std::optional<bool> retain_graph, bool create_graph,
              const variable_list& inputs) {
  run_backward(tensors, grad_tensors, retain_graph, create_graph, inputs);
}

variable_list grad(const variable_list& outputs, const variable_list& inputs, const variable_list& grad_outputs,
                   std::optional<bool> retain_graph, bool create_graph, bool allow_unused) {
  WICK_CHECK(!inputs.empty(), "grad requires non-empty inputs.");
  variable_list results = differentiate(outputs, grad_outputs, retain_graph, create_graph, inputs, false);
  for (const Tensor& result : results) {
    WICK_CHECK(result.defined() || allow_unused,
               "One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired "
               "behavior.");
  }
  return results;
}

}  // namespace wick::autograd

namespace wick {

void Tensor::backward(const Tensor& gradient, std::optional<bool> retain_graph, bool create_graph, std::optional<TensorList> inputs) const {
  WICK_CHECK(!inputs || !inputs->empty(), "'inputs' argument to backward cannot be empty");
  autograd::run_backward(*this, gradient, retain_graph, create_graph, inputs.value_or(TensorList()));
}

}  // namespace wick
