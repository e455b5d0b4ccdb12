// The expected texts are what LibTorch 2 and PyTorch print.
#include "wick/nn/repr.h"

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

using test::text;

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
      {nn::HingeEmbeddingLoss().ptr(), "torch::nn::HingeEmbeddingLoss(margin=1)", "HingeEmbeddingLoss()"},
      {nn::MultiMarginLoss().ptr(), "torch::nn::MultiMarginLoss(p=1, margin=1, weight=None, reduction=kMean)", "MultiMarginLoss()"},
      {nn::CTCLoss().ptr(), "torch::nn::CTCLoss()", "CTCLoss()"},
      {nn::Unflatten(1, std::vector<int64_t>{2, 3}).ptr(), "torch::nn::Unflatten(dim=1, unflattened_size={2, 3})",
       "Unflatten(dim=1, unflattened_size=(2, 3))"},
      {nn::AlphaDropout().ptr(), "torch::nn::AlphaDropout(p=0.5, inplace=false)", "AlphaDropout(p=0.5, inplace=False)"},
      {nn::RReLU().ptr(), "torch::nn::RReLU(lower=0.125, upper=0.333333)", "RReLU(lower=0.125, upper=0.3333333333333333)"},
      {nn::LPPool2d(nn::LPPool2dOptions(2, 3).stride(3)).ptr(),
       "torch::nn::LPPool2d(norm_type=2, kernel_size=[3, 3], stride=[3, 3], ceil_mode=false)",
       "LPPool2d(norm_type=2.0, kernel_size=3, stride=3, ceil_mode=False)"},
      {nn::MaxUnpool2d(2).ptr(), "torch::nn::MaxUnpool2d(kernel_size=[2, 2], stride=[2, 2], padding=[0, 0])",
       "MaxUnpool2d(kernel_size=(2, 2), stride=(2, 2), padding=(0, 0))"},
      {nn::LocalResponseNorm(2).ptr(), "torch::nn::LocalResponseNorm(2, alpha=0.0001, beta=0.75, k=1)",
       "LocalResponseNorm(2, alpha=0.0001, beta=0.75, k=1.0)"},
      {nn::Fold(3, 2).ptr(), "torch::nn::Fold(output_size=[3, 3], kernel_size=[2, 2], dilation=[1, 1], padding=[0, 0], stride=[1, 1])",
       "Fold(output_size=3, kernel_size=2, dilation=1, padding=0, stride=1)"},
      {nn::Upsample(nn::UpsampleOptions().scale_factor(std::vector<double>{2, 3})).ptr(),
       "torch::nn::Upsample(scale_factor=[2, 3], mode=kNearest)", "Upsample(scale_factor=(2.0, 3.0), mode='nearest')"},
      {nn::Upsample(nn::UpsampleOptions().size(std::vector<int64_t>{2, 3}).mode(kBilinear)).ptr(),
       "torch::nn::Upsample(size=[2, 3], mode=kBilinear)", "Upsample(size=(2, 3), mode='bilinear')"},
      {nn::EmbeddingBag(nn::EmbeddingBagOptions(5, 2).mode(kSum).padding_idx(1)).ptr(),
       "torch::nn::EmbeddingBag(num_embeddings=5, embedding_dim=2, mode=kSum, padding_idx=1)",
       "EmbeddingBag(5, 2, mode='sum', padding_idx=1)"},
      {nn::ConstantPad1d(1, 0.5).ptr(), "torch::nn::ConstantPad1d(padding=[1, 1], value=0.5)", "ConstantPad1d(padding=(1, 1), value=0.5)"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(text(*row.module), row.cpp);
    EXPECT_EQ(nn::repr(row.module), row.python);
  }
}

}  // namespace
}  // namespace wick
