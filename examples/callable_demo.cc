// Why training code writes model(x) and not model->forward(x): objects that can be called.
//
//   bazelw run //examples:callable_demo
#include <cstdio>
#include <string_view>
#include <type_traits>

#include "wick/examples/counter.h"
#include "wick/examples/example.h"

using examples::Counter;

namespace {

int run() {
  std::printf("--- Testing operator() ---\n");
  Counter counter;
  const int first = counter("PyTorch");
  counter("GPU");
  counter("Deep Learning");
  std::printf("First call returned: %d\n", first);
  std::printf("Final count: %d\n", counter.count());
  // Python asks callable(counter) while the program runs; C++ asks the type while it compiles.
  std::printf("Is the counter callable? %s\n", std::is_invocable_v<Counter&, std::string_view> ? "yes" : "no");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto no_options = [](CLI::App&) {};
  return examples::main_of("callable_demo", "Calls an object like a function, and counts the calls.", argc, argv, no_options, run);
}
