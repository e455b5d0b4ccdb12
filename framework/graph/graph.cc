#include "wick/framework/graph/graph.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <exception>
#include <unordered_map>
#include <vector>

#include "wick/framework/core/cuda_slot.h"
#include "wick/framework/ops/defs/functors.h"
#include "wick/framework/plan/elementwise_slots.h"
#include "wick/framework/plan/matmul.h"

namespace wick {
namespace {

// Arguments lie behind each other in one vector, each at a multiple of this.
constexpr size_t kArgsAlignment = 16;
// Places in the shared block begin at cache lines, as the allocator's blocks do.
constexpr size_t kPlaceAlignment = 64;

size_t round_up(size_t n, size_t to) { return (n + to - 1) / to * to; }

struct Call {
  const KernelInfo* kernel;
  Device device{kCPU};
  size_t args;    // offset
  int fused = 0;  // so many calls, from this one on, are made as one; 0: by the one before, or by a product
};

// A storage that the calls refer to.
struct Memory {
  Ref<StorageImpl> storage;
  size_t first = 0, last = 0;  // the calls between which it is needed
  bool written_first = true;   // false: its content comes from outside the captured calls
  bool temporary = false;      // nobody else holds it
  size_t place = 0;            // of a temporary: offset in the shared block
};

}  // namespace

struct Graph::Program {
  std::vector<Call> calls;
  std::vector<std::byte> args;
  std::vector<Memory> memory;
  std::unordered_map<const StorageImpl*, size_t> index;
  Ref<StorageImpl> blocks[2];  // of the CPU and of the CUDA device
  Device device{kCPU};         // the CUDA device, once there is a call of one
  std::unique_ptr<DeviceGraph> device_graph;
  size_t temporary_bytes = 0;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;

  Buffer* buffers(const Call& call) { return reinterpret_cast<Buffer*>(args.data() + call.args); }

  void add(const KernelInfo& kernel, Device on, const void* call_args);
  void lay_out(bool fuses);
  void run(Device on) {
    for (const Call& call : program) {
      if (call.fused == 1 && call.device == on) run_kernel(*call.kernel, on, args.data() + call.args);
      else if (call.fused > 1 && call.device == on) run_kernel(*call.kernel, on, &fused_args[call.args]);
    }
  }
  std::string list(const std::vector<Call>& list);

  std::vector<Call> program;  // what a replay does; the `args` of a fused call is its place in fused_args
  std::vector<FusedElementwiseArgs> fused_args;
  std::string recorded;       // the calls before fusion, as text

