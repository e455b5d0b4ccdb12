// at and c10 as programs use them with tensors: dispatch macros, TypeMeta, meta functions, the context, threads, indices as text.
#include <ATen/MetaFunctions.h>
#include <torch/script.h>
#include <torch/torch.h>

#include <numeric>

#include "gtest/gtest.h"
#include "wick/tests/compat/support.h"

namespace {

size_t size_in_family(const at::Tensor& x) {
  return AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "size_in_family", [&] { return sizeof(scalar_t); });
}

TEST(Type, IsDeviceAndDtypeInOne) {
  const at::Tensor x = torch::zeros({2}, torch::kDouble);
  EXPECT_EQ(x.type().toString(), "CPUDoubleType");
  EXPECT_EQ(c10::str(x.to(torch::kMeta, torch::kInt).type()), "MetaIntType");
  EXPECT_EQ(&x.type(), &at::CPU(torch::kDouble));
  EXPECT_EQ(x.type().scalarType(), torch::kDouble);
  EXPECT_FALSE(x.type().is_cuda());
  EXPECT_EQ(torch::ones({1}, x.type()).scalar_type(), torch::kDouble);
  EXPECT_EQ(at::getDeprecatedTypeProperties(at::Backend::SparseCPU, torch::kByte).layout(), torch::kSparse);
  EXPECT_EQ(at::CUDA(torch::kFloat).options().device().type(), torch::kCUDA);
}

TEST(Storage, IsTheMemoryOfATensor) {
  const at::Tensor x = torch::zeros({2, 3}), row = x[1];
  EXPECT_EQ(x.storage().nbytes(), 24u);
  EXPECT_EQ(static_cast<float*>(row.storage().data()), x.data_ptr<float>());
  EXPECT_TRUE(row.storage().is_alias_of(x.storage()));
  EXPECT_EQ(x.storage().use_count(), 3u);
  EXPECT_EQ(x.storage().data_ptr().get_context(), nullptr);
  float numbers[2] = {1, 2};
  const at::Tensor borrowed = torch::from_blob(numbers, {2}, [](void*) {});
  EXPECT_EQ(borrowed.storage().data_ptr().get(), numbers);
  EXPECT_NE(borrowed.storage().data_ptr().get_context(), nullptr);
  EXPECT_EQ(torch::empty({0}).data_ptr(), nullptr);
  EXPECT_EQ(x.slice(0, 1, 1).data_ptr(), nullptr);
}

TEST(Functions, OfAtenUnderItsNames) {
  const at::Tensor points = torch::tensor({{0., 0.}, {3., 4.}, {0., 8.}});
  EXPECT_TRUE(torch::allclose(torch::pdist(points), torch::tensor({5., 8., 5.})));
  EXPECT_TRUE(torch::allclose(torch::nn::functional::pdist(points, 1), torch::tensor({7., 8., 7.})));
  EXPECT_EQ(torch::pdist(points.slice(0, 0, 1)).numel(), 0);
  EXPECT_EQ(message_of([&] { torch::pdist(points[0]); }), "pdist only supports 2D tensors, got: 1D");
  const at::Tensor image = torch::rand({1, 2, 5, 5});
  const auto size = torch::nn::functional::InterpolateFuncOptions().size(std::vector<int64_t>{3, 8});
  auto options = size, smooth = size;
  options.mode(torch::kNearestExact).align_corners(false);  // which LibTorch takes, and Python does not
  smooth.mode(torch::kBicubic).align_corners(false).antialias(true);
  EXPECT_TRUE(torch::equal(at::native::_upsample_bicubic2d_aa(image, {3, 8}, false), torch::nn::functional::interpolate(image, smooth)));
  EXPECT_TRUE(torch::equal(at::_upsample_nearest_exact2d(image, {3, 8}), torch::nn::functional::interpolate(image, options)));
  EXPECT_TRUE(torch::equal(torch::_reshape_alias(points, {6}, {1}), points.view(-1)));
}

void expect_values(const torch::Tensor& got, const std::vector<double>& want) {
  ASSERT_EQ(got.numel(), static_cast<int64_t>(want.size()));
  EXPECT_TRUE(torch::allclose(got.to(torch::kDouble).flatten(), torch::tensor(want, torch::kDouble), 1e-4, 1e-4)) << got;
}

