// Convolutions by cuDNN.
//
// Which algorithm is taken is asked once for each shape, since the answer takes longer than a small convolution. What cuDNN does not take
// (padding of one end only, tensors of 2^31 elements and more) and what no algorithm is allowed for goes to plain kernels.
#include <cudnn.h>

#include <algorithm>
#include <array>
#include <climits>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "wick/framework/core/deterministic.h"
#include "wick/framework/core/dtype.h"
#include "wick/framework/cuda/cudnn.h"
#include "wick/framework/cuda/install.h"
#include "wick/framework/cuda/kernels/conv.h"
#include "wick/framework/cuda/runtime/check.h"
#include "wick/framework/cuda/runtime/graph.h"
#include "wick/framework/cuda/runtime/scratch.h"
#include "wick/framework/cuda/stream.h"

namespace wick::cuda {
namespace {

void check_cudnn(cudnnStatus_t status, const char* what) {
  WICK_CHECK(status == CUDNN_STATUS_SUCCESS, "cuDNN error: ", cudnnGetErrorString(status), "\n  when calling `", what, "`");
}

// ---- Descriptors ----------------------------------------------------------------------------------------------------------------------

using Ints = std::vector<int>;

// The sizes of a dense tensor, and how far its elements lie apart.
Ints dense_strides(const Ints& sizes) {
  Ints strides(sizes.size(), 1);
  for (size_t d = sizes.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * sizes[d];
  return strides;
}

// A convolution in cuDNN's terms.
struct Descriptors {
  cudnnTensorDescriptor_t x = nullptr, y = nullptr, bias = nullptr;
  cudnnFilterDescriptor_t w = nullptr;
  cudnnConvolutionDescriptor_t convolution = nullptr;

  Descriptors() = default;
  // By way of the constructor without arguments, so that what was made is destroyed where a later step throws.
  Descriptors(const ConvShape& s, ScalarType dtype) : Descriptors() {
    // cuDNN has two dimensions or three.
    const bool flat = s.input[0] == 1 && s.kernel[0] == 1 && s.output[0] == 1 && s.padding[0] == 0;
    const int first = flat ? 1 : 0, dims = kConvDims - first;
    const cudnnDataType_t type = dtype == kDouble ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    const auto sizes = [&](int64_t a, int64_t b, const int64_t* tail) {
      Ints list{static_cast<int>(a), static_cast<int>(b)};
      for (int d = first; d < kConvDims; ++d) list.push_back(static_cast<int>(tail[d]));
      return list;
    };
    static constexpr int64_t kOnes[kConvDims] = {1, 1, 1};
    make(x, type, sizes(s.batch, s.in_channels, s.input));
    make(y, type, sizes(s.batch, s.out_channels, s.output));
    make(bias, type, sizes(1, s.out_channels, kOnes));
    check_cudnn(cudnnCreateFilterDescriptor(&w), "cudnnCreateFilterDescriptor");
    const Ints kernel = sizes(s.out_channels, s.in_channels / s.groups, s.kernel);
    check_cudnn(cudnnSetFilterNdDescriptor(w, type, CUDNN_TENSOR_NCHW, static_cast<int>(kernel.size()), kernel.data()),
                "cudnnSetFilterNdDescriptor");
    check_cudnn(cudnnCreateConvolutionDescriptor(&convolution), "cudnnCreateConvolutionDescriptor");
    const Ints padding = sizes(0, 0, s.padding), stride = sizes(0, 0, s.stride), dilation = sizes(0, 0, s.dilation);
    check_cudnn(cudnnSetConvolutionNdDescriptor(convolution, dims, padding.data() + 2, stride.data() + 2, dilation.data() + 2,
                                                CUDNN_CROSS_CORRELATION, type),
                "cudnnSetConvolutionNdDescriptor");
    check_cudnn(cudnnSetConvolutionGroupCount(convolution, static_cast<int>(s.groups)), "cudnnSetConvolutionGroupCount");
  }
  ~Descriptors() {
    for (const cudnnTensorDescriptor_t tensor : {x, y, bias}) static_cast<void>(cudnnDestroyTensorDescriptor(tensor));
    static_cast<void>(cudnnDestroyFilterDescriptor(w));
    static_cast<void>(cudnnDestroyConvolutionDescriptor(convolution));
  }
  Descriptors(const Descriptors&) = delete;
  Descriptors& operator=(const Descriptors&) = delete;

 private:
  static void make(cudnnTensorDescriptor_t& tensor, cudnnDataType_t type, const Ints& sizes) {
    check_cudnn(cudnnCreateTensorDescriptor(&tensor), "cudnnCreateTensorDescriptor");
    check_cudnn(cudnnSetTensorNdDescriptor(tensor, type, static_cast<int>(sizes.size()), sizes.data(), dense_strides(sizes).data()),
                "cudnnSetTensorNdDescriptor");
  }
};

// ---- The three directions -------------------------------------------------------------------------------------------------------------

// cuDNN names the two factors and the result in this order, whichever they are.
struct Forward {
  using Choice = cudnnConvolutionFwdAlgoPerf_t;
  static constexpr const char* kName = "cudnnConvolutionForward";
  static constexpr auto propose = cudnnGetConvolutionForwardAlgorithm_v7;
  static constexpr auto measure = cudnnFindConvolutionForwardAlgorithmEx;
  static constexpr auto run = cudnnConvolutionForward;
  static constexpr auto plain = plain_conv_forward;
  static constexpr int kFirst = 1, kSecond = 2;  // of the buffers
  static auto first(const Descriptors& d) { return d.x; }
  static auto second(const Descriptors& d) { return d.w; }
  static auto result(const Descriptors& d) { return d.y; }
};
struct BackwardInput {
  using Choice = cudnnConvolutionBwdDataAlgoPerf_t;
  static constexpr const char* kName = "cudnnConvolutionBackwardData";
  static constexpr auto propose = cudnnGetConvolutionBackwardDataAlgorithm_v7;
  static constexpr auto measure = cudnnFindConvolutionBackwardDataAlgorithmEx;
  static constexpr auto run = cudnnConvolutionBackwardData;
  static constexpr auto plain = plain_conv_backward_input;
  static constexpr int kFirst = 2, kSecond = 1;
  static auto first(const Descriptors& d) { return d.w; }
  static auto second(const Descriptors& d) { return d.y; }
  static auto result(const Descriptors& d) { return d.x; }
};
struct BackwardWeight {
  using Choice = cudnnConvolutionBwdFilterAlgoPerf_t;
  static constexpr const char* kName = "cudnnConvolutionBackwardFilter";
  static constexpr auto propose = cudnnGetConvolutionBackwardFilterAlgorithm_v7;
  static constexpr auto measure = cudnnFindConvolutionBackwardFilterAlgorithmEx;
  static constexpr auto run = cudnnConvolutionBackwardFilter;
  static constexpr auto plain = plain_conv_backward_weight;
  static constexpr int kFirst = 1, kSecond = 2;
  static auto first(const Descriptors& d) { return d.x; }
  static auto second(const Descriptors& d) { return d.y; }
  static auto result(const Descriptors& d) { return d.w; }
};

// ---- Choosing an algorithm ------------------------------------------------------------------------------------------------------------

template <class Direction>
struct Plan {
  Descriptors descriptors;
  typename Direction::Choice choice = {};
  bool found = false;
};

struct Settings {
  bool benchmark, deterministic, tf32;
  size_t workspace_limit;

  // Which algorithm is fastest may change from run to run.
  Settings() : benchmark(cudnn_benchmark() && !is_deterministic()), deterministic(cudnn_deterministic() || is_deterministic()),
               tf32(cudnn_allow_tf32()), workspace_limit(cudnn_workspace_limit()) {}
};

constexpr int kMaxChoices = 16;

template <class Choice>
bool allowed(const Choice& c, const Settings& settings) {
  return c.status == CUDNN_STATUS_SUCCESS && c.memory <= settings.workspace_limit &&
         (!settings.deterministic || c.determinism == CUDNN_DETERMINISTIC);
}

template <class Direction>
void choose(Plan<Direction>& plan, cudnnHandle_t handle, const ConvArgs& args, const Settings& settings, cudaStream_t stream) {
  using Choice = typename Direction::Choice;
  const Descriptors& d = plan.descriptors;
  std::array<Choice, kMaxChoices> choices{};
  int count = 0;
  check_cudnn(cudnnSetConvolutionMathType(d.convolution, settings.tf32 ? CUDNN_DEFAULT_MATH : CUDNN_FMA_MATH),
              "cudnnSetConvolutionMathType");
  if (Direction::propose(handle, Direction::first(d), Direction::second(d), d.convolution, Direction::result(d), kMaxChoices, &count,
                         choices.data()) != CUDNN_STATUS_SUCCESS) {
    return;
  }
  if (settings.benchmark && !is_capturing()) {
    size_t most = 0;
    for (int i = 0; i < count; ++i) {
      if (allowed(choices[i], settings)) most = std::max(most, choices[i].memory);
    }
    const Scratch workspace(std::max<size_t>(most, 1), stream);
    const auto status = Direction::measure(handle, Direction::first(d), args.buffers[Direction::kFirst].data, Direction::second(d),
                                           args.buffers[Direction::kSecond].data, d.convolution, Direction::result(d), args.buffers[0].data,
                                           kMaxChoices, &count, choices.data(), workspace.as<void>(), most);
    check_cudnn(status, "cudnnFindConvolution...AlgorithmEx");
  }
  // The best comes first.
  for (int i = 0; i < count && !plan.found; ++i) {
    plan.found = allowed(choices[i], settings);
    plan.choice = choices[i];
  }
  if (plan.found) check_cudnn(cudnnSetConvolutionMathType(d.convolution, plan.choice.mathType), "cudnnSetConvolutionMathType");
}

// ---- Handles and plans ----------------------------------------------------------------------------------------------------------------

constexpr size_t kShapeNumbers = sizeof(ConvShape) / sizeof(int64_t);
static_assert(sizeof(ConvShape) % sizeof(int64_t) == 0);
using Key = std::array<int64_t, kShapeNumbers + 4>;

Key key_of(const ConvArgs& args, const Settings& settings, int device) {
  Key key;
  __builtin_memcpy(key.data(), &args.shape, sizeof args.shape);
  key[kShapeNumbers] = static_cast<int64_t>(args.dtype);
  key[kShapeNumbers + 1] = settings.benchmark | settings.deterministic << 1 | settings.tf32 << 2;
  key[kShapeNumbers + 2] = static_cast<int64_t>(settings.workspace_limit);
  key[kShapeNumbers + 3] = device;
  return key;
}

std::mutex& library_mutex() {  // held while a call is enqueued
  static std::mutex& mutex = *new std::mutex;
  return mutex;
}

// Handles and plans are never destroyed: the driver may be gone before the destructors of static objects run.
cudnnHandle_t handle_of(int device, cudaStream_t stream) {
  static auto& handles = *new std::map<std::pair<int, cudaStream_t>, cudnnHandle_t>;
  cudnnHandle_t& handle = handles[{device, stream}];
  if (handle) return handle;
  // It may allocate, which a capture on this thread would forbid otherwise.
  cudaStreamCaptureMode mode = cudaStreamCaptureModeRelaxed;
  check(cudaThreadExchangeStreamCaptureMode(&mode), "cudaThreadExchangeStreamCaptureMode");
  const cudnnStatus_t status = cudnnCreate(&handle);
  check(cudaThreadExchangeStreamCaptureMode(&mode), "cudaThreadExchangeStreamCaptureMode");
  check_cudnn(status, "cudnnCreate");
  check_cudnn(cudnnSetStream(handle, stream), "cudnnSetStream");
  return handle;
}

template <class Direction>
const Plan<Direction>& plan_of(cudnnHandle_t handle, const ConvArgs& args, int device, cudaStream_t stream) {
  static auto& plans = *new std::map<Key, std::unique_ptr<Plan<Direction>>>;
  constexpr size_t kMaxPlans = 4096;  // shapes that change with every batch must not pile up
  const Settings settings;
  const Key key = key_of(args, settings, device);
  if (const auto at = plans.find(key); at != plans.end()) return *at->second;
  if (plans.size() >= kMaxPlans) plans.clear();
  std::unique_ptr<Plan<Direction>> plan(new Plan<Direction>{Descriptors(args.shape, args.dtype)});
  choose(*plan, handle, args, settings, stream);
  return *(plans[key] = std::move(plan));
}

// ---- The slots ------------------------------------------------------------------------------------------------------------------------

// Whether cuDNN can express it: sizes that fit an int, and the same padding at both ends.
bool suits_cudnn(const ConvShape& s) {
  for (int d = 0; d < kConvDims; ++d) {
    const int64_t reach = (s.kernel[d] - 1) * s.dilation[d] + 1;
    if ((s.input[d] + 2 * s.padding[d] - reach) / s.stride[d] + 1 != s.output[d]) return false;
    if (std::max({s.stride[d], s.dilation[d], s.padding[d]}) > INT_MAX) return false;
  }
  const int64_t weights = s.out_channels * (s.in_channels / s.groups) * s.kernel_size();
  return std::max({s.batch * s.in_channels * s.input_size(), s.batch * s.out_channels * s.output_size(), weights}) <= INT_MAX;
}

template <class Direction>
bool run_by_cudnn(const ConvArgs& args) {
  const cudaStream_t stream = current_stream();
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const std::lock_guard lock(library_mutex());
  const cudnnHandle_t handle = handle_of(device, stream);
  const Plan<Direction>& plan = plan_of<Direction>(handle, args, device, stream);
  if (!plan.found) return false;
  const Descriptors& d = plan.descriptors;
  const double one = 1, zero = 0;
  const float one_float = 1, zero_float = 0;
  const bool wide = args.dtype == kDouble;
  const void* const alpha = wide ? static_cast<const void*>(&one) : &one_float;
  const void* const beta = wide ? static_cast<const void*>(&zero) : &zero_float;
  const Scratch workspace(std::max<size_t>(plan.choice.memory, 1), stream);
  check_cudnn(Direction::run(handle, alpha, Direction::first(d), args.buffers[Direction::kFirst].data, Direction::second(d),
                             args.buffers[Direction::kSecond].data, d.convolution, plan.choice.algo, workspace.as<void>(),
                             plan.choice.memory, beta, Direction::result(d), args.buffers[0].data),
              Direction::kName);
  if (args.buffers[3].data) {
    check_cudnn(cudnnAddTensor(handle, alpha, d.bias, args.buffers[3].data, alpha, d.y, args.buffers[0].data), "cudnnAddTensor");
  }
  note_launch(Direction::kName, stream);
  return true;
}

template <class Direction>
void run_convolution(const KernelInfo&, const void* raw_args) {
  ConvArgs args = *static_cast<const ConvArgs*>(raw_args);
  if (!std::is_same_v<Direction, Forward>) args.buffers[3].data = nullptr;
  if (cudnn_enabled() && suits_cudnn(args.shape) && run_by_cudnn<Direction>(args)) return;
  Direction::plain(args);
}

}  // namespace

void install_conv() {
  conv_forward_kernel.cuda = run_convolution<Forward>;
  conv_backward_input_kernel.cuda = run_convolution<BackwardInput>;
  conv_backward_weight_kernel.cuda = run_convolution<BackwardWeight>;
}

}  // namespace wick::cuda
