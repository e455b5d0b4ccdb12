// The fault that stopped the device, and how faults are put into words.
#pragma once

#include <cuda_runtime_api.h>

#include <source_location>
#include <string>
#include <vector>

namespace cuda_sim {

// The first fault of a kernel stays until it is taken or the device is reset, as on hardware: every call meanwhile returns its code,
// and cudaGetErrorString() of that code is its text.
void set_fault(cudaError_t code, std::string text);
cudaError_t fault();
const std::string& fault_text();
void clear_fault();

// "bias.cu:42 (called at bias.cu:80)": the source line behind a return address, with the lines it was inlined into.
std::string source_line(const void* return_address);
std::string source_line(const std::source_location& where);

// "(3,0,0)".
std::string coordinates(const uint3& at);
// "0-15, 17": numbers in ascending order.
std::string ranges(const std::vector<unsigned>& numbers);

}  // namespace cuda_sim