// Values by PyTorch.
TEST(Composed, IntegralsStatisticsWindows) {
  const torch::Tensor y = torch::tensor({1.f, 2.f, 4.f, 3.f}), x = torch::tensor({0.f, 1.f, 3.f, 4.f});
  expect_values(torch::trapezoid(y, x), {11});
  expect_values(torch::trapezoid(y, 0.5), {4});
  expect_values(torch::cumulative_trapezoid(y, x), {1.5, 7.5, 11});
  expect_values(torch::trapezoid(torch::arange(6, torch::kFloat).view({2, 3}), 1, 0), {1.5, 2.5, 3.5});
  EXPECT_EQ(message_of([&] { torch::trapezoid(y, torch::ones({3})); }), "trapezoid: There must be one `x` value for each sample point");
  const torch::Tensor a = torch::tensor({{1.f, 2.f, 4.f}, {3.f, 1.f, 0.f}});
  expect_values(torch::cov(a), {2.3333, -2.1667, -2.1667, 2.3333});
  expect_values(torch::cov(a, 0), {1.5556, -1.4444, -1.4444, 1.5556});
  expect_values(torch::cov(a, 1, torch::tensor({1, 2, 1})), {1.5833, -1.4167, -1.4167, 1.5833});
  expect_values(torch::cov(a, 1, {}, torch::tensor({1.f, 0.5f, 2.f})), {3.2143, -3, -3, 3});
  expect_values(torch::corrcoef(a), {1, -0.9286, -0.9286, 1});
  EXPECT_EQ(torch::cov(y).dim(), 0);
  expect_values(torch::hann_window(5), {0, 0.3455, 0.9045, 0.9045, 0.3455});
  expect_values(torch::hamming_window(4, false), {0.08, 0.77, 0.77, 0.08});
  expect_values(torch::blackman_window(5), {0, 0.20077, 0.84923, 0.84923, 0.20077});
  expect_values(torch::bartlett_window(4, false), {0, 0.6667, 0.6667, 0});
  EXPECT_EQ(torch::hann_window(1).item<float>(), 1.f);
  EXPECT_EQ(torch::hann_window(3, torch::kDouble).scalar_type(), torch::kDouble);
  EXPECT_EQ(message_of([] { torch::hann_window(-1); }), "hann_window requires non-negative window_length, got window_length=-1");
}

TEST(Composed, ShapesAndTypes) {
  EXPECT_EQ(torch::result_type(torch::ones({2}, torch::kInt), 1.0), torch::kFloat);
  EXPECT_EQ(torch::result_type(torch::ones({2}, torch::kInt), torch::scalar_tensor(1, torch::kDouble)), torch::kDouble);
  EXPECT_EQ(torch::result_type(torch::ones({2}, torch::kHalf), torch::ones({1})), torch::kFloat);
  EXPECT_EQ(torch::result_type(2, 1.5), torch::kFloat);
  EXPECT_EQ(torch::promote_types(torch::kInt, torch::kHalf), torch::kHalf);
  EXPECT_FALSE(torch::can_cast(torch::kFloat, torch::kInt));
  EXPECT_EQ(torch::atleast_3d(torch::ones({2, 3})).sizes(), torch::IntArrayRef({2, 3, 1}));
  EXPECT_EQ(torch::atleast_2d(torch::tensor({1, 2})).sizes(), torch::IntArrayRef({1, 2}));
  EXPECT_EQ(torch::atleast_1d(std::vector<torch::Tensor>{torch::scalar_tensor(3)})[0].dim(), 1);
  expect_values(torch::vander(torch::tensor({2, 3}), 3, true), {1, 2, 4, 1, 3, 9});
  expect_values(torch::ldexp(torch::tensor({1.f, 3.f}), torch::tensor({2, -1})), {4, 1.5});
  const torch::Tensor rows = torch::tensor({{3, 1, 2}, {6, 5, 4}});
  expect_values(torch::take_along_dim(rows, torch::tensor({{1}, {0}}), 1), {1, 6});
  expect_values(torch::take_along_dim(rows, torch::tensor({4, 0})), {5, 3});
  expect_values(torch::msort(rows.t()), {1, 4, 2, 5, 3, 6});
  EXPECT_EQ(torch::dsplit(torch::ones({2, 2, 4}), 2)[1].sizes(), torch::IntArrayRef({2, 2, 2}));
  EXPECT_EQ(message_of([] { torch::positive(torch::ones({1}, torch::kBool)); }), "The `+` operator, on a bool tensor is not supported.");
}

