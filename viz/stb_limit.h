// The most memory that stb_image may take at once.
#pragma once

#include <cstddef>

namespace wick::viz {

// Of this thread, in bytes.
extern constinit thread_local size_t t_stb_limit;

// realloc() below the limit; else null, which stb_image reports.
void* stb_allocate(void* block, size_t size);

class StbLimit {
 public:
  explicit StbLimit(size_t bytes) : before_(t_stb_limit) { t_stb_limit = bytes; }
  ~StbLimit() { t_stb_limit = before_; }
  StbLimit(const StbLimit&) = delete;
  StbLimit& operator=(const StbLimit&) = delete;

 private:
  size_t before_;
};

}  // namespace wick::viz
