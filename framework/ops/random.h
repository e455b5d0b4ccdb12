// Random fills without checks for overlap and without history, as factories and the in-place functions of random.cc use them.
#pragma once

#include "wick/framework/ops/op.h"
#include "wick/framework/plan/random.h"

namespace wick::ops {

// Fills y by the kernel, with args.a, b, base and range set, from the generator or, without one, from the default generator. The stream
// fills memory from its beginning to its end, whatever the order of y's dimensions. `probabilities`, where the kernel takes them, have
// y's shape.
void draw(const TensorBase& y, const Kernel<RandomArgs>& kernel, RandomArgs args, const std::optional<Generator>& generator,
          const TensorBase& probabilities = {});

// uniform_, normal_ and random_(from, to): PyTorch's sentences for parameters that make no sense.
void draw_uniform(const TensorBase& y, double from, double to, const std::optional<Generator>& generator);
void draw_normal(const TensorBase& y, double mean, double std, const std::optional<Generator>& generator);
void draw_integers(const TensorBase& y, int64_t from, std::optional<int64_t> to, const std::optional<Generator>& generator);

}  // namespace wick::ops