float corner(torch::PackedTensorAccessor32<float, 2, torch::RestrictPtrTraits> a) { return a[a.size(0) - 1][a.size(1) - 1] += 1; }

TEST(PackedAccessor, IsTakenByValue) {
  const at::Tensor x = torch::arange(6, torch::kFloat).view({2, 3}).t();
  EXPECT_EQ((corner(x.packed_accessor32<float, 2, torch::RestrictPtrTraits>())), 6.f);
  EXPECT_EQ(x[2][1].item<float>(), 6.f);
  const auto wide = x.packed_accessor64<float, 2>();
  EXPECT_EQ(wide[1][0], 1.f);
  EXPECT_EQ(wide.stride(1), 3);
  EXPECT_EQ(message_of([&] { x.packed_accessor32<float, 3>(); }), "TensorAccessor expected 3 dims but tensor has 2");
}

TEST(Containers, OfWhatAFileHolds) {
  const std::vector<char> bytes = torch::pickle_save(c10::IValue::Dict{{"weight", torch::ones({2})}, {"epoch", 3}});
  c10::Dict<c10::IValue, c10::IValue> weights = torch::pickle_load(bytes).toGenericDict();
  std::string names;
  for (const auto& w : weights) names += w.key().toStringRef() + ";";
  EXPECT_EQ(names, "weight;epoch;");
  EXPECT_EQ(weights.at("epoch").toInt(), 3);
  EXPECT_FALSE(weights.contains("bias"));
  EXPECT_THROW(weights.at("bias"), c10::IndexError);
  c10::Dict<std::string, int64_t> counts, same = counts;
  EXPECT_TRUE(counts.insert("a", 1).second);
  EXPECT_FALSE(counts.insert("a", 2).second);
  counts.insert_or_assign("b", 4);
  EXPECT_FALSE(counts.insert_or_assign("b", 5).second);
  EXPECT_EQ(same.at("a") + same.find("b")->value(), 6);
  EXPECT_EQ(same.copy().erase("a"), 1u);
  EXPECT_EQ(same.size(), 2u);
  c10::List<at::Tensor> list({torch::ones({1})});
  list.push_back(torch::zeros({2}));
  const c10::List<at::Tensor> shared = list;
  shared.set(0, torch::ones({3}));
  EXPECT_EQ(list.get(0).numel() + list[1].numel(), 5);
  EXPECT_EQ(list.vec().size(), 2u);
}

TEST(Special, HasTheNamesOfSpecialFunctions) {
  const at::Tensor x = torch::tensor({0.5, 2.0});
  EXPECT_TRUE(torch::equal(torch::special::gammaln(x), x.lgamma()));
  EXPECT_TRUE(torch::equal(torch::special::expit(x), x.sigmoid()));
  EXPECT_TRUE(torch::equal(torch::special::softmax(x, 0), x.softmax(0)));
}

TEST(DataContainer, PrintsWhatItHolds) {
  using torch::detail::TensorDataContainer;
  EXPECT_EQ(c10::str(TensorDataContainer({{1, 2}, {3, 4}})), "{{1, 2}, {3, 4}}");
  EXPECT_EQ(c10::str(TensorDataContainer(2.5)), "2.5");
  const std::vector<double> numbers = {0.5, 1};
  EXPECT_TRUE(torch::equal(TensorDataContainer(numbers).tensor(), torch::tensor(numbers)));
  EXPECT_NE(message_of([] { TensorDataContainer(1).init_list(); }).find("`is_init_list() == true`"), std::string::npos);
}

TEST(Dispatch, CallsWithTheElementType) {
  EXPECT_EQ(size_in_family(torch::zeros({1})), 4u);
  EXPECT_EQ(size_in_family(torch::zeros({1}, torch::kDouble)), 8u);
  EXPECT_EQ(size_in_family(torch::zeros({1}, torch::kHalf)), 2u);
  EXPECT_EQ(message_of([] { size_in_family(torch::zeros({1}, torch::kInt)); }), "\"size_in_family\" not implemented for 'Int'");
  for (const c10::ScalarType type : {torch::kByte, torch::kChar, torch::kShort, torch::kInt, torch::kLong, torch::kFloat, torch::kDouble,
                                     torch::kBool, torch::kBFloat16}) {
    const auto found = AT_DISPATCH_ALL_TYPES_AND2(torch::kBool, torch::kBFloat16, type, "all", [] {
      return c10::CppTypeToScalarType<scalar_t>::value;
    });
    EXPECT_EQ(found, type);
  }
  EXPECT_THROW(AT_DISPATCH_INTEGRAL_TYPES(torch::kFloat, "integral", [] {}), c10::NotImplementedError);
  AT_DISPATCH_INDEX_TYPES(torch::kInt, "index", [] { static_assert(std::is_integral_v<index_t>); });
}

