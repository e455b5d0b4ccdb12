// Node: one step of the recorded computation, and what it needs to run backwards.
//
// There is a single concrete type. What an operation contributes is an OpInfo, which points to its backward function; a node adds
// the edges to the nodes that made the inputs, the tensors that backward needs, and a few numbers. All of it lies in one block from
// the pool in the usual case of up to three inputs and three saved tensors.
#pragma once

#include <any>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wick/framework/core/launch.h"
#include "wick/framework/core/tensor_base.h"

namespace wick::autograd {

class Node;

// Where a gradient goes: to input `input_nr` of the backward function of `function`, that is, to output `input_nr` of the operation
// which that node records. Null for an input that needs no gradient.
struct Edge {
  Ref<Node> function;
  uint32_t input_nr = 0;

  Edge() = default;
  Edge(Ref<Node> f, uint32_t nr) : function(std::move(f)), input_nr(nr) {}
  bool is_valid() const { return static_cast<bool>(function); }
  friend bool operator==(const Edge& a, const Edge& b) { return a.function == b.function && a.input_nr == b.input_nr; }
};
using edge_list = std::vector<Edge>;

// What one run of backward hands to a node: `grads` has a gradient, or an undefined tensor, for each output of the operation;
// the function sets inputs[i] for each i that the node wants (node.wants(i)), or leaves it undefined, which means zero.
struct BackwardCall {
  Node& node;
  TensorBase* grads;
  TensorBase* inputs;
  bool create_graph;
  uint64_t skipped = 0;  // bit i: nobody wants the gradient of input i in this run, which asks for those of other tensors

  bool wants(int i) const;
};

// One constant per operation.
struct OpInfo {
  const char* name;       // "mm"
  const char* node_name;  // "MmBackward0", as PyTorch prints it
  void (*backward)(const BackwardCall&);
  bool takes_zero = false;  // backward is to be called even where the gradients of all results are zero (undefined)
};

// A tensor kept for backward, with the version that it had then. Outputs are kept without their history: the node that made them
// is the one that keeps them, and the circle would never be freed.
class SavedTensor {
 public:
  void assign(const TensorBase& x, bool is_output);
  // The tensor as it was saved; `owner` becomes its grad_fn again if it is an output. Throws PyTorch's sentence where an in-place
  // operation has changed it since.
  TensorBase unpack(Node& owner) const;
  bool defined() const { return static_cast<bool>(impl_); }
  void reset() { impl_.reset(); }

 private:
  Ref<TensorImpl> impl_;
  uint32_t version_ = 0;
  uint32_t output_nr_ = 0;
  bool is_output_ = false;
};

// What becomes of tensors that are saved for backward while a SavedTensorHooksGuard is there; see saved_tensor_hooks.h.
struct SavedTensorHooks : std::enable_shared_from_this<SavedTensorHooks> {
  std::function<std::any(const TensorBase&)> pack;
  std::function<TensorBase(const std::any&)> unpack;
};

// Shape and type of an output of the recorded operation: what a gradient for it must look like. The dtype is Undefined for an output
// of a custom Function that is no tensor.
class OutputInfo {
 public:
  OutputInfo() = default;
  OutputInfo(const OutputInfo& other) { assign(other.dtype, other.device, other.sizes()); }
  OutputInfo& operator=(const OutputInfo&) = delete;
  ~OutputInfo() {
    if (WICK_UNLIKELY(ndim_ > TensorImpl::kInlineDims)) delete[] heap_;
  }

  void assign(ScalarType t, Device d, IntArrayRef sizes);
  void assign(const TensorBase& x) {
    if (WICK_LIKELY(x.defined())) assign(x.scalar_type(), x.device(), x.sizes());
    else assign(ScalarType::Undefined, kCPU, {});
  }
  IntArrayRef sizes() const { return IntArrayRef(ndim_ > TensorImpl::kInlineDims ? heap_ : here_, ndim_); }

  ScalarType dtype = kFloat;
  Device device{kCPU};

 private:
  uint8_t ndim_ = 0;
  union {
    int64_t here_[TensorImpl::kInlineDims];
    int64_t* heap_;
  };
};

struct FunctionPreHook;  // these two are in engine.h
struct FunctionPostHook;

// Functions that users attach; none of this exists for a node without them.
struct NodeHooks {
  struct TensorHook {
    uint32_t output_nr;
    std::function<TensorBase(const TensorBase&)> call;  // gradient of that output -> its replacement, or undefined: unchanged
  };

  std::vector<std::shared_ptr<TensorHook>> tensor_hooks;  // in order of registration; null where removed
  std::vector<std::shared_ptr<TensorHook>> retain_grad;   // after all tensor hooks
  std::vector<std::shared_ptr<FunctionPreHook>> pre_hooks;    // before backward, where it runs
  std::vector<std::shared_ptr<FunctionPostHook>> post_hooks;  // after backward
};

// An arbitrary object that an operation keeps with its node.
struct NodeExtra {
  virtual ~NodeExtra() = default;
};

struct AutogradRecord;

class Node final : public GraphObject {
 public:
  static constexpr int kInlineEdges = 3, kInlineSaved = 3, kNumbers = 4;

  // One reference, which the caller owns.
  static Node* create(const OpInfo& op, int num_edges);

  const OpInfo& op() const { return *op_; }
  std::string name() const { return op_->node_name; }
  // Later nodes have larger numbers; nodes that accumulate into leaves have the largest, so that they run first.
  uint64_t sequence_nr() const { return sequence_nr_; }

