// Graph: a training step recorded once and replayed without its overhead.
//
//   Graph graph;
//   {
//     GraphCapture capture(graph);
//     step();                       // forward, backward, optimiser: recorded, not run
//   }
//   for (...) {
//     x.copy_(next_batch);          // inputs change in place
//     graph.replay();
//   }
//
// What is recorded are the kernel calls that pass the door (core/launch.h). A replay makes them again, in order, on the same memory:
// no operation, no dtype rule, no node, no allocation. Tensors that live on after the capture (parameters, their gradients, the loss)
// keep their memory, which each replay fills anew. The others get places in one block of the graph's own, shared between tensors that
// are not needed at the same time.
//
// What a step decides on the host is decided once: shapes, branches, numbers that operations got as arguments. What must change from
// replay to replay has to lie in tensors or generators; optimisers keep learning rates and step counts that way. Reading a tensor
// while capturing (item(), printing, nonzero()) is an error, since nothing has been computed.
//
// The calls of a CUDA device become a CUDA graph, which a replay launches on the current stream, after the calls of the CPU. They must all
// have been made on one device. Whatever streams they were made for, they run in the order in which they were made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "wick/framework/core/arg.h"
#include "wick/framework/core/launch.h"

namespace wick {

struct GraphOptions {
  // Whether calls are put together after the capture: a product with the activation that follows it, and elementwise operations over
  // the same elements, which then run in one pass over blocks that stay in the cache. Every element is computed as before, so the
  // results are the same bit for bit. On CUDA a product takes over, as epilogues of cuBLASLt, ReLU, GELU by tanh and its gradient, and
  // a bias gradient; the results agree to rounding.
  WICK_ARG(bool, fuse) = true;
};

class Graph {
 public:
  explicit Graph(const GraphOptions& options = {});
  ~Graph();
  Graph(Graph&&) noexcept;
  Graph& operator=(Graph&&) noexcept;

  // Runs what was captured. Throws where nothing was, and where another thread is replaying this graph at the moment.
  void replay();
  // Forgets what was captured and frees its memory.
  void reset();

  bool captured() const;
  // The kernel calls of one replay.
  int64_t num_launches() const;
  // Bytes of the block that the temporaries share, and what they would take without sharing.
  int64_t shared_bytes() const;
  int64_t temporary_bytes() const;
  // The recorded program and, where that is another, the fused one, a line per kernel call: which buffers it reads and writes. x0, x1,
  // ... are tensors that live outside, t0, t1, ... temporaries with their place in the shared block.
  std::string str() const;
  void print() const;  // to the standard output

 private:
  friend class GraphCapture;
  struct Program;
  GraphOptions options_;
  std::unique_ptr<Program> program_;
};

// Records the kernel calls of this thread into the graph while it lives. When it is destroyed by an exception, the graph stays empty.
class GraphCapture {
 public:
  // Throws where the graph holds a capture already, or where this thread is capturing.
  explicit GraphCapture(Graph& graph);
  ~GraphCapture() noexcept(false);
  // Lays out the memory and makes the device's graph; throws where either fails, and leaves the graph empty. Nothing happens twice.
  void end();
  GraphCapture(const GraphCapture&) = delete;
  GraphCapture& operator=(const GraphCapture&) = delete;

 private:
  class Recorder;
  Graph& graph_;
  std::unique_ptr<Recorder> recorder_;
  int exceptions_;
};

}  // namespace wick
