// The helpers of c10 and torch that programs use apart from tensors.
#include <ATen/from_file.h>
#include <c10/util/Logging.h>
#include <c10/util/accumulate.h>
#include <c10/util/flat_hash_map.h>
#include <c10/util/intrusive_ptr.h>
#include <c10/util/irange.h>
#include <c10/util/tempfile.h>
#include <torch/csrc/utils/memory.h>
#include <torch/csrc/utils/tensor_flatten.h>
#include <torch/detail/static.h>

#include <fstream>

#include "gtest/gtest.h"

namespace {

TEST(Logging, WritesWhatIsSevereEnough) {
  testing::internal::CaptureStderr();
  int evaluated = 0;
  LOG(WARNING) << "one" << ++evaluated;
  LOG(INFO) << ++evaluated;
  LOG_IF(ERROR, evaluated == 1) << "two";
  LOG_IF(ERROR, evaluated == 2) << ++evaluated;
  VLOG(1) << ++evaluated;
  CHECK(evaluated == 1) << ++evaluated;
  if (evaluated == 2) CHECK(evaluated == 2);
  else ++evaluated;
  const std::string text = testing::internal::GetCapturedStderr();
  EXPECT_EQ(evaluated, 1 + 1);
  EXPECT_TRUE(text.starts_with("[W util_test.cc:")) << text;
  EXPECT_NE(text.find("] one1\n[E util_test.cc:"), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("] two\n")) << text;
}

TEST(LoggingDeathTest, ACheckThatFailsEndsTheProgram) {
  EXPECT_DEATH(CHECK(1 > 2) << "so " << 3, "F util_test.cc:[0-9]+\\] Check failed: 1 > 2 so 3");
}

TEST(Irange, CountsUpToItsEnd) {
  std::vector<int64_t> seen;
  for (const auto i : c10::irange(3)) seen.push_back(i);
  for (const auto i : c10::irange(-1, 2)) seen.push_back(i);
  EXPECT_EQ(seen, (std::vector<int64_t>{0, 1, 2, -1, 0, 1}));
  for (const auto i : c10::irange(-3)) ADD_FAILURE() << i;
  for (const auto i : c10::irange(5, 4)) ADD_FAILURE() << i;
  static_assert(std::is_same_v<decltype(*c10::irange(size_t{2}).begin()), size_t>);
}

struct Base : c10::intrusive_ptr_target {
  explicit Base(int* count) : alive(count) { ++*alive; }
  ~Base() override { --*alive; }
  int* alive;
};
struct Derived : Base {
  using Base::Base;
};

TEST(IntrusivePtr, CountsInTheObject) {
  int alive = 0;
  c10::intrusive_ptr<Base> a = c10::make_intrusive<Derived>(&alive);
  EXPECT_TRUE(a.unique());
  {
    const c10::intrusive_ptr<Base> b = a;
    EXPECT_EQ(a.use_count(), 2u);
    EXPECT_TRUE(a == b);
    EXPECT_EQ(alive, 1);
  }
  Base* object = a.release();
  EXPECT_FALSE(a);
  EXPECT_TRUE(a == nullptr);
  a = c10::intrusive_ptr<Base>::reclaim(object);
  EXPECT_EQ(c10::dynamic_intrusive_pointer_cast<Derived>(a).get(), object);
  EXPECT_EQ(a.use_count(), 1u);
  a.reset();
  EXPECT_EQ(alive, 0);
  struct Held : torch::CustomClassHolder { int x = 5; };
  EXPECT_EQ(c10::make_intrusive<Held>()->x, 5);
}

TEST(TempFile, IsGoneWithItsOwner) {
  std::string path;
  {
    c10::TempFile first = c10::make_tempfile();
    c10::TempFile file = std::move(first);
    path = file.name;
    EXPECT_TRUE(first.name.empty());
    EXPECT_NE(path.find("torch-file-"), std::string::npos);
    std::ofstream(path) << "x";
    EXPECT_TRUE(std::ifstream(path).good());
  }
  EXPECT_FALSE(std::ifstream(path).good());
  const c10::TempDir folder = c10::make_tempdir("own-");
  EXPECT_NE(folder.name.find("own-"), std::string::npos);
}

TEST(Maps, AreMaps) {
  ska::flat_hash_map<std::string, int> map{{"a", 1}};
  map["b"] = 2;
  EXPECT_EQ(map.size(), 2u);
  EXPECT_EQ(map.at("b"), 2);
}

TEST(Variadic, Helpers) {
  static_assert(torch::all_of<>::value && torch::all_of<true, true>::value && !torch::all_of<true, false>::value);
  static_assert(!torch::any_of<>::value && torch::any_of<false, true>::value);
  int sum = 0;
  torch::apply([&](int x) { sum = 10 * sum + x; }, 1, 2, 3);
  EXPECT_EQ(sum, 123);
  const std::vector<torch::Tensor> list{torch::ones({1}), torch::ones({1})};
  EXPECT_EQ(torch::count_tensors(list, 5, torch::ones({1})), 3u);
  const auto numbers = torch::unpack<std::vector<double>, int, double>(
      [](int a, double b) { return std::vector<double>{static_cast<double>(a), b}; },
      []<class T>(size_t i) { return static_cast<T>(i + 1); });
  EXPECT_EQ(numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(*torch::make_unique<int>(4), 4);
}

struct Forward : torch::nn::Module {
  float forward(const torch::Tensor&, int) { return 1; }
};
struct NoForward : torch::nn::Module {};

TEST(Static, ModulesAndTheirForward) {
  namespace detail = torch::detail;
  static_assert(detail::is_module<Forward&>::value && !detail::is_module<int>::value);
  static_assert(detail::has_forward<Forward>::value && !detail::has_forward<NoForward>::value);
  static_assert(std::is_same_v<detail::return_type_of_forward_t<Forward, torch::Tensor, int>, float>);
  static_assert(std::is_void_v<detail::return_type_of_forward_t<NoForward>>);
  static_assert(detail::check_not_lvalue_references<int, const int&>() && !detail::check_not_lvalue_references<int, int&>());
  static_assert(std::is_same_v<detail::enable_if_module_t<Forward, int>, int>);
}

TEST(TensorFlatten, ThereAndBack) {
  const std::vector<torch::Tensor> tensors{torch::arange(6).view({2, 3}), torch::empty({0}, torch::kLong), torch::tensor(9)};
  const torch::Tensor flat = torch::utils::flatten_dense_tensors(tensors);
  EXPECT_TRUE(flat.equal(torch::tensor({0, 1, 2, 3, 4, 5, 9})));
  const std::vector<torch::Tensor> parts = torch::utils::unflatten_dense_tensors(flat, tensors);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_TRUE(parts[0].equal(tensors[0]));
  EXPECT_TRUE(parts[0].is_alias_of(flat));
  EXPECT_EQ(parts[1].numel(), 0);
  EXPECT_FALSE(parts[1].is_alias_of(flat));
  EXPECT_TRUE(parts[2].equal(tensors[2]));
}

TEST(Accumulate, SumsAndProducts) {
  const std::vector<int> shape{100000, 3, 100000};
  EXPECT_EQ(c10::multiply_integers(shape), 30000000000);
  EXPECT_EQ(c10::sum_integers(shape.begin(), shape.end()), 200003);
  EXPECT_EQ(c10::multiply_integers(c10::IntArrayRef()), 1);
  EXPECT_EQ(c10::numelements_from_dim(1, shape), 300000);
  EXPECT_EQ(c10::numelements_from_dim(4, shape), 1);
  EXPECT_EQ(c10::numelements_to_dim(2, shape), 300000);
  EXPECT_EQ(c10::numelements_between_dim(2, 1, shape), 3);
}

TEST(FromFile, PrivateAndShared) {
  const c10::TempFile file = c10::make_tempfile("wick");
  const std::vector<float> numbers{1, 2, 3};
  std::ofstream(file.name, std::ios::binary).write(reinterpret_cast<const char*>(numbers.data()), 12);
  const auto sum = [&] { return at::from_file(file.name, false, 3, torch::kFloat).sum().item<float>(); };
  torch::Tensor own = at::from_file(file.name, false, 2, torch::kFloat);
  own.fill_(10);
  EXPECT_EQ(sum(), 6);
  at::from_file(file.name, true, 4, torch::kFloat).fill_(5);
  EXPECT_EQ(sum(), 15);
  EXPECT_EQ(at::from_file(file.name, false, 0).numel(), 0);
  EXPECT_EQ(own.sum().item<float>(), 20);
  EXPECT_THROW(at::from_file(file.name, false, 5, torch::kFloat), c10::Error);
  EXPECT_THROW(at::from_file(file.name, false, -1, torch::kFloat), c10::Error);
  EXPECT_THROW(at::from_file(file.name, true, INT64_MAX, torch::kFloat), c10::Error);
  EXPECT_THROW(at::from_file(file.name + ".absent", false, 1, torch::kFloat), c10::Error);
}

}  // namespace