 private:
  template <class Args>
  Args& args_of(const Call& call) { return *reinterpret_cast<Args*>(args.data() + call.args); }
  Memory& memory_of(const Buffer& buffer) { return memory[index.at(buffer.storage)]; }
  void fuse();
  void finish();
  MatmulEpilogue epilogue_of(size_t i, size_t j);
  bool takes(size_t i, size_t j);
  void fuse_epilogue(size_t i);
  bool joins(size_t first, size_t i);
  void fuse_elementwise(size_t first, size_t end);
  void find_temporaries();
  size_t place_temporaries(Device on);
  void move_temporaries();
};

void Graph::Program::add(const KernelInfo& kernel, Device on, const void* call_args) {
  if (on.is_cuda()) {
    WICK_CHECK(device.is_cpu() || device == on, "a graph takes the calls of one CUDA device, and this one has calls of ", device, " and ", on);
    device = on;
  }
  const size_t at = round_up(args.size(), kArgsAlignment);
  args.resize(at + kernel.args_size);
  std::memcpy(args.data() + at, call_args, kernel.args_size);
  calls.push_back({&kernel, on, at, 1});
  const size_t number = calls.size() - 1;
  const Buffer* buffer = buffers(calls.back());
  for (uint32_t i = 0; i < kernel.num_buffers; ++i) {
    StorageImpl* storage = buffer[i].storage;
    if (!storage) continue;
    const auto [entry, is_new] = index.try_emplace(storage, memory.size());
    if (is_new) {
      memory.push_back({Ref<StorageImpl>::share(storage), number, number, kernel.access[i] == Access::kWrite, false, 0});
    }
    Memory& m = memory[entry->second];
    m.last = number;
    // A call that reads what it also writes first needs a content.
    if (m.first == number && kernel.access[i] != Access::kWrite) m.written_first = false;
  }
}

// ---- Fusion ------------------------------------------------------------------------------------------------------------------------

// What the product i would do beside to do the work of call j; kNone: it cannot.
MatmulEpilogue Graph::Program::epilogue_of(size_t i, size_t j) {
  if (calls[i].device != calls[j].device || calls[j].fused != 1) return MatmulEpilogue::kNone;
  const auto& product = args_of<MatmulArgs>(calls[i]);
  const void* const call_args = args.data() + calls[j].args;
  if (calls[i].device.is_cuda()) return cuda_slot()->epilogue_of(product, *calls[j].kernel, call_args);
  const auto& relu = *static_cast<const ElementwiseArgs*>(call_args);
  const bool is_relu = calls[j].kernel == &ElementwiseSlot<ops::Forward<ops::Relu>>::kernel;
  return is_relu && takes_elementwise(product, relu) && is_fusible(*calls[j].kernel, relu) ? MatmulEpilogue::kRelu : MatmulEpilogue::kNone;
}

// The product i does the work of call j, where that changes nothing for anybody else.
bool Graph::Program::takes(size_t i, size_t j) {
  const MatmulEpilogue epilogue = epilogue_of(i, j);
  if (epilogue == MatmulEpilogue::kNone) return false;
  auto& product = args_of<MatmulArgs>(calls[i]);
  const Buffer* const taken = buffers(calls[j]);
  const Buffer result = taken[0], own = product.buffers[0];
  Memory& between = memory_of(own);
  const bool sums = epilogue == MatmulEpilogue::kRowSums, in_place = !sums && result.data == own.data;
  // Whether a call between the two touches it; or, where reading does no harm, writes it.
  const auto is_met = [&](const StorageImpl* storage, bool reads_too) {
    for (size_t k = i + 1; k < j; ++k) {
      for (uint32_t a = 0; a < calls[k].kernel->num_buffers; ++a) {
        if (buffers(calls[k])[a].storage == storage && (reads_too || calls[k].kernel->access[a] != Access::kRead)) return true;
      }
    }
    return false;
  };
  const bool unseen = between.temporary && between.first == i && between.last == j && !is_met(own.storage, true);
  const bool kept = sums || (epilogue == MatmulEpilogue::kGelu && !in_place && !unseen);  // the product itself
  if (!kept && !in_place && !unseen) return false;
  const Buffer aux = sums ? result : kept ? own : epilogue == MatmulEpilogue::kGeluGradient ? taken[2] : nullptr;
  for (const Buffer& b : {product.buffers[1], product.buffers[2], product.buffers[3], in_place ? nullptr : own, sums ? nullptr : aux}) {
    if (b.storage == result.storage) return false;
  }
  for (uint32_t b = 0; b < calls[j].kernel->num_buffers; ++b) {
    if (taken[b].storage && is_met(taken[b].storage, b == 0)) return false;
  }
  if (!kept && !in_place) between.first = j, between.last = i;  // not needed at all
  product.epilogue = epilogue;
  product.buffers[4] = aux;
  if (!sums) product.buffers[0] = result;
  memory_of(result).first = std::min(memory_of(result).first, i);
  calls[j].fused = 0;
  return true;
}

// One of the calls behind a product: on the CPU the next one; in a backward pass others stand between.
void Graph::Program::fuse_epilogue(size_t i) {
  if (calls[i].kernel != &matmul_kernel) return;
  const size_t end = std::min(calls.size(), i + (calls[i].device.is_cuda() ? 9 : 2));
  for (size_t j = i + 1; j < end && !takes(i, j); ++j) {}
}

// Whether call i may be made block by block together with the calls from `first` on: over as many elements of the same type, and what
// one of them writes, the others use element for element.
bool Graph::Program::joins(size_t first, size_t i) {
  const Call& call = calls[i];
  if (call.device != calls[first].device || call.fused != 1 || call.kernel->args_size != sizeof(ElementwiseArgs)) return false;
  const auto& mine = args_of<ElementwiseArgs>(call);
  if (!is_fusible(*call.kernel, mine) || (call.device.is_cuda() && !cuda_slot()->is_fused(*call.kernel, mine))) return false;
  for (size_t k = first; k < i; ++k) {
    const auto& other = args_of<ElementwiseArgs>(calls[k]);
    if (other.plan.numel != mine.plan.numel || other.compute != mine.compute) return false;
    for (int a = 0; a < kMaxOperands; ++a) {
      for (int b = 0; b < kMaxOperands; ++b) {
        const bool shared = mine.buffers[a].storage && mine.buffers[a].storage == other.buffers[b].storage && (a == 0 || b == 0);
        if (shared && (mine.buffers[a].data != other.buffers[b].data || mine.plan.strides[a][0] != 1 || other.plan.strides[b][0] != 1)) return false;
      }
    }
  }
  return true;
}

// What the calls of a pass touch is needed during all of it.
void Graph::Program::fuse_elementwise(size_t first, size_t end) {
  calls[first].fused = static_cast<int>(end - first);
  for (size_t k = first; k < end; ++k) {
    if (k > first) calls[k].fused = 0;
    for (const Buffer& buffer : args_of<ElementwiseArgs>(calls[k]).buffers) {
      if (!buffer.storage) continue;
      Memory& m = memory_of(buffer);
      m.first = std::min(m.first, first);
      m.last = std::max(m.last, end - 1);
    }
  }
}

void Graph::Program::fuse() {
  for (size_t i = 0; i < calls.size(); ++i) fuse_epilogue(i);
  for (size_t first = 0; first < calls.size();) {
    size_t end = first;
    while (end < calls.size() && end - first < kMaxFused && joins(first, end)) ++end;
    if (end - first > 1) fuse_elementwise(first, end);
    first = std::max(end, first + 1);
  }
}

void Graph::Program::finish() {
  fused_args.reserve(calls.size());  // the calls point into it
  for (size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].fused == 1) program.push_back(calls[i]);
    if (calls[i].fused < 2) continue;
    FusedElementwiseArgs& all = fused_args.emplace_back();
    all.count = calls[i].fused;
    for (int k = 0; k < all.count; ++k) {
      const Call& call = calls[i + static_cast<size_t>(k)];
      all.kernels[k] = call.kernel;
      all.calls[k] = &args_of<ElementwiseArgs>(call);
    }
    program.push_back({&fused_elementwise_kernel, calls[i].device, fused_args.size() - 1, all.count});
  }
}

