// Tensors from the ground up: creating them, devices, arithmetic, reductions, products, shapes, indexing, and the way to and from
// ordinary C++ containers.
//
//   bazelw run //examples:tensor_operations -- --help
#include <chrono>
#include <iostream>
#include <vector>

#include "wick/examples/example.h"

using namespace wick;
using indexing::Ellipsis;
using indexing::None;
using indexing::Slice;

namespace {

examples::Words say;

void heading(const char* english, const char* chinese) { std::cout << "\n--- " << say(english, chinese) << " ---\n"; }

std::string shape(const Tensor& x) {
  std::string text = "torch.Size([";
  for (int64_t d = 0; d < x.dim(); ++d) text += (d ? ", " : "") + std::to_string(x.size(d));
  return text + "])";
}

void create() {
  heading("Creating tensors", "创建张量");
  std::cout << say("from a list: ", "从列表创建: ") << tensor({1, 2, 3, 4}) << "\n";
  std::cout << say("zeros:\n", "全零张量:\n") << zeros({3, 4}) << "\n";
  std::cout << say("shape of ones: ", "全一张量形状: ") << shape(ones({2, 3, 4})) << "\n";
  std::cout << say("random:\n", "随机张量:\n") << randn({3, 3}) << "\n";
  std::cout << say("identity:\n", "单位矩阵:\n") << eye(4) << "\n";
  std::vector<int64_t> numbers{1, 2, 3};
  std::cout << say("from memory of ours, not copied: ", "从NumPy创建: ") << from_blob(numbers.data(), {3}, kLong) << "\n";
  std::cout << say("dimensions of a scalar, a vector, a matrix, an RGB picture, a batch of them:", "标量、向量、矩阵、RGB图像、批量图像的维数:");
  for (const Tensor& x : {tensor(5), tensor({1, 2, 3}), tensor({{1, 2}, {3, 4}}), zeros({32, 48, 3}), zeros({8, 3, 32, 48})}) {
    std::cout << ' ' << x.dim();
  }
  std::cout << "\n";
}

void devices(Device device) {
  heading("Devices", "设备管理");
  std::cout << say("CUDA available: ", "CUDA可用: ") << (cuda::is_available() ? "True" : "False") << "\n";
  if (cuda::is_available()) std::cout << say("number of GPUs: ", "GPU数量: ") << cuda::device_count() << "\n";
  else std::cout << say("no GPU found, the CPU will do", "未检测到GPU,将使用CPU运行") << "\n";
  std::cout << say("device in use: ", "使用设备: ") << device << "\n";
  const Tensor x = randn({3, 3});
  std::cout << say("a tensor begins on: ", "张量初始设备: ") << x.device() << "\n";
  const Tensor moved = x.to(device);
  std::cout << say("after .to(device): ", "移动后设备: ") << moved.device() << "\n";
  std::cout << say("made there at once: ", "直接创建在GPU: ") << randn({3, 3}, TensorOptions(device)).device() << "\n";
  if (cuda::is_available()) std::cout << say("by .cuda(): ", "使用.cuda(): ") << x.cuda().device() << "\n";
  std::cout << say("back by .cpu(): ", "移回CPU: ") << moved.cpu().device() << "\n";

  // Operands must be on one device. The meta device, which has shapes but no data, shows it on any machine.
  const Device other = cuda::is_available() ? Device(kCUDA) : Device(kMeta);
  try {
    x + ones({3, 3}, TensorOptions(other));
  } catch (const Error& error) {
    const std::string text = error.what();
    std::cout << say("mixed devices: ", "混合设备: ") << text.substr(0, text.find('\n')) << "\n";
  }
}

void arithmetic(Device device) {
  heading("Arithmetic", "张量运算");
  const Tensor x = tensor({{-1.f, 2.f, 3.f, 4.f}, {5.f, -6.f, 7.f, 8.f}, {9.f, 10.f, -11.f, 12.f}}).to(device);
  std::cout << "x:\n" << x << "\n";
  std::cout << "x + 1: " << (x + 1)[0] << "\nx - x / 2: " << (x - x / 2)[0] << "\nx * x: " << (x * x)[0] << "\n";
  std::cout << say("absolute:\n", "绝对值: ") << abs(x) << "\n";
  std::cout << say("exponential: ", "指数: ") << exp(x[0]) << "\n";
  std::cout << say("square root: ", "平方根: ") << sqrt(abs(x[0])) << "\n";
  std::cout << say("sum: ", "求和: ") << sum(x) << "\n" << say("mean: ", "均值: ") << mean(x) << "\n";
  std::cout << say("largest: ", "最大值: ") << max(x) << "\n" << say("smallest: ", "最小值: ") << min(x) << "\n";
  std::cout << say("sums of the rows: ", "按行求和: ") << sum(x, 1) << "\n";
  std::cout << say("sums of the columns: ", "按列求和: ") << sum(x, 0) << "\n";
  const auto [values, places] = max(x, 1);
  std::cout << say("largest of each row: ", "每行最大值: ") << values << say(" at ", " 位置 ") << places << "\n";
}

void shapes(Device device) {
  heading("Shapes", "形状");
  const Tensor a = randn({3, 4}, TensorOptions(device)), b = randn({4, 5}, TensorOptions(device));
  std::cout << say("matrix product: ", "矩阵乘法结果形状: ") << shape(matmul(a, b)) << "\n";
  std::cout << say("transposed: ", "转置后形状: ") << shape(a.T()) << "\n";
  std::cout << say("flattened: ", "展平后形状: ") << shape(a.reshape(12)) << "\n";
  std::cout << say("with a batch dimension: ", "增加批次维: ") << shape(a.unsqueeze(0)) << "\n";
  std::cout << say("a view shares its memory: ", "视图共享内存: ") << (a.T().is_alias_of(a) ? "True" : "False") << "\n";
}

void index(Device device) {
  heading("Indexing and slicing", "索引和切片");
  const Tensor x = arange(24, TensorOptions(device)).view({4, 6});
  std::cout << "x[1][2]: " << x[1][2] << "\n";
  std::cout << "x[1:3, ::2]:\n" << x.index({Slice(1, 3), Slice(None, None, 2)}) << "\n";
  std::cout << "x[..., -1]: " << x.index({Ellipsis, -1}) << "\n";
  std::cout << "x[x % 5 == 0]: " << x.index({x % 5 == 0}) << "\n";
  std::cout << "x[[0, 3]]:\n" << x.index({tensor({0, 3}, TensorOptions(device))}) << "\n";
  Tensor y = x.clone();
  y.index_put_({Slice(0, 2), Slice(0, 2)}, 100);
  y[3] = 0;
  std::cout << say("after y[:2, :2] = 100 and y[3] = 0:\n", "赋值之后:\n") << y << "\n";
}

void convert() {
  heading("To C++ and back", "与C++互相转换");
  const Tensor x = tensor({1, 2, 3});
  const std::vector<int64_t> copied(x.data_ptr<int64_t>(), x.data_ptr<int64_t>() + x.numel());
  std::cout << "std::vector:";
  for (const int64_t value : copied) std::cout << ' ' << value;
  std::vector<float> ours{1.5f, 2.5f};
  Tensor shared = from_blob(ours.data(), {2});
  shared += 1;
  std::cout << "\n" << say("written through the tensor: ", "通过张量写入: ") << ours[0] << ' ' << ours[1] << "\n";
  std::cout << say("one number: ", "单个数值: ") << x[1].item<int>() << "\n";
}

// The first product on a GPU pays for starting it; and a product is only over when the device says so.
void race(Device device, int64_t size) {
  heading("A product on the CPU and on the device", "矩阵乘法: CPU与GPU");
  const auto seconds = [&](const Tensor& a, const Tensor& b) {
    matmul(a, b);
    matmul(a, b)[0][0].item<float>();  // warm, and waits for the device
    const auto start = std::chrono::steady_clock::now();
    matmul(a, b)[0][0].item<float>();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const Tensor a = randn({size, size}), b = randn({size, size});
  const double cpu = seconds(a, b);
  std::printf(say("%lld x %lld on the CPU: %.4f s\n", "%lld x %lld CPU矩阵乘法时间: %.4f秒\n"), static_cast<long long>(size),
              static_cast<long long>(size), cpu);
  if (device.is_cpu()) return;
  const double there = seconds(a.to(device), b.to(device));
  std::printf(say("on %s: %.4f s, %.2f times as fast\n", "%s矩阵乘法时间: %.4f秒 加速比: %.2fx\n"), device.str().c_str(), there, cpu / there);
}

}  // namespace

int main(int argc, char** argv) {
  std::string device_name = "cpu";
  int64_t size = 1000;
  uint64_t seed = 0;
  return examples::main_of(
      "tensor_operations", "Creates tensors, computes with them, takes them apart.", argc, argv,
      [&](CLI::App& app) {
        app.add_option("--device", device_name, "cpu or cuda")->capture_default_str();
        app.add_option("--size", size, "of the matrices that are timed")->check(CLI::Range(1, 20000))->capture_default_str();
        app.add_option("--seed", seed, "of the random numbers; the same as torch.manual_seed")->capture_default_str();
        say.add_option(app);
      },
      [&] {
        const Device device = examples::device_named(device_name);
        manual_seed(seed);
        create();
        devices(device);
        arithmetic(device);
        shapes(device);
        index(device);
        convert();
        race(device, size);
        return 0;
      });
}
