// cuDNN, as far as convolutions need it: forward, gradients of data and filter, the choice of an algorithm, adding a bias.
//
// Each direction has two algorithms: 0 takes no workspace and is said not to be deterministic where cuDNN's is not (gradients); 1 is
// deterministic and takes a workspace. Both compute the same by plain loops, once the arguments were found to obey cuDNN's rules.
#include <cudnn.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "wick/tests/cuda_sim/memory.h"
#include "wick/tests/cuda_sim/runtime.h"
#include "wick/tests/cuda_sim/streams.h"

struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::vector<int> sizes, strides;
};
struct cudnnFilterStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::vector<int> sizes;
};
struct cudnnConvolutionStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  std::vector<int> padding, stride, dilation;
  int groups = 1;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
};

namespace cuda_sim {
namespace {

thread_local std::string t_refusal;

cudnnStatus_t refuse(cudnnStatus_t status, const char* caller, const std::string& why) {
  t_refusal = std::string(caller) + ": " + why;
  return status;
}

int64_t product(const std::vector<int>& sizes) {
  int64_t n = 1;
  for (const int size : sizes) n *= size;
  return n;
}
std::vector<int> dense_strides(const std::vector<int>& sizes) {
  std::vector<int> strides(sizes.size(), 1);
  for (size_t d = sizes.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}
size_t size_of(cudnnDataType_t type) { return type == CUDNN_DATA_DOUBLE ? 8 : 4; }

enum class Direction { kForward, kData, kFilter };

// The three operands, whichever is the result.
struct Operands {
  cudnnTensorDescriptor_t x;
  cudnnFilterDescriptor_t w;
  cudnnTensorDescriptor_t y;
  cudnnConvolutionDescriptor_t convolution;
};

cudnnStatus_t check(const char* caller, cudnnHandle_t handle, const Operands& o) {
  if (!handle || !o.x || !o.w || !o.y || !o.convolution) return refuse(CUDNN_STATUS_BAD_PARAM, caller, "a handle or a descriptor is null");
  const cudnnConvolutionStruct& c = *o.convolution;
  const size_t dims = c.padding.size();
  if (o.x->sizes.size() != dims + 2 || o.w->sizes.size() != dims + 2 || o.y->sizes.size() != dims + 2)
    return refuse(CUDNN_STATUS_BAD_PARAM, caller, "the descriptors differ in their dimensions");
  if (o.x->type != o.w->type || o.x->type != o.y->type || o.x->type != c.type)
    return refuse(CUDNN_STATUS_BAD_PARAM, caller, "the descriptors differ in their types");
  if (o.x->strides != dense_strides(o.x->sizes) || o.y->strides != dense_strides(o.y->sizes))
    return refuse(CUDNN_STATUS_NOT_SUPPORTED, caller, "the simulator takes dense tensors only");
  if (c.groups < 1 || o.w->sizes[0] % c.groups != 0 || o.x->sizes[1] != o.w->sizes[1] * c.groups || o.y->sizes[1] != o.w->sizes[0] ||
      o.y->sizes[0] != o.x->sizes[0])
    return refuse(CUDNN_STATUS_BAD_PARAM, caller, "batch, channels or groups do not go together");
  for (size_t d = 0; d < dims; ++d) {
    const int reach = (o.w->sizes[d + 2] - 1) * c.dilation[d] + 1;
    const int output = (o.x->sizes[d + 2] + 2 * c.padding[d] - reach) / c.stride[d] + 1;
    if (o.y->sizes[d + 2] != output) {
      return refuse(CUDNN_STATUS_BAD_PARAM, caller,
                    "the output has size " + std::to_string(o.y->sizes[d + 2]) + " where the convolution gives " + std::to_string(output));
    }
  }
  return CUDNN_STATUS_SUCCESS;
}

// ---- What it computes, with one leading dimension of size 1 where there are two -----------------------------------------------------------

struct Shape {
  int64_t batch, groups, in, out, x[3], w[3], y[3], padding[3], stride[3], dilation[3];

  explicit Shape(const Operands& o)
      : batch(o.x->sizes[0]), groups(o.convolution->groups), in(o.x->sizes[1]), out(o.y->sizes[1]) {
    const size_t missing = 3 - o.convolution->padding.size();
    const auto fill = [missing](int64_t* to, const int* from, int64_t otherwise) {
      for (size_t d = 0; d < 3; ++d) to[d] = d < missing ? otherwise : from[d - missing];
    };
    fill(x, o.x->sizes.data() + 2, 1);
    fill(w, o.w->sizes.data() + 2, 1);
    fill(y, o.y->sizes.data() + 2, 1);
    fill(padding, o.convolution->padding.data(), 0);
    fill(stride, o.convolution->stride.data(), 1);
    fill(dilation, o.convolution->dilation.data(), 1);
  }
  static int64_t size(const int64_t* box) { return box[0] * box[1] * box[2]; }
};

// Calls f(offsets into x, w and y) for each product that the convolution consists of.
template <class F>
void for_products(const Shape& s, const F& f) {
  const int64_t in_per_group = s.in / s.groups, out_per_group = s.out / s.groups;
  const int64_t kernel = Shape::size(s.w), output = Shape::size(s.y), input = Shape::size(s.x);
  const int64_t rows = s.batch * s.out * in_per_group;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t c = row % in_per_group, out = row / in_per_group % s.out, item = row / in_per_group / s.out;
    const int64_t x0 = (item * s.in + out / out_per_group * in_per_group + c) * input, w0 = (out * in_per_group + c) * kernel,
                  y0 = (item * s.out + out) * output;
    for (int64_t p = 0; p < output; ++p) {
      const int64_t o[] = {p / (s.y[1] * s.y[2]), p / s.y[2] % s.y[1], p % s.y[2]};
      for (int64_t q = 0; q < kernel; ++q) {
        const int64_t k[] = {q / (s.w[1] * s.w[2]), q / s.w[2] % s.w[1], q % s.w[2]};
        int64_t at = 0;
        bool inside = true;
        for (int d = 0; d < 3; ++d) {
          const int64_t i = o[d] * s.stride[d] - s.padding[d] + k[d] * s.dilation[d];
          inside = inside && i >= 0 && i < s.x[d];
          at = at * s.x[d] + i;
        }
        if (inside) f(x0 + at, w0 + q, y0 + p);
      }
    }
  }
}

struct Call {
  const char* name;
  Direction direction;
  Shape shape;
  double alpha, beta;
  const void *x, *w, *y;  // one of them is the result
  int64_t x_size, w_size, y_size;
  void* workspace;
  size_t workspace_bytes;
};

template <class T>
void compute(const Call& call) {
  const T* const x = static_cast<const T*>(call.x);
  const T* const w = static_cast<const T*>(call.w);
  const T* const y = static_cast<const T*>(call.y);
  const bool forward = call.direction == Direction::kForward, data = call.direction == Direction::kData;
  const int64_t n = forward ? call.y_size : data ? call.x_size : call.w_size;
  std::vector<double> sums(static_cast<size_t>(n));
  for_products(call.shape, [&](int64_t i, int64_t k, int64_t o) {
    if (forward) sums[static_cast<size_t>(o)] += static_cast<double>(x[i]) * w[k];
    else if (data) sums[static_cast<size_t>(i)] += static_cast<double>(w[k]) * y[o];
    else sums[static_cast<size_t>(k)] += static_cast<double>(x[i]) * y[o];
  });
  T* const result = static_cast<T*>(const_cast<void*>(forward ? call.y : data ? call.x : call.w));
  for (int64_t i = 0; i < n; ++i) {
    const double before = call.beta == 0 ? 0 : call.beta * result[i];  // what is not asked for may be NaN
    result[i] = static_cast<T>(call.alpha * sums[static_cast<size_t>(i)] + before);
  }
}

double factor(const void* p, cudnnDataType_t type) {
  return type == CUDNN_DATA_DOUBLE ? *static_cast<const double*>(p) : *static_cast<const float*>(p);
}

cudnnStatus_t enqueue(const char* caller, cudaStream_t stream, std::function<void()> run) {
  if (fault() != cudaSuccess) return refuse(CUDNN_STATUS_EXECUTION_FAILED, caller, fault_text());
  ++mutable_counters().launches;
  const cudaError_t error = submit(stream, {WorkKind::kLibrary, std::move(run), false, nullptr});
  return error == cudaSuccess ? CUDNN_STATUS_SUCCESS : refuse(CUDNN_STATUS_EXECUTION_FAILED, caller, cudaGetErrorString(remember(error)));
}

constexpr size_t kWorkspace = 4096;  // of algorithm 1
constexpr int kAlgorithms = 2;

cudnnStatus_t convolve(const char* name, Direction direction, cudnnHandle_t handle, const Operands& o, const void* x, const void* w,
                       const void* y, const void* alpha, const void* beta, int algorithm, void* workspace, size_t workspace_bytes) {
  std::lock_guard lock(runtime_lock());
  if (const cudnnStatus_t status = check(name, handle, o); status != CUDNN_STATUS_SUCCESS) return status;
  if (!alpha || !beta) return refuse(CUDNN_STATUS_BAD_PARAM, name, "alpha or beta is null");
  if (algorithm < 0 || algorithm >= kAlgorithms) return refuse(CUDNN_STATUS_NOT_SUPPORTED, name, "the simulator has algorithms 0 and 1");
  if (algorithm == 1 && workspace_bytes < kWorkspace)
    return refuse(CUDNN_STATUS_BAD_PARAM, name, "the workspace has fewer than " + std::to_string(kWorkspace) + " bytes");
  const cudnnDataType_t type = o.x->type;
  const Call call{name,
                  direction,
                  Shape(o),
                  factor(alpha, type),
                  factor(beta, type),
                  x,
                  w,
                  y,
                  product(o.x->sizes),
                  product(o.w->sizes),
                  product(o.y->sizes),
                  workspace,
                  workspace_bytes};
  return enqueue(name, handle->stream, [call, type] {
    const auto bytes = [type](int64_t n) { return static_cast<size_t>(n) * size_of(type); };
    if (!is_there(call.name, "x", call.x, bytes(call.x_size)) || !is_there(call.name, "the filter", call.w, bytes(call.w_size)) ||
        !is_there(call.name, "y", call.y, bytes(call.y_size)) ||
        !is_there(call.name, "the workspace", call.workspace, call.workspace_bytes))
      return;
    OpenMemory open;
    // Nothing is to be expected there afterwards.
    if (call.workspace_bytes != 0) std::memset(call.workspace, 0xff, call.workspace_bytes);
    type == CUDNN_DATA_DOUBLE ? compute<double>(call) : compute<float>(call);
  });
}

template <class Choice>
cudnnStatus_t choices(const char* name, Direction direction, cudnnHandle_t handle, const Operands& o, int wanted, int* count,
                      Choice* results) {
  std::lock_guard lock(runtime_lock());
  if (const cudnnStatus_t status = check(name, handle, o); status != CUDNN_STATUS_SUCCESS) return status;
  if (wanted < 1 || !count || !results) return refuse(CUDNN_STATUS_BAD_PARAM, name, "no room for results");
  ++mutable_counters().algorithm_choices;
  *count = std::min(wanted, kAlgorithms);
  for (int i = 0; i < *count; ++i) {
    results[i] = {};
    results[i].algo = static_cast<decltype(Choice::algo)>(i);
    results[i].status = CUDNN_STATUS_SUCCESS;
    results[i].time = static_cast<float>(i + 1);
    results[i].memory = i == 0 ? 0 : kWorkspace;
    results[i].determinism = i == 0 && direction != Direction::kForward ? CUDNN_NON_DETERMINISTIC : CUDNN_DETERMINISTIC;
    results[i].mathType = o.convolution->math;
  }
  return CUDNN_STATUS_SUCCESS;
}

// Algorithms are timed by running them, so the result is overwritten; algorithm 1 came out faster.
template <class Choice>
cudnnStatus_t measured(const char* name, Direction direction, cudnnHandle_t handle, const Operands& o, const void* x, const void* w,
                       const void* y, int wanted, int* count, Choice* results, void* workspace, size_t workspace_bytes) {
  if (const cudnnStatus_t status = choices(name, direction, handle, o, wanted, count, results); status != CUDNN_STATUS_SUCCESS) {
    return status;
  }
  const double one = 1, zero = 0;
  const float one_float = 1, zero_float = 0;
  const bool wide = o.x->type == CUDNN_DATA_DOUBLE;
  const cudnnStatus_t status =
      convolve(name, direction, handle, o, x, w, y, wide ? static_cast<const void*>(&one) : &one_float,
               wide ? static_cast<const void*>(&zero) : &zero_float, 0, workspace, workspace_bytes);
  if (status != CUDNN_STATUS_SUCCESS) return status;
  if (const cudaError_t error = cudaStreamSynchronize(handle->stream); error != cudaSuccess)
    return refuse(CUDNN_STATUS_EXECUTION_FAILED, name, cudaGetErrorString(error));
  if (*count == kAlgorithms && workspace_bytes >= kWorkspace) std::swap(results[0], results[1]);
  for (int i = 0; i < *count; ++i) {
    results[i].time = static_cast<float>(i + 1);
    if (results[i].memory > workspace_bytes) results[i].status = CUDNN_STATUS_NOT_SUPPORTED;
  }
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace cuda_sim

using namespace cuda_sim;

extern "C" {

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) {
  *handle = new cudnnContext;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) {
  delete handle;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  if (!handle) return refuse(CUDNN_STATUS_BAD_PARAM, "cudnnSetStream", "no handle");
  handle->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
// The reason for this thread's latest refusal.
const char* cudnnGetErrorString(cudnnStatus_t status) {
  return status == CUDNN_STATUS_SUCCESS ? "CUDNN_STATUS_SUCCESS" : t_refusal.c_str();
}

#define CUDA_SIM_DESCRIPTOR(Name)                                                     \
  cudnnStatus_t cudnnCreate##Name##Descriptor(cudnn##Name##Descriptor_t* descriptor) { \
    *descriptor = new cudnn##Name##Struct;                                            \
    return CUDNN_STATUS_SUCCESS;                                                      \
  }                                                                                   \
  cudnnStatus_t cudnnDestroy##Name##Descriptor(cudnn##Name##Descriptor_t descriptor) { \
    delete descriptor;                                                                \
    return CUDNN_STATUS_SUCCESS;                                                      \
  }
CUDA_SIM_DESCRIPTOR(Tensor)
CUDA_SIM_DESCRIPTOR(Filter)
CUDA_SIM_DESCRIPTOR(Convolution)
#undef CUDA_SIM_DESCRIPTOR

cudnnStatus_t cudnnSetTensorNdDescriptor(cudnnTensorDescriptor_t tensor, cudnnDataType_t type, int dims, const int sizes[],
                                         const int strides[]) {
  if (dims < 4 || dims > 5) {
    return refuse(CUDNN_STATUS_NOT_SUPPORTED, "cudnnSetTensorNdDescriptor", "the simulator takes 4 or 5 dimensions");
  }
  if (type != CUDNN_DATA_FLOAT && type != CUDNN_DATA_DOUBLE)
    return refuse(CUDNN_STATUS_NOT_SUPPORTED, "cudnnSetTensorNdDescriptor", "the simulator knows float and double");
  if (*std::min_element(sizes, sizes + dims) < 1) return refuse(CUDNN_STATUS_BAD_PARAM, "cudnnSetTensorNdDescriptor", "a size below 1");
  *tensor = {type, {sizes, sizes + dims}, {strides, strides + dims}};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetFilterNdDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type, cudnnTensorFormat_t format, int dims,
                                         const int sizes[]) {
  if (format != CUDNN_TENSOR_NCHW) return refuse(CUDNN_STATUS_NOT_SUPPORTED, "cudnnSetFilterNdDescriptor", "the simulator takes NCHW only");
  if (*std::min_element(sizes, sizes + dims) < 1) return refuse(CUDNN_STATUS_BAD_PARAM, "cudnnSetFilterNdDescriptor", "a size below 1");
  *filter = {type, {sizes, sizes + dims}};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionNdDescriptor(cudnnConvolutionDescriptor_t convolution, int dims, const int padding[], const int stride[],
                                              const int dilation[], cudnnConvolutionMode_t mode, cudnnDataType_t type) {
  if (mode != CUDNN_CROSS_CORRELATION)
    return refuse(CUDNN_STATUS_NOT_SUPPORTED, "cudnnSetConvolutionNdDescriptor", "the simulator does cross-correlation only");
  if (*std::min_element(padding, padding + dims) < 0 || *std::min_element(stride, stride + dims) < 1 ||
      *std::min_element(dilation, dilation + dims) < 1)
    return refuse(CUDNN_STATUS_BAD_PARAM, "cudnnSetConvolutionNdDescriptor", "a padding below 0, a stride or a dilation below 1");
  convolution->type = type;
  convolution->padding.assign(padding, padding + dims);
  convolution->stride.assign(stride, stride + dims);
  convolution->dilation.assign(dilation, dilation + dims);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convolution, int groups) {
  convolution->groups = groups;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution, cudnnMathType_t math) {
  convolution->math = math;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const cudnnFilterDescriptor_t w,
                                                     const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y,
                                                     const int wanted, int* count, cudnnConvolutionFwdAlgoPerf_t* results) {
  return choices("cudnnGetConvolutionForwardAlgorithm", Direction::kForward, handle, {x, w, y, convolution}, wanted, count, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardDataAlgorithm_v7(cudnnHandle_t handle, const cudnnFilterDescriptor_t w,
                                                          const cudnnTensorDescriptor_t y, const cudnnConvolutionDescriptor_t convolution,
                                                          const cudnnTensorDescriptor_t x, const int wanted, int* count,
                                                          cudnnConvolutionBwdDataAlgoPerf_t* results) {
  return choices("cudnnGetConvolutionBackwardDataAlgorithm", Direction::kData, handle, {x, w, y, convolution}, wanted, count, results);
}
cudnnStatus_t cudnnGetConvolutionBackwardFilterAlgorithm_v7(cudnnHandle_t handle, const cudnnTensorDescriptor_t x,
                                                            const cudnnTensorDescriptor_t y, const cudnnConvolutionDescriptor_t convolution,
                                                            const cudnnFilterDescriptor_t w, const int wanted, int* count,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t* results) {
  return choices("cudnnGetConvolutionBackwardFilterAlgorithm", Direction::kFilter, handle, {x, w, y, convolution}, wanted, count, results);
}

cudnnStatus_t cudnnFindConvolutionForwardAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const void* x_data,
                                                     const cudnnFilterDescriptor_t w, const void* w_data,
                                                     const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t y,
                                                     void* y_data, const int wanted, int* count, cudnnConvolutionFwdAlgoPerf_t* results,
                                                     void* workspace, size_t bytes) {
  return measured("cudnnFindConvolutionForwardAlgorithmEx", Direction::kForward, handle, {x, w, y, convolution}, x_data, w_data, y_data,
                  wanted, count, results, workspace, bytes);
}
cudnnStatus_t cudnnFindConvolutionBackwardDataAlgorithmEx(cudnnHandle_t handle, const cudnnFilterDescriptor_t w, const void* w_data,
                                                          const cudnnTensorDescriptor_t y, const void* y_data,
                                                          const cudnnConvolutionDescriptor_t convolution, const cudnnTensorDescriptor_t x,
                                                          void* x_data, const int wanted, int* count,
                                                          cudnnConvolutionBwdDataAlgoPerf_t* results, void* workspace, size_t bytes) {
  return measured("cudnnFindConvolutionBackwardDataAlgorithmEx", Direction::kData, handle, {x, w, y, convolution}, x_data, w_data, y_data,
                  wanted, count, results, workspace, bytes);
}
cudnnStatus_t cudnnFindConvolutionBackwardFilterAlgorithmEx(cudnnHandle_t handle, const cudnnTensorDescriptor_t x, const void* x_data,
                                                            const cudnnTensorDescriptor_t y, const void* y_data,
                                                            const cudnnConvolutionDescriptor_t convolution, const cudnnFilterDescriptor_t w,
                                                            void* w_data, const int wanted, int* count,
                                                            cudnnConvolutionBwdFilterAlgoPerf_t* results, void* workspace, size_t bytes) {
  return measured("cudnnFindConvolutionBackwardFilterAlgorithmEx", Direction::kFilter, handle, {x, w, y, convolution}, x_data, w_data,
                  y_data, wanted, count, results, workspace, bytes);
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void* alpha, const cudnnTensorDescriptor_t x, const void* x_data,
                                      const cudnnFilterDescriptor_t w, const void* w_data, const cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void* workspace, size_t bytes, const void* beta,
                                      const cudnnTensorDescriptor_t y, void* y_data) {
  return convolve("cudnnConvolutionForward", Direction::kForward, handle, {x, w, y, convolution}, x_data, w_data, y_data, alpha, beta,
                  algorithm, workspace, bytes);
}
cudnnStatus_t cudnnConvolutionBackwardData(cudnnHandle_t handle, const void* alpha, const cudnnFilterDescriptor_t w, const void* w_data,
                                           const cudnnTensorDescriptor_t y, const void* y_data,
                                           const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionBwdDataAlgo_t algorithm,
                                           void* workspace, size_t bytes, const void* beta, const cudnnTensorDescriptor_t x, void* x_data) {
  return convolve("cudnnConvolutionBackwardData", Direction::kData, handle, {x, w, y, convolution}, x_data, w_data, y_data, alpha, beta,
                  algorithm, workspace, bytes);
}
cudnnStatus_t cudnnConvolutionBackwardFilter(cudnnHandle_t handle, const void* alpha, const cudnnTensorDescriptor_t x, const void* x_data,
                                             const cudnnTensorDescriptor_t y, const void* y_data,
                                             const cudnnConvolutionDescriptor_t convolution, cudnnConvolutionBwdFilterAlgo_t algorithm,
                                             void* workspace, size_t bytes, const void* beta, const cudnnFilterDescriptor_t w,
                                             void* w_data) {
  return convolve("cudnnConvolutionBackwardFilter", Direction::kFilter, handle, {x, w, y, convolution}, x_data, w_data, y_data, alpha, beta,
                  algorithm, workspace, bytes);
}

// y = alpha bias + beta y, where the bias has one value for each channel.
cudnnStatus_t cudnnAddTensor(cudnnHandle_t handle, const void* alpha, const cudnnTensorDescriptor_t bias, const void* bias_data,
                             const void* beta, const cudnnTensorDescriptor_t y, void* y_data) {
  static constexpr const char* kName = "cudnnAddTensor";
  std::lock_guard lock(runtime_lock());
  if (!handle || !bias || !y) return refuse(CUDNN_STATUS_BAD_PARAM, kName, "a handle or a descriptor is null");
  const int64_t channels = y->sizes[1], n = product(y->sizes), plane = n / channels / y->sizes[0];
  if (bias->type != y->type || bias->sizes.size() != y->sizes.size() || bias->sizes[1] != channels || product(bias->sizes) != channels)
    return refuse(CUDNN_STATUS_NOT_SUPPORTED, kName, "the simulator adds one value for each channel only");
  const double a = factor(alpha, y->type), b = factor(beta, y->type);
  const cudnnDataType_t type = y->type;
  return enqueue(kName, handle->stream, [=] {
    if (!is_there(kName, "the bias", bias_data, static_cast<size_t>(channels) * size_of(type)) ||
        !is_there(kName, "y", y_data, static_cast<size_t>(n) * size_of(type)))
      return;
    OpenMemory open;
    const auto add = [&](auto* to, const auto* from) {
      for (int64_t i = 0; i < n; ++i) to[i] = static_cast<std::decay_t<decltype(*to)>>(a * from[i / plane % channels] + b * to[i]);
    };
    if (type == CUDNN_DATA_DOUBLE) add(static_cast<double*>(y_data), static_cast<const double*>(bias_data));
    else add(static_cast<float*>(y_data), static_cast<const float*>(bias_data));
  });
}

}  // extern "C"