TEST(TypeMeta, PrintsTheNameOfTheType) {
  const caffe2::TypeMeta meta = torch::get_default_dtype();
  EXPECT_EQ(torch::typeMetaToScalarType(meta), torch::kFloat);
  EXPECT_EQ(c10::str(meta), "float");
  EXPECT_EQ(meta.itemsize(), 4u);
  EXPECT_TRUE(caffe2::TypeMeta::Make<int64_t>() == torch::kLong);
  EXPECT_TRUE(meta.Match<float>());
  torch::set_default_dtype(torch::scalarTypeToTypeMeta(torch::kDouble));
  EXPECT_EQ(torch::ones({1}).scalar_type(), torch::kDouble);
  torch::set_default_dtype(meta);
  std::ostringstream text;
  text << torch::ones({1}).dtype() << ' ' << torch::ones({1}, torch::kLong).options().dtype() << ' ' << torch::ones({1}).scalar_type();
  EXPECT_EQ(text.str(), "float long int Float");
  EXPECT_STREQ(c10::toString(torch::kInt), "Int");
  EXPECT_EQ(c10::elementSize(torch::kInt), 4u);
  EXPECT_TRUE(c10::isIntegralType(torch::kBool, true));
}

// dtype() goes where a ScalarType or TensorOptions do.
TEST(TypeMeta, IsAScalarTypeWhereOneIsWanted) {
  const torch::Tensor x = torch::ones({2}, torch::kHalf);
  EXPECT_TRUE(x.dtype() == torch::kHalf && torch::kHalf == x.dtype() && x.dtype() != torch::kFloat && x.dtype() == (x + x).dtype());
  const torch::Dtype type = x.dtype();
  const auto either = x.dim() == 1 ? x.dtype() : torch::kInt;
  EXPECT_EQ(type, either);
  EXPECT_EQ(torch::zeros({2}, x.dtype()).scalar_type(), torch::kHalf);
  EXPECT_EQ(torch::ones({2}).to(x.dtype()).scalar_type(), torch::kHalf);
  EXPECT_EQ(torch::ones({2}).to(torch::kCPU, x.dtype()).scalar_type(), torch::kHalf);
  EXPECT_EQ(torch::ones({2}).sum(x.dtype()).scalar_type(), torch::kHalf);
  EXPECT_EQ(torch::dtype(x.dtype()).device("cpu").dtype().toScalarType(), torch::kHalf);
  EXPECT_EQ(c10::str(x.dtype()), "c10::Half");
}

TEST(MetaFunctions, GiveShapesWithoutData) {
  const at::Tensor sum = at::meta::add(torch::ones({4}), torch::ones({3, 1}, torch::kDouble));
  EXPECT_TRUE(sum.is_meta());
  EXPECT_EQ(sum.sizes(), c10::IntArrayRef({3, 4}));
  EXPECT_EQ(sum.scalar_type(), torch::kDouble);
  EXPECT_EQ(at::meta::mm(torch::ones({2, 3}), torch::ones({3, 5})).sizes(), c10::IntArrayRef({2, 5}));
  EXPECT_EQ(at::meta::exp(torch::ones({2})).sizes(), c10::IntArrayRef({2}));
}