  int num_edges() const { return num_edges_; }
  Edge& edge(int i) { return edges_[i]; }
  const Edge& edge(int i) const { return edges_[i]; }
  bool wants(int i) const { return edges_[i].is_valid(); }
  // LibTorch's names; it counts inputs and outputs from the backward's side.
  edge_list next_edges() const { return edge_list(edges_, edges_ + num_edges_); }
  const Edge& next_edge(size_t i) const { return edges_[i]; }
  uint32_t num_outputs() const { return static_cast<uint32_t>(num_edges_); }
  uint32_t num_inputs() const { return static_cast<uint32_t>(num_results_); }

  // The tensors that the operation made, in order.
  int num_results() const { return num_results_; }
  const OutputInfo& result(int i) const { return i == 0 ? result_ : other_result(i); }
  int add_result(const TensorBase& y);
  // The first result has taken another shape or dtype.
  void replace_result(const TensorBase& y);

  int save(const TensorBase& x, bool is_output);
  // Both throw PyTorch's "backward through the graph a second time" where release() has been called.
  TensorBase saved(int i);
  bool has_saved(int i) const;
  int num_saved() const { return num_saved_; }
  // Frees what backward needed.
  void release();
  bool released() const { return released_; }
  void check_not_released() const;

  // In anomaly mode: the operation, and the modules in whose calls it ran, a line each. Empty for a node made outside of that mode.
  std::string forward_call() const;

  int64_t& number(int i) { return numbers_[i]; }
  int64_t number(int i) const { return numbers_[i]; }
  template <class T>
  T& extra() { return static_cast<T&>(*extra_or_null()); }
  NodeExtra* extra_or_null() const;
  void set_extra(std::unique_ptr<NodeExtra> extra);

  // Functions that see, and may replace, the gradients of all results before backward, and those of the inputs after it.
  void add_pre_hook(std::unique_ptr<FunctionPreHook> hook);
  void add_post_hook(std::unique_ptr<FunctionPostHook> hook);
  NodeHooks& hooks();  // made when first asked for
  NodeHooks* hooks_or_null() const { return WICK_LIKELY(!more_) ? nullptr : more_hooks(); }

  // Of a node that accumulates into a leaf: the leaf's record. Null for all others.
  AutogradRecord* leaf() const { return leaf_.get(); }

  // ---- The engine's part. A node belongs to at most one run of backward at a time, the one whose number it carries. --------------
  struct RunState {
    int32_t dependencies = 0;            // gradients still to come
    bool needed = false;                 // leads to an input of interest
    TensorBase grad;                     // of result 0, summed so far
    std::unique_ptr<TensorBase[]> more;  // of results 1, 2, ...
  };
  std::atomic<uint64_t> run{0};
  RunState state;

 private:
  friend void destroy_node(GraphObject*) noexcept;
  friend AutogradRecord& record_of(TensorImpl&);

  struct More;  // what few nodes have

  Node(const OpInfo& op, int num_edges);
  ~Node();
  void pack(const TensorBase& x, bool is_output);
  TensorBase unpack(int i);
  More& more();
  NodeHooks* more_hooks() const;
  const OutputInfo& other_result(int i) const;

  const OpInfo* op_;
  uint64_t sequence_nr_;
  int16_t num_edges_;
  int16_t num_saved_ = 0;
  int16_t num_results_ = 0;
  bool released_ = false;
  Edge* edges_;
  SavedTensor* saved_;
  Edge inline_edges_[kInlineEdges];
  SavedTensor inline_saved_[kInlineSaved];
  OutputInfo result_;
  int64_t numbers_[kNumbers];
  std::unique_ptr<More> more_;
  Ref<AutogradRecord> leaf_;
  Node* next_to_delete_ = nullptr;
};

inline bool BackwardCall::wants(int i) const { return node.wants(i) && (i >= 64 || !(skipped >> i & 1)); }

// What a tensor has besides its data when it takes part in autograd in more than the simplest way. A leaf's record has the node that
// accumulates into the leaf; the node keeps the record, so a graph may outlive the leaf, but not the leaf itself.
struct AutogradRecord final : GraphObject {
  AutogradRecord();

  TensorBase grad;
  TensorImpl* tensor = nullptr;  // null once the tensor is gone
  Ref<Node> accumulator;         // of a leaf; shared by all graphs that use it
  std::vector<std::shared_ptr<NodeHooks::TensorHook>> hooks;  // of a leaf, run before accumulating
  std::vector<std::shared_ptr<std::function<void(const TensorBase&)>>> post_accumulate_hooks;
  std::string name;

  // One bit, held while a gradient is added: several backward runs may share a leaf.
  void lock() {
    while (lock_.test_and_set(std::memory_order_acquire)) __builtin_ia32_pause();
  }
  void unlock() { lock_.clear(std::memory_order_release); }

 private:
  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
};
void destroy(AutogradRecord* record);

// The record of a tensor, made if it has none. That is a write to the tensor; a leaf that several threads use has its record from the
// moment it began to require a gradient.
AutogradRecord& record_of(TensorImpl& impl);
inline AutogradRecord* record_or_null(const TensorImpl& impl) { return static_cast<AutogradRecord*>(impl.autograd); }

// The node that accumulates gradients into a leaf.
inline const Ref<Node>& accumulator_of(const TensorBase& leaf) { return record_of(leaf.impl()).accumulator; }
// A leaf's shape or dtype has changed: its accumulator, which may be part of graphs already, takes gradients of the new one.
inline void renew_accumulator(const TensorBase& leaf) {
  if (AutogradRecord* record = record_or_null(leaf.impl())) record->accumulator->replace_result(leaf);
}

inline Node* node_of(const TensorImpl& impl) { return static_cast<Node*>(impl.grad_fn.get()); }

extern const OpInfo kAccumulateGrad;

}  // namespace wick::autograd
