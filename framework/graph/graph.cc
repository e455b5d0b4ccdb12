#include "wick/framework/graph/graph.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <unordered_map>
#include <vector>

#include "wick/framework/core/cuda_slot.h"

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
  size_t args;  // offset
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
  void lay_out();
  void run(Device on) {
    for (const Call& call : calls) {
      if (call.device == on) run_kernel(*call.kernel, on, args.data() + call.args);
    }
  }

 private:
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
  calls.push_back({&kernel, on, at});
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

void Graph::Program::find_temporaries() {
  for (Memory& m : memory) m.temporary = m.written_first && m.storage->use_count() == 1 && !m.storage->pinned;
}

// The largest first, each at the lowest place that is free for as long as it is needed. Returns the size of the device's block.
size_t Graph::Program::place_temporaries(Device on) {
  std::vector<Memory*> order, placed;
  for (Memory& m : memory) {
    if (m.temporary && m.storage->device == on) order.push_back(&m);
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

void Graph::Program::lay_out() {
  find_temporaries();
  for (const Device on : {Device(kCPU), device}) {
    Ref<StorageImpl>& block = blocks[on.is_cuda()];
    if (!block) block = allocate_storage(place_temporaries(on), on);
  }
  move_temporaries();
  if (device.is_cuda()) device_graph = cuda_slot()->capture(device, [this] { run(device); });
}

// ---- Graph -------------------------------------------------------------------------------------------------------------------------

Graph::Graph() = default;
Graph::~Graph() = default;
Graph::Graph(Graph&&) noexcept = default;
Graph& Graph::operator=(Graph&&) noexcept = default;

void Graph::replay() {
  WICK_CHECK(captured(), "Graph::replay: nothing has been captured\n  Run the step once under a GraphCapture first.");
  WICK_CHECK(!program_->busy.test_and_set(std::memory_order_acquire),
             "Graph::replay: another thread is replaying this graph\n  Both would write to the same memory; capture a graph for each thread.");
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
int64_t Graph::num_launches() const { return program_ ? static_cast<int64_t>(program_->calls.size()) : 0; }
int64_t Graph::shared_bytes() const {
  int64_t bytes = 0;
  for (int i = 0; program_ && i < 2; ++i) bytes += program_->blocks[i] ? static_cast<int64_t>(program_->blocks[i]->nbytes) : 0;
  return bytes;
}
int64_t Graph::temporary_bytes() const { return program_ ? static_cast<int64_t>(program_->temporary_bytes) : 0; }

std::string Graph::str() const {
  std::string text = detail::concat(num_launches(), " launches, ", shared_bytes(), " bytes shared by ", temporary_bytes(), " bytes of temporaries\n");
  if (!program_) return text;
  std::vector<std::string> by_memory;
  int outside = 0, temporaries = 0;
  for (const Memory& m : program_->memory) {
    by_memory.push_back(m.temporary ? detail::concat("t", temporaries++, "@", m.place) : detail::concat("x", outside++));
  }
  for (size_t i = 0; i < program_->calls.size(); ++i) {
    const Call& call = program_->calls[i];
    const Buffer* buffer = program_->buffers(call);
    std::string reads, writes;
    for (uint32_t k = 0; k < call.kernel->num_buffers; ++k) {
      if (!buffer[k].storage) continue;
      const std::string& name = by_memory[program_->index.at(buffer[k].storage)];
      if (call.kernel->access[k] != Access::kRead) writes += " " + name;
      if (call.kernel->access[k] != Access::kWrite) reads += " " + name;
    }
    text += detail::concat(i, ": ", call.kernel->name, writes, " <-", reads, "\n");
  }
  return text;
}

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
  program->lay_out();
  graph_.program_ = std::move(program);
}

}  // namespace wick
