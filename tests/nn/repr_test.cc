// The expected texts are what LibTorch 2 and PyTorch print.
#include "wick/nn/repr.h"

#include <sstream>

#include "wick/tests/nn/support.h"

namespace wick {

struct ReprNet : nn::Module {
  nn::Linear fc1 = register_module("fc1", nn::Linear(4, 10));
  nn::Sequential seq = register_module("seq", nn::Sequential(nn::Linear(nn::LinearOptions(10, 3).bias(false)), nn::Dropout(0.25)));
};
struct ReprNoted : nn::Module {
  std::string extra_repr() const override { return "first\nsecond"; }
  nn::ReLU act = register_module("act", nn::ReLU());
};

namespace {

template <class M>
std::string text(const M& module) {
  std::ostringstream out;
  out << module;
  return out.str();
}

TEST(Print, TreesAsLibTorch) {
  EXPECT_EQ(text(ReprNet()),
            "torch::ReprNet(\n"
            "  (fc1): torch::nn::Linear(in_features=4, out_features=10, bias=true)\n"
            "  (seq): torch::nn::Sequential(\n"
            "    (0): torch::nn::Linear(in_features=10, out_features=3, bias=false)\n"
            "    (1): torch::nn::Dropout(p=0.25, inplace=false)\n"
            "  )\n"
            ")");
  EXPECT_EQ(text(nn::Sequential()), "torch::nn::Sequential");
  EXPECT_EQ(text(nn::Module("given")), "given");
}

TEST(Repr, TreesAsPython) {
  EXPECT_EQ(nn::repr(ReprNet()),
            "ReprNet(\n"
            "  (fc1): Linear(in_features=4, out_features=10, bias=True)\n"
            "  (seq): Sequential(\n"
            "    (0): Linear(in_features=10, out_features=3, bias=False)\n"
            "    (1): Dropout(p=0.25, inplace=False)\n"
            "  )\n"
            ")");
  EXPECT_EQ(nn::repr(nn::Sequential()), "Sequential()");
  EXPECT_EQ(nn::repr(std::make_shared<ReprNoted>()), "ReprNoted(\n  first\n  second\n  (act): ReLU()\n)");
}

struct Row {
  std::shared_ptr<nn::Module> module;
  const char* cpp;
  const char* python;
};

TEST(Print, Layers) {
  const Row rows[] = {
      {nn::ReLU().ptr(), "torch::nn::ReLU()", "ReLU()"},
      {nn::ReLU(true).ptr(), "torch::nn::ReLU(inplace=true)", "ReLU(inplace=True)"},
      {nn::LeakyReLU().ptr(), "torch::nn::LeakyReLU(negative_slope=0.01)", "LeakyReLU(negative_slope=0.01)"},
      {nn::LeakyReLU(nn::LeakyReLUOptions().negative_slope(0.2).inplace(true)).ptr(),
       "torch::nn::LeakyReLU(negative_slope=0.2, inplace=true)", "LeakyReLU(negative_slope=0.2, inplace=True)"},
      {nn::ELU().ptr(), "torch::nn::ELU(alpha=1)", "ELU(alpha=1.0)"},
      {nn::SiLU().ptr(), "torch::nn::SiLU()", "SiLU()"},
      {nn::GELU(nn::GELUOptions().approximate("tanh")).ptr(), "torch::nn::GELU()", "GELU(approximate='tanh')"},
      {nn::Softplus().ptr(), "torch::nn::Softplus(beta=1, threshold=20)", "Softplus(beta=1.0, threshold=20.0)"},
      {nn::Softplus(nn::SoftplusOptions().beta(1e16).threshold(123456789.125)).ptr(),
       "torch::nn::Softplus(beta=1e+16, threshold=1.23457e+08)", "Softplus(beta=1e+16, threshold=123456789.125)"},
      {nn::LogSigmoid().ptr(), "torch::nn::LogSigmoid()", "LogSigmoid()"},
      {nn::Sigmoid().ptr(), "torch::nn::Sigmoid()", "Sigmoid()"},
      {nn::Tanh().ptr(), "torch::nn::Tanh()", "Tanh()"},
      {nn::Softmax(1).ptr(), "torch::nn::Softmax(dim=1)", "Softmax(dim=1)"},
      {nn::LogSoftmax(1).ptr(), "torch::nn::LogSoftmax(dim=1)", "LogSoftmax(dim=1)"},
      {nn::Identity().ptr(), "torch::nn::Identity()", "Identity()"},
      {nn::Flatten().ptr(), "torch::nn::Flatten(start_dim=1, end_dim=-1)", "Flatten(start_dim=1, end_dim=-1)"},
      {nn::Dropout(1e-5).ptr(), "torch::nn::Dropout(p=1e-05, inplace=false)", "Dropout(p=1e-05, inplace=False)"},
      {nn::Dropout(0.0001).ptr(), "torch::nn::Dropout(p=0.0001, inplace=false)", "Dropout(p=0.0001, inplace=False)"},
      {nn::L1Loss().ptr(), "torch::nn::L1Loss()", "L1Loss()"},
      {nn::MSELoss().ptr(), "torch::nn::MSELoss()", "MSELoss()"},
      {nn::NLLLoss().ptr(), "torch::nn::NLLLoss()", "NLLLoss()"},
      {nn::CrossEntropyLoss().ptr(), "torch::nn::CrossEntropyLoss()", "CrossEntropyLoss()"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(text(*row.module), row.cpp);
    EXPECT_EQ(nn::repr(row.module), row.python);
  }
}

}  // namespace
}  // namespace wick
