// Forms that programs written for LibTorch have: old names of functions and methods, checks, printing, custom optimisers.
#include <torch/torch.h>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "wick/tests/compat/support.h"

namespace {

using wick::test::error_of;

#define EXPECT_SAME(a, b) EXPECT_TRUE(torch::equal(a, b)) << a << '\n' << b

template <class T>
std::string printed(const T& x) {
  std::ostringstream out;
  out << x;
  return out.str();
}

TEST(OldNames, OfBitwiseOperators) {
  const auto x = torch::tensor({5, 6}), y = torch::tensor({3, 3});
  EXPECT_SAME(x.__and__(y), torch::tensor({1, 2}));
  EXPECT_SAME(x.__or__(1), torch::tensor({5, 7}));
  EXPECT_SAME(x.__xor__(y), torch::tensor({6, 5}));
  EXPECT_SAME(x.__and__(4), torch::tensor({4, 4}));
  EXPECT_SAME(torch::__or__(x, y), torch::tensor({7, 7}));
  EXPECT_SAME(torch::__xor__(x, 1), torch::tensor({4, 7}));
  EXPECT_SAME((x > 5).__and__(y > 2), torch::tensor({false, true}));
}

TEST(OldNames, OfFunctions) {
  const auto x = torch::tensor({1.7, -1.7});
  EXPECT_SAME(torch::_cast_Int(x), torch::tensor({1, -1}, torch::kInt));
  EXPECT_SAME(torch::_cast_Float(torch::tensor({true, false})), torch::tensor({1.f, 0.f}));
  EXPECT_EQ(torch::_cast_Half(x).dtype(), torch::kHalf);
  EXPECT_SAME(at::_unsafe_view(torch::arange(4), {2, 2}), torch::tensor({{0, 1}, {2, 3}}));
  const auto [values, inverse] = torch::_unique(torch::tensor({3, 1, 3}), true, true);
  EXPECT_SAME(values, torch::tensor({1, 3}));
  EXPECT_SAME(inverse, torch::tensor({1, 0, 1}));
  auto z = torch::tensor({1.f, 2.f});
  EXPECT_EQ(z.data<float>(), z.data_ptr<float>());
  EXPECT_SAME(std::get<1>(torch::linalg_svd(torch::eye(2), true, {})), torch::ones({2}));
  EXPECT_EQ(error_of([] { torch::linalg_svd(torch::eye(2), true, "gesvd"); }),
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs with cuSOLVER backend.");
  const auto drawn = [] { return torch::rand({3}, torch::make_generator<at::CPUGeneratorImpl>(7)); };
  EXPECT_SAME(drawn(), drawn());
  at::globalContext().setDeterministicFillUninitializedMemory(false);
  EXPECT_FALSE(at::globalContext().deterministicFillUninitializedMemory());
  at::globalContext().setDeterministicFillUninitializedMemory(true);
}

TEST(Print, ToAStreamInLinesOfSomeLength) {
  const auto x = torch::arange(20);
  std::ostringstream wide, narrow;
  torch::print(wide, x, 200);
  torch::print(narrow, x, 20);
  EXPECT_EQ(wide.str().find('\n'), std::string::npos);
  EXPECT_NE(narrow.str().find('\n'), std::string::npos);
  testing::internal::CaptureStdout();
  print(torch::tensor({1, 2}));
  EXPECT_EQ(testing::internal::GetCapturedStdout(), printed(torch::tensor({1, 2})));
}

TEST(Print, Containers) {
  EXPECT_EQ(printed(std::vector<int>{1, 2}), "1 2");
  EXPECT_EQ(printed(std::map<int, int>{{1, 2}, {3, 4}}), "(1, 2) (3, 4)");
  EXPECT_EQ(printed(std::set<int>{4, 3}), "3 4");
  EXPECT_EQ(printed(std::make_pair(1, 2.5)), "(1, 2.5)");
  const std::string long_text = printed(std::vector<int>(101, 7));
  EXPECT_EQ(long_text.substr(long_text.size() - 6), " 7 ...");
  EXPECT_EQ(long_text.size(), 100u * 2 - 1 + 4);
}

TEST(Print, IValues) {
  EXPECT_EQ(printed(c10::IValue(2.0)), "2.");
  EXPECT_EQ(printed(c10::IValue(0.1)), "0.10000000000000001");
  EXPECT_EQ(printed(c10::IValue(1e20)), "1e+20");
  EXPECT_EQ(printed(c10::IValue(std::nan(""))), "nan");
  EXPECT_EQ(printed(c10::IValue(true)), "True");
  EXPECT_EQ(printed(c10::IValue()), "None");
  EXPECT_EQ(printed(c10::IValue("ab")), "ab");
  EXPECT_EQ(printed(c10::IValue(std::vector<int64_t>{1, 2})), "[1, 2]");
  EXPECT_EQ(printed(c10::IValue(std::make_tuple(1, 2.5))), "(1, 2.5)");
  EXPECT_EQ(printed(c10::IValue(std::make_tuple(1))), "(1,)");
  c10::Dict<std::string, int64_t> dict;
  dict.insert("a", 1);
  EXPECT_EQ(printed(c10::IValue(dict)), "{a: 1}");
}

TEST(Checks, OfTwoValues) {
  TORCH_CHECK_EQ(1, 1) << "not evaluated";
  TORCH_CHECK_LT(1, 2);
  TORCH_DCHECK_NE(1, 2);
  EXPECT_EQ(error_of([] { TORCH_CHECK_EQ(1, 2) << "more"; }), "Check failed: 1 == 2 (1 vs. 2). more");
  EXPECT_EQ(error_of([] { TORCH_CHECK_GE(3, 5); }), "Check failed: 3 >= 5 (3 vs. 5). ");
  EXPECT_EQ(error_of([] { TORCH_CHECK_GT(3, 3); }), "Check failed: 3 > 3 (3 vs. 3). ");
  EXPECT_EQ(error_of([] { TORCH_CHECK_LE(4, 3); }), "Check failed: 4 <= 3 (4 vs. 3). ");
}

TEST(IValue, TuplesListsAndDicts) {
  const c10::IValue pair = std::make_tuple(torch::ones({1}), 2);
  ASSERT_TRUE(pair.isTuple());
  EXPECT_SAME(pair.toTuple()->elements()[0].toTensor(), torch::ones({1}));
  EXPECT_EQ(pair.toTuple()->elements().at(1).toInt(), 2);
  EXPECT_EQ(error_of([] { c10::IValue(1).toTuple(); }), "Expected Tuple but got Int");
  EXPECT_EQ(c10::ivalue::Tuple::create(1, 2.5)->size(), 2u);
  const c10::IValue list = std::vector<torch::Tensor>{torch::zeros({2})};
  EXPECT_SAME(list.toTensorList().get(0), torch::zeros({2}));
  EXPECT_EQ(c10::IValue(std::vector<int64_t>{3, 4}).toIntList().get(1), 4);
  EXPECT_EQ(c10::IValue(std::vector<double>{3, 4}).toDoubleList().vec(), (std::vector<double>{3, 4}));
  c10::Dict<std::string, torch::Tensor> weights;
  weights.insert("w", torch::ones({2}));
  const c10::impl::GenericDict loaded = torch::pickle_load(torch::pickle_save(weights)).toGenericDict();
  ASSERT_EQ(loaded.size(), 1u);
  EXPECT_SAME(loaded.at("w").toTensor(), torch::ones({2}));
  EXPECT_SAME(torch::jit::pickle_load(torch::jit::pickle_save(torch::ones({1}))).toTensor(), torch::ones({1}));
}

TEST(SmallVector, IsAVector) {
  at::DimVector shape{1, 2};
  shape.push_back(3);
  EXPECT_EQ(torch::zeros(shape).sizes(), (std::vector<int64_t>{1, 2, 3}));
  EXPECT_EQ(shape.pop_back_val(), 3);
  c10::SmallVector<int, 4> other(c10::ArrayRef<int>({4, 5}));
  other.append(2, 6);
  const std::vector<int> more{7};
  other.append(more.begin(), more.end());
  EXPECT_EQ(other, (c10::SmallVector<int, 4>{4, 5, 6, 6, 7}));
}

TEST(MaybeOwned, BorrowsOrOwns) {
  const auto x = torch::ones({3});
  const auto borrowed = c10::MaybeOwned<at::Tensor>::borrowed(x);
  EXPECT_TRUE(borrowed.unsafeIsBorrowed());
  EXPECT_EQ(&*borrowed, &x);
  const auto owned = c10::MaybeOwned<at::Tensor>::owned(x * 2);
  EXPECT_FALSE(owned.unsafeIsBorrowed());
  EXPECT_SAME(*owned, torch::full({3}, 2.f));
  EXPECT_EQ(owned->numel(), 3);
  EXPECT_EQ(*c10::MaybeOwned<std::string>::owned(std::in_place, 2, 'a'), "aa");
  EXPECT_FALSE(c10::MaybeOwned<at::Tensor>()->defined());
}

TEST(Save, TensorsInBraces) {
  std::stringstream file;
  torch::save({torch::ones({1}), torch::zeros({2})}, file);
  std::vector<torch::Tensor> loaded;
  torch::load(loaded, file);
  ASSERT_EQ(loaded.size(), 2u);
  EXPECT_SAME(loaded[1], torch::zeros({2}));
}

TEST(ModuleDict, IsUpdatedWithPairsInBraces) {
  torch::nn::ModuleDict dict;
  dict->update({{"a", torch::nn::Linear(1, 2).ptr()}, {"b", torch::nn::ReLU().ptr()}});
  torch::nn::ModuleDict other;
  other->update(*dict);
  other->update(torch::OrderedDict<std::string, std::shared_ptr<torch::nn::Module>>({{"c", torch::nn::Tanh().ptr()}}));
  EXPECT_EQ(other->keys(), (std::vector<std::string>{"a", "b", "c"}));
}

// As LibTorch's own optimisers say what of them is saved.
struct MeanOptions : torch::optim::OptimizerCloneableOptions<MeanOptions> {
  MeanOptions(double lr = 0.1) : lr_(lr) {}
  TORCH_ARG(double, lr) = 0.1;
  TORCH_ARG(bool, flip) = false;
  TORCH_ARG(std::optional<double>, decay);

 public:
  void serialize(torch::serialize::InputArchive& archive) override {
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(double, lr);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(bool, flip);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_OPTIONAL(double, decay);
  }
  void serialize(torch::serialize::OutputArchive& archive) const override {
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(lr);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(flip);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(decay);
  }
};
struct MeanState : torch::optim::OptimizerCloneableParamState<MeanState> {
  TORCH_ARG(int64_t, step) = 0;
  TORCH_ARG(torch::Tensor, mean);

 public:
  void serialize(torch::serialize::InputArchive& archive) override {
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(int64_t, step);
    _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(torch::Tensor, mean);
  }
  void serialize(torch::serialize::OutputArchive& archive) const override {
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(step);
    _TORCH_OPTIM_SERIALIZE_TORCH_ARG(mean);
  }
};
struct Mean : torch::optim::Optimizer {
  explicit Mean(std::vector<torch::Tensor> params, MeanOptions defaults = {})
      : Optimizer({torch::optim::OptimizerParamGroup(std::move(params))}, std::make_unique<MeanOptions>(defaults)) {}
  torch::Tensor step(LossClosure closure = nullptr) override {
    torch::NoGradGuard no_grad;
    for (auto& group : param_groups_) {
      const double lr = static_cast<MeanOptions&>(group.options()).lr();
      for (auto& p : group.params()) {
        auto& state = state_[p.unsafeGetTensorImpl()];
        if (!state) state = std::make_unique<MeanState>();
        auto& mine = static_cast<MeanState&>(*state);
        mine.mean(mine.step() == 0 ? p.grad().clone() : 0.5 * (mine.mean() + p.grad()));
        mine.step(mine.step() + 1);
        p.add_(mine.mean(), -lr);
      }
    }
    return closure ? closure() : torch::Tensor();
  }
  // wick's own: what load() makes the state of a parameter with.
  std::unique_ptr<torch::optim::OptimizerParamState> new_param_state() const override { return std::make_unique<MeanState>(); }
};

TEST(Optimizer, OfAProgramIsSavedByItsSerialize) {
  const auto x = torch::ones({2}, torch::requires_grad());
  Mean optimizer({x}, MeanOptions(0.5).flip(true).decay(0.25));
  x.mutable_grad() = torch::tensor({1.f, 2.f});
  optimizer.step();
  EXPECT_SAME(x.detach(), torch::tensor({0.5f, 0.f}));
  std::stringstream file;
  torch::save(optimizer, file);

  const auto y = torch::ones({2}, torch::requires_grad());
  Mean other({y});
  torch::load(other, file);
  const auto& options = static_cast<MeanOptions&>(other.param_groups()[0].options());
  EXPECT_EQ(options.lr(), 0.5);
  EXPECT_TRUE(options.flip());
  EXPECT_EQ(options.decay(), 0.25);
  const auto& state = static_cast<MeanState&>(*other.state().at(y.unsafeGetTensorImpl()));
  EXPECT_EQ(state.step(), 1);
  EXPECT_SAME(state.mean(), torch::tensor({1.f, 2.f}));
  y.mutable_grad() = torch::tensor({3.f, 0.f});
  other.step();  // the mean is (2, 1)
  EXPECT_SAME(y.detach(), torch::tensor({0.f, 0.5f}));
}

}  // namespace