// ---- Memory ------------------------------------------------------------------------------------------------------------------------

void Graph::Program::find_temporaries() {
  for (Memory& m : memory) m.temporary = m.written_first && m.storage->use_count() == 1 && !m.storage->pinned;
}

// The largest first, each at the lowest place that is free for as long as it is needed. Returns the size of the device's block.
size_t Graph::Program::place_temporaries(Device on) {
  std::vector<Memory*> order, placed;
  for (Memory& m : memory) {
    if (m.temporary && m.first <= m.last && m.storage->device == on) order.push_back(&m);
  }
  std::stable_sort(order.begin(), order.end(), [](const Memory* a, const Memory* b) { return a->storage->nbytes > b->storage->nbytes; });
  size_t total = 0;
  for (Memory* m : order) {
    const size_t size = round_up(m->storage->nbytes, kPlaceAlignment);
    size_t place = 0;
    for (const Memory* other : placed) {  // by place
      const bool together = other->first <= m->last && m->first <= other->last;
      if (!together) continue;
      if (place + size <= other->place) break;
      place = std::max(place, other->place + round_up(other->storage->nbytes, kPlaceAlignment));
    }
    m->place = place;
    placed.insert(std::upper_bound(placed.begin(), placed.end(), m, [](const Memory* a, const Memory* b) { return a->place < b->place; }), m);
    total = std::max(total, place + size);
    temporary_bytes += size;
  }
  return total;
}

// Every buffer of a temporary moves to its place in the block; the memory it had during the capture goes back.
void Graph::Program::move_temporaries() {
  std::vector<Ref<StorageImpl>> homes(memory.size());
  for (size_t i = 0; i < memory.size(); ++i) {
    const Memory& m = memory[i];
    const Device on = m.storage->device;
    if (m.temporary) homes[i] = borrow_storage(static_cast<char*>(blocks[on.is_cuda()]->data) + m.place, m.storage->nbytes, on, {});
  }
  for (const Call& call : calls) {
    Buffer* buffer = buffers(call);
    for (uint32_t i = 0; i < call.kernel->num_buffers; ++i) {
      if (!buffer[i].storage) continue;
      const size_t number = index.at(buffer[i].storage);
      if (!homes[number]) continue;
      const ptrdiff_t offset = static_cast<char*>(buffer[i].data) - static_cast<char*>(memory[number].storage->data);
      buffer[i].data = static_cast<char*>(homes[number]->data) + offset;
      buffer[i].storage = homes[number].get();
    }
  }
  index.clear();
  for (size_t i = 0; i < memory.size(); ++i) {
    if (homes[i]) memory[i].storage = std::move(homes[i]);
    index[memory[i].storage.get()] = i;
  }
}

void Graph::Program::lay_out(bool fuses) {
  find_temporaries();
  if (fuses) {
    recorded = list(calls);
    fuse();
  }
  for (const Device on : {Device(kCPU), device}) {
    Ref<StorageImpl>& block = blocks[on.is_cuda()];
    if (!block) block = allocate_storage(place_temporaries(on), on);
  }
  move_temporaries();
  finish();
  if (device.is_cuda()) device_graph = cuda_slot()->capture(device, [this] { run(device); });
}

// ---- Graph -------------------------------------------------------------------------------------------------------------------------

Graph::Graph(const GraphOptions& options) : options_(options) {}
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