TEST(Functions, OlderNamesOfPaddingAndResizing) {
  namespace F = torch::nn::functional;
  const torch::Tensor x = torch::arange(1, 5, torch::kFloat).view({1, 1, 2, 2});
  const torch::Tensor doubled = torch::tensor({{1.f, 1.f, 2.f, 2.f}, {1.f, 1.f, 2.f, 2.f}, {3.f, 3.f, 4.f, 4.f}, {3.f, 3.f, 4.f, 4.f}});
  EXPECT_TRUE(torch::upsample_nearest2d(x, {4, 4})[0][0].equal(doubled));
  EXPECT_TRUE(torch::upsample_nearest2d(x, {4, 4}, 2.0, 2.0)[0][0].equal(doubled));
  EXPECT_TRUE(torch::upsample_nearest1d(x[0], {3})[0][0].equal(torch::tensor({1.f, 1.f, 2.f})));
  EXPECT_TRUE(torch::upsample_bilinear2d(x, {3, 3}, true)[0][0][1].equal(torch::tensor({2.f, 2.5f, 3.f})));
  EXPECT_TRUE(torch::replication_pad2d(x, {1, 0, 0, 0})[0][0][0].equal(torch::tensor({1.f, 1.f, 2.f})));
  EXPECT_TRUE(torch::reflection_pad2d(x, {1, 0, 0, 0})[0][0][0].equal(torch::tensor({2.f, 1.f, 2.f})));
  const torch::Tensor scores = torch::log_softmax(torch::ones({1, 4, 2, 2}), 1);
  EXPECT_NEAR(torch::nll_loss2d(scores, torch::zeros({1, 2, 2}, torch::kLong)).item<float>(), std::log(4.f), 1e-6);
}

TEST(Context, KeepsItsSwitches) {
  EXPECT_FALSE(at::globalContext().benchmarkCuDNN());
  at::globalContext().setBenchmarkCuDNN(true);
  EXPECT_TRUE(at::globalContext().benchmarkCuDNN());
  at::globalContext().setBenchmarkCuDNN(false);
  EXPECT_FALSE(at::globalContext().deterministicAlgorithms());
  at::globalContext().setDeterministicAlgorithms(true, /*warn_only=*/false);
  EXPECT_TRUE(at::globalContext().deterministicAlgorithms() && !at::globalContext().deterministicAlgorithmsWarnOnly());
  EXPECT_NE(message_of([] { at::globalContext().alertNotDeterministic("f"); }).find("f does not have a deterministic implementation, but"),
            std::string::npos);
  at::globalContext().setDeterministicAlgorithms(false);
  torch::manual_seed(3);
  EXPECT_TRUE(torch::rand({4}, at::detail::createCPUGenerator(3)).equal(torch::rand({4}, at::detail::getDefaultCPUGenerator())));
  EXPECT_EQ(torch::hasCUDA(), torch::cuda::is_available());
  EXPECT_EQ(torch::getNumGPUs(), static_cast<size_t>(torch::cuda::device_count()));
  EXPECT_FALSE(at::hasMPS());
}

TEST(Parallel, ReducesInOrder) {
  torch::init_num_threads();
  std::vector<int64_t> values(100000);
  std::iota(values.begin(), values.end(), 1);
  const auto add = [&](int64_t first, int64_t last, int64_t start) {
    return std::accumulate(values.begin() + first, values.begin() + last, start);
  };
  EXPECT_EQ(at::parallel_reduce(0, 100000, 777, int64_t{0}, add, std::plus<int64_t>()), 5000050000);
  EXPECT_EQ(at::parallel_reduce(0, 0, 1, int64_t{3}, add, std::plus<int64_t>()), 3);
  torch::set_num_interop_threads(2);
  EXPECT_EQ(torch::get_num_interop_threads(), 2);
  EXPECT_EQ(message_of([] { torch::set_num_interop_threads(0); }), "Expected positive number of threads");
}

TEST(Indexing, IndicesAsText) {
  using namespace torch::indexing;
  const std::vector<TensorIndex> indices{None, Ellipsis, 3, false, Slice(1, None, 2), Slice(None, 4)};
  EXPECT_EQ(c10::str(indices), c10::str("(None, ..., 3, false, 1:", INDEX_MAX, ":2, 0:4:1)"));
  EXPECT_EQ(c10::str(Slice(None, None, -1)), c10::str(INDEX_MAX, ":", INDEX_MIN, ":-1"));
}

TEST(Indexing, ExpressionsAreWrittenTo) {
  torch::Tensor x = torch::zeros({2, 3});
  x[0] = torch::ones({3});
  x[1][2] = 5;
  x.slice(1, 0, 1) = torch::full({2, 1}, 7.0);
  EXPECT_TRUE(x.equal(torch::tensor({{7.0, 1.0, 1.0}, {7.0, 0.0, 5.0}})));
  torch::Tensor handle = x[0];
  handle = torch::zeros({3});
  EXPECT_EQ(x[0][0].item<float>(), 7);
  torch::Tensor flags = torch::zeros({2}, torch::kBool);
  flags[1] = true;
  EXPECT_TRUE(flags.equal(torch::tensor({false, true})));
}

