#include <cstdlib>

#include "wick/viz/stb_limit.h"

// stb_image takes memory for what a file says before it reads what is there.
#define STBI_MALLOC(size) wick::viz::stb_allocate(nullptr, size)
#define STBI_REALLOC(block, size) wick::viz::stb_allocate(block, size)
#define STBI_FREE(block) std::free(block)

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include "wick/viz/stb.h"

namespace wick::viz {

constinit thread_local size_t t_stb_limit = static_cast<size_t>(-1);

void* stb_allocate(void* block, size_t size) { return size > t_stb_limit ? nullptr : std::realloc(block, size); }

}  // namespace wick::viz