void Graph::replay() {
  WICK_CHECK(captured(), "Graph::replay: nothing has been captured\n  Run the step once under a GraphCapture first.");
  WICK_CHECK(!program_->busy.test_and_set(std::memory_order_acquire),
             "Graph::replay: another thread is replaying this graph\n  Both would write to the same memory; capture one for each thread.");
  struct Release {
    std::atomic_flag& flag;
    ~Release() { flag.clear(std::memory_order_release); }
  } release{program_->busy};
  program_->run(kCPU);
  if (program_->device_graph) program_->device_graph->launch();
  for (const Memory& m : program_->memory) {
    if (!m.temporary) m.storage->bump_version();
  }
}

void Graph::reset() { program_.reset(); }
bool Graph::captured() const { return program_ != nullptr; }
int64_t Graph::num_launches() const { return program_ ? static_cast<int64_t>(program_->program.size()) : 0; }
int64_t Graph::shared_bytes() const {
  int64_t bytes = 0;
  for (int i = 0; program_ && i < 2; ++i) bytes += program_->blocks[i] ? static_cast<int64_t>(program_->blocks[i]->nbytes) : 0;
  return bytes;
}
int64_t Graph::temporary_bytes() const { return program_ ? static_cast<int64_t>(program_->temporary_bytes) : 0; }

// A line for each call: its kernel, or those of a pass; what it writes, what it reads.
std::string Graph::Program::list(const std::vector<Call>& list) {
  std::vector<std::string> names;
  int outside = 0, temporaries = 0;
  for (const Memory& m : memory) {
    names.push_back(!m.temporary ? detail::concat("x", outside++)
                    : blocks[0]  ? detail::concat("t", temporaries++, "@", m.place)
                                 : detail::concat("t", temporaries++));
  }
  std::string text;
  for (size_t i = 0; i < list.size(); ++i) {
    std::string kernels, reads, writes;
    const auto add = [&](const KernelInfo& kernel, const Buffer* buffer) {
      kernels += (kernels.empty() ? "" : "+") + std::string(kernel.name);
      for (uint32_t k = 0; k < kernel.num_buffers; ++k) {
        if (!buffer[k].storage) continue;
        const std::string& name = names[index.at(buffer[k].storage)];
        if (kernel.access[k] != Access::kRead) writes += " " + name;
        if (kernel.access[k] != Access::kWrite) reads += " " + name;
      }
    };
    if (list[i].fused == 1) {
      add(*list[i].kernel, buffers(list[i]));
    } else {
      const FusedElementwiseArgs& all = fused_args[list[i].args];
      for (int k = 0; k < all.count; ++k) add(*all.kernels[k], all.calls[k]->buffers);
    }
    text += detail::concat(i, ": ", kernels, writes, " <-", reads, "\n");
  }
  return text;
}

std::string Graph::str() const {
  std::string text = detail::concat(num_launches(), " launches, ", shared_bytes(), " bytes shared by ", temporary_bytes(), " bytes of temporaries\n");
  if (!program_) return text;
  if (program_->program.size() < program_->calls.size()) text += "recorded:\n" + program_->recorded + "fused:\n";
  return text + program_->list(program_->program);
}

void Graph::print() const { std::fputs(str().c_str(), stdout); }

// ---- GraphCapture ------------------------------------------------------------------------------------------------------------------

class GraphCapture::Recorder final : public LaunchListener {
 public:
  explicit Recorder(std::unique_ptr<Graph::Program> program) : program(std::move(program)) {}

  void launch(const KernelInfo& kernel, Device device, const void* args) override { program->add(kernel, device, args); }
  void host_read(const char* op) override {
    detail::raise<Error>(op, ": cannot read a tensor while a graph is being captured\n"
                         "  Nothing has been computed yet. Read it after the capture, when the graph has been replayed.");
  }

  std::unique_ptr<Graph::Program> program;
};

GraphCapture::GraphCapture(Graph& graph) : graph_(graph), exceptions_(std::uncaught_exceptions()) {
  WICK_CHECK(!graph.captured(), "GraphCapture: the graph holds a capture already; call reset() first");
  WICK_CHECK(t_state.listener == nullptr, "GraphCapture: this thread is capturing or profiling already");
  recorder_ = std::make_unique<Recorder>(std::make_unique<Graph::Program>());
  t_state.listener = recorder_.get();
}

GraphCapture::~GraphCapture() noexcept(false) { end(); }

void GraphCapture::end() {
  if (!recorder_) return;
  t_state.listener = nullptr;
  std::unique_ptr<Graph::Program> program = std::move(recorder_->program);
  recorder_.reset();
  if (std::uncaught_exceptions() > exceptions_) return;
  program->lay_out(graph_.options_.fuse());
  graph_.program_ = std::move(program);
}

}  // namespace wick