TEST(InferenceMode, DispatchKeysAnswerForIt) {
  const auto excluded = [] { return c10::impl::tls_is_dispatch_keyset_excluded(c10::autograd_dispatch_keyset); };
  EXPECT_FALSE(excluded());
  EXPECT_TRUE(c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::ADInplaceOrView));
  const c10::InferenceMode mode;
  EXPECT_TRUE(excluded());
  EXPECT_FALSE(c10::impl::tls_is_dispatch_key_included(c10::DispatchKey::ADInplaceOrView));
}

TEST(Autograd, NodesAsSharedPointers) {
  const torch::Tensor x = torch::ones({2}, torch::requires_grad());
  std::shared_ptr<torch::autograd::Node> node;
  {
    const torch::Tensor y = x * 2;
    node = y.grad_fn();
    EXPECT_TRUE(y.grad_fn() == node);
  }
  ASSERT_TRUE(node);
  EXPECT_EQ(node->name(), "MulBackward0");
  const torch::autograd::Edge edge(node, 0);
  const std::shared_ptr<torch::autograd::Node> same = edge.function;
  EXPECT_EQ(same.get(), node.get());
  node = x.grad_fn();
  EXPECT_FALSE(node);
}

TEST(Autograd, HooksOfNodesAndOfLeaves) {
  struct Doubling : torch::autograd::FunctionPreHook {
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& grads) override { return {grads[0] * 2}; }
  };
  struct Counting : torch::autograd::FunctionPostHook {
    explicit Counting(int& n) : count(n) {}
    torch::autograd::variable_list operator()(const torch::autograd::variable_list& inputs,
                                              const torch::autograd::variable_list&) override {
      ++count;
      return inputs;
    }
    int& count;
  };
  const torch::Tensor x = torch::ones({2}, torch::requires_grad()), y = x * 3;
  int count = 0;
  y.grad_fn()->add_pre_hook(std::make_unique<Doubling>());
  const std::shared_ptr<torch::autograd::Node> leaf = torch::autograd::impl::grad_accumulator(x);
  leaf->add_post_hook(std::make_unique<Counting>(count));
  EXPECT_EQ(torch::autograd::impl::gradient_edge(x).function.get(), leaf.get());
  EXPECT_EQ(torch::autograd::impl::gradient_edge(y).function.get(), y.grad_fn().get());
  EXPECT_FALSE(torch::autograd::impl::gradient_edge(torch::ones({1})).is_valid());
  EXPECT_FALSE(torch::autograd::impl::grad_accumulator(torch::ones({1})));
  EXPECT_EQ(message_of([&] { torch::autograd::impl::grad_accumulator(y); }), "grad_accumulator() should be only called on leaf Variables");
  y.sum().backward();
  EXPECT_TRUE(x.grad().equal(torch::full({2}, 6.f)));
  EXPECT_EQ(count, 1);
}

TEST(Autocast, HasLibTorchsSwitches) {
  EXPECT_FALSE(at::autocast::is_cpu_enabled() || at::autocast::is_enabled());
  at::autocast::increment_nesting();
  at::autocast::set_cpu_enabled(true);
  at::autocast::set_autocast_cpu_dtype(at::kHalf);
  EXPECT_EQ(torch::mm(torch::ones({1, 1}), torch::ones({1, 1})).scalar_type(), at::kHalf);
  at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
  EXPECT_EQ(torch::mm(torch::ones({1, 1}), torch::ones({1, 1})).scalar_type(), at::kBFloat16);
  at::autocast::set_cpu_enabled(false);
  if (at::autocast::decrement_nesting() == 0) at::autocast::clear_cache();
  EXPECT_EQ(torch::mm(torch::ones({1, 1}), torch::ones({1, 1})).scalar_type(), at::kFloat);
}

TEST(Script, SaysWhatToDoInstead) {
  torch::jit::script::Module module;
  EXPECT_NE(message_of([&] { module = torch::jit::load("net.pt"); }).find("torch::jit::load(\"net.pt\"): wick does not run TorchScript."),
            std::string::npos);
  EXPECT_THROW(module.forward({torch::ones({1})}), c10::NotImplementedError);
}

}  // namespace
