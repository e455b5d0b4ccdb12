// The entry points that libFuzzer calls.
#include <cstdint>
#include <cstdlib>
#include <fstream>

#include "wick/tests/fuzz/fuzz.h"

// Writes the seeds to the folder that the environment names, for libFuzzer to begin with.
extern "C" int LLVMFuzzerInitialize(int*, char***) {
  if (const char* folder = std::getenv("WICK_SEEDS")) {
    int number = 0;
    for (const std::string& seed : wick::fuzz::seeds()) {
      std::ofstream(folder + ("/seed" + std::to_string(number++)), std::ios::binary)
          .write(seed.data(), static_cast<std::streamsize>(seed.size()));
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    wick::fuzz::parse(std::string(reinterpret_cast<const char*>(data), size));
  } catch (const wick::Error&) {
  }
  return 0;
}
