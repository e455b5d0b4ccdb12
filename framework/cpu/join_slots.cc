// The slot of cat and its kernel, which copies parts into rows.
#include "wick/framework/plan/join.h"

#include <algorithm>
#include <cstring>

#include "wick/framework/core/parallel.h"
#include "wick/framework/cpu/stream.h"

namespace wick {
namespace {

constexpr int64_t kGrainBytes = 4 * kGrainSize;

// The bytes [first, last) of all that the parts hold, counted row by row.
void copy_parts(const CatArgs& args, int64_t first, int64_t last, bool streamed) {
  const int64_t begin = args.begin[0], width = args.begin[args.num_parts] - begin;
  char* const out = args.buffers[0].as<char>();
  int64_t row = first / width, column = begin + first % width;
  int part = static_cast<int>(std::upper_bound(args.begin, args.begin + args.num_parts, column) - args.begin) - 1;
  for (int64_t done = first; done < last;) {
    const int64_t part_begin = args.begin[part], part_width = args.begin[part + 1] - part_begin;
    const int64_t n = std::min(part_begin + part_width - column, last - done);
    const char* from = args.buffers[part + 1].as<const char>() + row * part_width + (column - part_begin);
    char* const to = out + row * args.row_bytes + column;
    if (streamed) cpu::stream(to, from, n);
    else std::memcpy(to, from, static_cast<size_t>(n));
    done += n;
    column += n;
    if (column < part_begin + part_width) continue;
    if (++part < args.num_parts) continue;
    part = 0;
    column = begin;
    ++row;
  }
  if (streamed) _mm_sfence();
}

void run_cat(const CatArgs& args) {
  const int64_t bytes = args.rows * (args.begin[args.num_parts] - args.begin[0]);
  // A result of the size of the last cache still gains from it.
  const bool streamed = bytes > cpu::kStreamedBytes;
  parallel_for(0, bytes, kGrainBytes, [&](int64_t first, int64_t last) { copy_parts(args, first, last, streamed); });
}

}  // namespace

// A copy of bytes is as fast on any instruction set.
constinit Kernel<CatArgs> cat_kernel = Kernel<CatArgs>::make<run_cat, run_cat>("cat");

}  // namespace wick
