// An object that is called like a function: what `model(x)` does, in twenty lines.
#pragma once

#include <cstdio>
#include <string_view>

namespace examples {

// C++ calls operator() when parentheses follow an object, as Python calls __call__. nn::Module uses the same means to run hooks around
// forward(); here it counts.
class Counter {
 public:
  Counter() { std::printf("1. object initialised (constructor)\n"); }

  // Greets and returns how often the object has been called.
  int operator()(std::string_view name) {
    ++count_;
    std::printf("2. object called (operator()) -> Hello, %.*s! (call %d)\n", static_cast<int>(name.size()), name.data(), count_);
    return count_;
  }

  int count() const { return count_; }

 private:
  int count_ = 0;
};

}  // namespace examples
