#include "wick/framework/core/pool.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

namespace wick {
namespace {

// What lets `new` and `delete` use the pool. A class derived from T with a virtual destructor is freed by its own size.
template <class T>
class Pooled {
 public:
  static void* operator new(size_t size) {
    static_assert(alignof(T) <= detail::kBlockAlignment, "pooled objects are aligned to 64 bytes");
    if (WICK_LIKELY(size == sizeof(T))) return pool_allocate<sizeof(T)>();
    return cpu_allocate(size);
  }
  static void operator delete(void* block, size_t size) noexcept {
    if (WICK_LIKELY(size == sizeof(T))) return pool_free<sizeof(T)>(block);
    cpu_free(block, size);
  }
  static void* operator new(size_t, void* place) noexcept { return place; }
  static void operator delete(void*, void*) noexcept {}
};

struct Node : Pooled<Node> {
  explicit Node(int value) : value(value) {
    if (value < 0) throw std::invalid_argument("negative");
  }
  virtual ~Node() = default;
  int value;
  char payload[150];
};

struct LargerNode : Node {
  using Node::Node;
  char more[400];
};

// Larger than any pool's objects: the allocator serves it.
struct HugeNode : Node {
  using Node::Node;
  char more[size_t{100} << 10];
};

struct alignas(64) Aligned : Pooled<Aligned> {
  float lanes[16];
};

TEST(Pool, ReusesTheLastBlockFreed) {
  void* first = pool_allocate<192>();
  void* second = pool_allocate<192>();
  EXPECT_NE(first, second);
  pool_free<192>(second);
  pool_free<192>(first);
  EXPECT_EQ(pool_allocate<192>(), first);
  EXPECT_EQ(pool_allocate<180>(), second) << "the same size class";
  pool_free<192>(first);
  pool_free<180>(second);
  pool_free<192>(nullptr);
}

TEST(Pool, PooledObjectsComeFromThePool) {
  auto* node = new Node(7);
  EXPECT_EQ(node->value, 7);
  void* place = node;
  delete node;
  EXPECT_EQ(pool_allocate<sizeof(Node)>(), place);
  auto* again = new (place) Node(8);
  EXPECT_EQ(again->value, 8);
  delete again;
}

TEST(Pool, DerivedObjectsUseTheirOwnSize) {
  const int64_t allocated = memory_stats().allocated;
  std::unique_ptr<Node> larger = std::make_unique<LargerNode>(1);
  static_cast<LargerNode&>(*larger).more[399] = 1;
  void* place = larger.get();
  larger.reset();
  EXPECT_EQ(pool_allocate<sizeof(LargerNode)>(), place);
  pool_free<sizeof(LargerNode)>(place);
  std::unique_ptr<Node> huge = std::make_unique<HugeNode>(1);
  static_cast<HugeNode&>(*huge).more[(100 << 10) - 1] = 1;
  EXPECT_EQ(memory_stats().allocated - allocated, int64_t(sizeof(HugeNode)));
  huge.reset();
  EXPECT_EQ(memory_stats().allocated, allocated);
}

TEST(Pool, AlignsToCacheLines) {
  std::vector<std::unique_ptr<Aligned>> objects;
  for (int i = 0; i < 200; ++i) {
    objects.push_back(std::make_unique<Aligned>());
    EXPECT_EQ(reinterpret_cast<uintptr_t>(objects.back().get()) % 64, 0u);
  }
}

TEST(Pool, ConstructorThatThrowsReturnsTheBlock) {
  delete new Node(1);
  const MemoryStats before = memory_stats();
  for (int i = 0; i < 1000; ++i) EXPECT_THROW(new Node(-1), std::invalid_argument);
  EXPECT_EQ(memory_stats().reserved, before.reserved);
}

TEST(Pool, ObjectsCountAsReservedOnly) {
  empty_cache();
  const MemoryStats before = memory_stats();
  auto* node = new Node(1);
  EXPECT_EQ(memory_stats().allocated, before.allocated);
  EXPECT_EQ(memory_stats().allocations, before.allocations);
  EXPECT_EQ(memory_stats().reserved - before.reserved, int64_t(detail::class_bytes(detail::size_class(sizeof(Node)))));
  delete node;
}

TEST(Pool, ManyObjectsAreReusedWithoutTheSystem) {
  const auto build_and_drop = [] {
    std::vector<std::unique_ptr<Node>> nodes;
    for (int i = 0; i < 20000; ++i) nodes.push_back(std::make_unique<Node>(i));
    for (int i = 0; i < 20000; ++i) ASSERT_EQ(nodes[i]->value, i);
  };
  build_and_drop();
  const MemoryStats before = memory_stats();
  build_and_drop();
  EXPECT_EQ(memory_stats().system_allocations, before.system_allocations);
}

TEST(PoolThreads, ObjectsMayBeFreedByAnotherThread) {
  empty_cache();
  const MemoryStats before = memory_stats();
  for (int round = 0; round < 20; ++round) {
    std::vector<std::unique_ptr<Node>> nodes;
    for (int i = 0; i < 500; ++i) nodes.push_back(std::make_unique<Node>(i));
    std::thread([&] { nodes.clear(); }).join();
  }
  // Each round lives on the blocks that the round before freed in a thread that has ended.
  EXPECT_LE(memory_stats().system_allocations - before.system_allocations, 500 + 62);
}

#ifdef WICK_ASAN
TEST(PoolAsan, FreeObjectsArePoisoned) {
  auto* node = new Node(1);
  const void* place = node;
  EXPECT_FALSE(__asan_address_is_poisoned(&node->payload[149]));
  EXPECT_TRUE(__asan_address_is_poisoned(static_cast<const char*>(place) + sizeof(Node)));
  delete node;
  EXPECT_TRUE(__asan_address_is_poisoned(place));
}
#endif

}  // namespace
}  // namespace wick
