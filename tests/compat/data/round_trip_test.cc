// Every layer and every optimiser through each kind of file: what comes back is, bit for bit, what went in, and what does not fit changes
// nothing.
#include <torch/torch.h>

#include "wick/framework/io/npy.h"
#include "wick/framework/io/safetensors.h"
#include "wick/tests/framework/io/support.h"

namespace wick {
namespace {

using test::error_of;
using test::message_of;
using test::temporary;
using ModulePtr = std::shared_ptr<nn::Module>;

// ---- The formats -------------------------------------------------------------------------------------------------------------------

struct Format {
  const char* name;
  void (*save)(const ModulePtr&, const std::string& path);
  void (*load)(const ModulePtr&, const std::string& path);
  bool (*holds)(ScalarType);
};

bool any_dtype(ScalarType) { return true; }

const Format kFormats[] = {
    {"pt", [](const ModulePtr& m, const std::string& path) { torch::save(m, path); },
     [](const ModulePtr& m, const std::string& path) {
       ModulePtr same = m;
       torch::load(same, path);
     },
     any_dtype},
    {"archive",  // as LibTorch programs write it: the module as a part of something else
     [](const ModulePtr& m, const std::string& path) {
       torch::serialize::OutputArchive archive, part;
       m->save(part);
       archive.write("model", part);
       archive.save_to(path);
     },
     [](const ModulePtr& m, const std::string& path) {
       torch::serialize::InputArchive archive, part;
       archive.load_from(path);
       if (!m->state_dict().is_empty()) archive.read("model", part);
       m->load(part);
     },
     any_dtype},
    {"safetensors", [](const ModulePtr& m, const std::string& path) { save_safetensors(m->state_dict(), path); },
     [](const ModulePtr& m, const std::string& path) { m->load_state_dict(load_safetensors(path)); }, any_dtype},
    {"npz", [](const ModulePtr& m, const std::string& path) { save_npz(m->state_dict(), path); },
     [](const ModulePtr& m, const std::string& path) { m->load_state_dict(load_npz(path)); },
     [](ScalarType dtype) { return dtype != kBFloat16; }},
};

// ---- The layers --------------------------------------------------------------------------------------------------------------------

struct Layer {
  const char* name;
  std::function<ModulePtr()> make;
};

#define LAYER(Name, ...) {#Name, [] { return ModulePtr(torch::nn::Name(__VA_ARGS__).ptr()); }},
#define WITH(Name, options, ...) \
  {#Name #options, [] { return ModulePtr(torch::nn::Name(torch::nn::Name##Options(__VA_ARGS__) options).ptr()); }},

const std::vector<Layer>& layers() {
  using namespace torch::nn;
  static const std::vector<Layer> list{
      LAYER(Linear, 3, 2) LAYER(Bilinear, 2, 3, 4) LAYER(Identity) LAYER(Flatten) LAYER(RReLU) LAYER(Dropout) LAYER(PReLU)
      LAYER(Conv1d, 2, 3, 2) LAYER(Conv2d, 2, 3, 2) LAYER(Conv3d, 2, 3, 2) LAYER(ConvTranspose1d, 2, 3, 2)
      LAYER(ConvTranspose2d, 2, 3, 2) LAYER(ConvTranspose3d, 2, 3, 2) LAYER(BatchNorm1d, 3) LAYER(BatchNorm2d, 3) LAYER(BatchNorm3d, 3)
      LAYER(InstanceNorm3d, 3) LAYER(LayerNorm, LayerNormOptions({2, 3})) LAYER(GroupNorm, GroupNormOptions(2, 4))
      LAYER(LocalResponseNorm, 2) LAYER(Embedding, 5, 3) LAYER(EmbeddingBag, 5, 3) LAYER(RNN, 2, 3) LAYER(GRU, 2, 3) LAYER(LSTM, 2, 3)
      LAYER(RNNCell, 2, 3) LAYER(GRUCell, 2, 3) LAYER(LSTMCell, 2, 3) LAYER(MultiheadAttention, 4, 2)
      LAYER(ModuleList, Linear(2, 3), PReLU()) LAYER(Sequential, Linear(2, 3), BatchNorm1d(3), ReLU(), Linear(3, 1))
      LAYER(TransformerEncoderLayer, TransformerEncoderLayerOptions(4, 2).dim_feedforward(8))
      LAYER(TransformerDecoderLayer, TransformerDecoderLayerOptions(4, 2).dim_feedforward(8))
      LAYER(TransformerEncoder, TransformerEncoderOptions(TransformerEncoderLayerOptions(4, 2).dim_feedforward(8), 2))
      LAYER(TransformerDecoder, TransformerDecoderOptions(TransformerDecoderLayerOptions(4, 2).dim_feedforward(8), 2))
      LAYER(Transformer, TransformerOptions(4, 2).num_encoder_layers(1).num_decoder_layers(1).dim_feedforward(8))
      LAYER(AdaptiveLogSoftmaxWithLoss, AdaptiveLogSoftmaxWithLossOptions(4, 6, {2, 4}))
      LAYER(ParameterList, torch::rand({2}), torch::rand({3, 1}))
      WITH(Linear, .bias(false), 3, 2) WITH(Conv2d, .bias(false), 2, 4, 3) WITH(BatchNorm1d, .affine(false), 3)
      WITH(BatchNorm1d, .track_running_stats(false), 3) WITH(InstanceNorm1d, .affine(true).track_running_stats(true), 3)
      WITH(InstanceNorm2d, .affine(true), 3) WITH(PReLU, .num_parameters(3)) WITH(LSTM, .proj_size(2), 2, 3)
      WITH(LSTM, .num_layers(2).bidirectional(true).bias(false), 2, 3) WITH(MultiheadAttention, .kdim(3).vdim(5).add_bias_kv(true), 4, 2)
      WITH(CrossEntropyLoss, .weight(torch::rand({3}))) WITH(NLLLoss, .weight(torch::rand({3}))) WITH(BCELoss, .weight(torch::rand({3})))
      WITH(BCEWithLogitsLoss, .pos_weight(torch::rand({3}))) WITH(MultiMarginLoss, .weight(torch::rand({3})))
      WITH(MultiLabelSoftMarginLoss, .weight(torch::rand({3})))
      {"ModuleDict", [] { return ModulePtr(ModuleDict(std::vector<std::pair<std::string, ModulePtr>>{{"a", Linear(2, 3).ptr()}}).ptr()); }},
      {"ParameterDict", [] {
         OrderedDict<std::string, Tensor> dict;
         dict.insert("scale", torch::rand({2}));
         return ModulePtr(ParameterDict(dict).ptr());
       }},
  };
  return list;
}

// Parameters and buffers of odd layouts: transposed, strided, expanded, empty, of no dimension; two names for one tensor; undefined ones.
struct Odd : nn::Module {
  Odd() {
    transposed = register_parameter("transposed", rand({3, 4}).t().detach());
    strided = register_buffer("strided", rand({4, 6}).slice(1, 0, 6, 2));
    register_buffer("shifted", rand({10}).slice(0, 3, 7));
    register_parameter("empty", torch::empty({0, 3}));
    register_parameter("scalar", rand({}));
    register_buffer("counts", randint(100, {3}, kLong));
    register_buffer("mask", rand({5}) > 0.5);
    register_parameter("nothing", Tensor());
    register_buffer("no_buffer", Tensor());
    a = register_module("a", nn::Linear(nn::LinearOptions(2, 2).bias(false)));
    b = register_module("b", a);  // tied
  }
  Tensor transposed, strided;
  nn::Linear a{nullptr}, b{nullptr};
};

std::vector<Layer> all_layers() {
  std::vector<Layer> all = layers();
  all.push_back({"Odd", [] { return ModulePtr(std::make_shared<Odd>()); }});
  return all;
}

// Random values in all that the module holds.
void randomise(nn::Module& module) {
  NoGradGuard no_grad;
  for (const auto& item : module.state_dict()) {
    if (item->is_floating_point()) Tensor(*item).copy_(rand(item->sizes()));
  }
}

std::string bits_of(const Tensor& x) { return std::string(io::bytes_of(x.detach().contiguous())); }

// The bits of everything, by name.
std::map<std::string, std::string> bits_of(const nn::Module& module) {
  std::map<std::string, std::string> bits;
  for (const auto& item : module.state_dict()) bits[item.key()] = std::string(dtype_name(item->scalar_type())) + ' ' + bits_of(*item);
  return bits;
}

class RoundTrip : public testing::TestWithParam<size_t> {};

TEST_P(RoundTrip, GivesBackEveryBit) {
  const Layer layer = all_layers()[GetParam()];
  SCOPED_TRACE(layer.name);
  for (const Format& format : kFormats) {
    for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
      if (!format.holds(dtype)) continue;
      SCOPED_TRACE(testing::Message() << format.name << " " << dtype_name(dtype));
      const ModulePtr from = layer.make(), to = layer.make();
      from->to(dtype);
      to->to(dtype);
      randomise(*from);
      const auto before = to->named_parameters();
      format.save(from, temporary("file"));
      format.load(to, temporary("file"));
      EXPECT_EQ(bits_of(*to), bits_of(*from));
      const auto after = to->named_parameters();
      ASSERT_EQ(after.keys(), before.keys());
      for (const auto& item : after) {
        EXPECT_TRUE(item->is_same(before[item.key()]) && item->is_leaf() && item->requires_grad() == before[item.key()].requires_grad());
      }
    }
  }
}

TEST_P(RoundTrip, FilesThatDoNotFitChangeNothing) {
  const Layer layer = all_layers()[GetParam()];
  SCOPED_TRACE(layer.name);
  const ModulePtr from = layer.make(), to = layer.make();
  const OrderedDict<std::string, Tensor> state = from->state_dict();
  if (state.is_empty()) return;
  randomise(*from);
  const auto before = bits_of(*to);
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.name);
    format.save(from, temporary("file"));
    const std::string bytes = io::read_file(temporary("file"));
    // Cut short; another module's; and the last tensor with one dimension more.
    for (const size_t size : {size_t{0}, size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
      test::write_bytes(temporary("cut"), bytes.substr(0, size));
      EXPECT_NE(error_of([&] { format.load(to, temporary("cut")); }), "no error") << size;
    }
    struct Other : nn::Module {
      Other() { register_parameter("other", ones({2})); }
    };
    format.save(std::make_shared<Other>(), temporary("other"));
    EXPECT_NE(error_of([&] { format.load(to, temporary("other")); }), "no error");
    EXPECT_EQ(bits_of(*to), before);
  }
  OrderedDict<std::string, Tensor> wrong;
  for (const auto& item : state) wrong.insert(item.key(), item.key() == state.keys().back() ? item->unsqueeze(0) : *item);
  EXPECT_NE(message_of([&] { to->load_state_dict(wrong); }).find("size mismatch for " + state.keys().back()), std::string::npos);
  EXPECT_EQ(bits_of(*to), before);
}

INSTANTIATE_TEST_SUITE_P(All, RoundTrip, testing::Range(size_t{0}, all_layers().size()), [](const auto& info) {
  std::string name = std::to_string(info.param) + "_" + all_layers()[info.param].name;
  std::replace_if(name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
  return name;
});

TEST(RoundTripOfTiedWeights, StayTied) {
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.name);
    const auto from = std::make_shared<Odd>(), to = std::make_shared<Odd>();
    format.save(from, temporary("file"));
    format.load(to, temporary("file"));
    EXPECT_TRUE(to->a->weight.is_same(to->b->weight));
    EXPECT_TRUE(equal(to->b->weight, from->a->weight));
    EXPECT_EQ(to->transposed.strides(), (IntArrayRef{1, 4}));  // the module's own layout
  }
}

// ---- Optimisers --------------------------------------------------------------------------------------------------------------------

using OptimizerPtr = std::unique_ptr<optim::Optimizer>;

struct Method {
  const char* name;
  OptimizerPtr (*make)(std::vector<Tensor> parameters, double lr);
};

template <class Optimizer, class Options>
OptimizerPtr two_groups(std::vector<Tensor> parameters, const Options& options, double lr) {
  std::vector<optim::OptimizerParamGroup> groups;
  groups.emplace_back(std::vector<Tensor>{parameters[0]}, std::make_unique<Options>(Options(options).lr(lr / 2)));
  groups.emplace_back(std::vector<Tensor>(parameters.begin() + 1, parameters.end()), std::make_unique<Options>(Options(options).lr(lr)));
  return std::make_unique<Optimizer>(groups, options);
}

const Method kMethods[] = {
    {"SGD", [](std::vector<Tensor> p, double lr) {
       return two_groups<optim::SGD>(p, optim::SGDOptions(0.1).momentum(0.9).dampening(0.1).weight_decay(0.01), lr);
     }},
    {"SGDWithoutMomentum", [](std::vector<Tensor> p, double lr) { return two_groups<optim::SGD>(p, optim::SGDOptions(0.1), lr); }},
    {"Adam", [](std::vector<Tensor> p, double lr) {
       return two_groups<optim::Adam>(p, optim::AdamOptions(0.1).betas({0.8, 0.99}).amsgrad(true), lr);
     }},
    {"AdamW", [](std::vector<Tensor> p, double lr) { return two_groups<optim::AdamW>(p, optim::AdamWOptions(0.1).weight_decay(0.1), lr); }},
    {"Adagrad", [](std::vector<Tensor> p, double lr) {
       return two_groups<optim::Adagrad>(p, optim::AdagradOptions(0.1).lr_decay(0.1).initial_accumulator_value(0.5), lr);
     }},
    {"RMSprop", [](std::vector<Tensor> p, double lr) {
       return two_groups<optim::RMSprop>(p, optim::RMSpropOptions(0.1).centered(true).momentum(0.5), lr);
     }},
    {"LBFGS", [](std::vector<Tensor> p, double lr) {
       return OptimizerPtr(std::make_unique<optim::LBFGS>(p, optim::LBFGSOptions(lr).max_iter(3).history_size(4)));
     }},
};

struct Problem {
  explicit Problem(const Method& method, ScalarType dtype, double lr) {
    model->to(dtype);
    optimizer = method.make(model->parameters(), lr);
  }
  void steps(int count) {
    const Tensor x = (arange(24).view({8, 3}).remainder(7) / 7).to(model->parameters()[0].scalar_type());
    for (int i = 0; i < count; ++i) {
      optimizer->step([&] {
        optimizer->zero_grad();
        const Tensor loss = (model->forward(x) - 1).square().mean();
        loss.backward();
        return loss;
      });
    }
  }

  nn::Sequential model{nn::Linear(3, 4), nn::Tanh(), nn::Linear(nn::LinearOptions(4, 1).bias(false))};
  OptimizerPtr optimizer;
};

TEST(RoundTripOfOptimizers, GoOnBitForBit) {
  for (const Method& method : kMethods) {
    for (const ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16}) {
      if (dtype != kFloat && dtype != kDouble && std::string(method.name) == "LBFGS") continue;  // it needs their precision
      for (const bool nested : {false, true}) {
        SCOPED_TRACE(testing::Message() << method.name << " " << dtype_name(dtype) << (nested ? " in an archive" : ""));
        Problem first(method, dtype, 0.05), second(method, dtype, 0.7);
        first.steps(3);
        if (nested) {
          torch::save_checkpoint(temporary("file"), "model", first.model, "optimizer", *first.optimizer);
          torch::load_checkpoint(temporary("file"), "model", second.model, "optimizer", *second.optimizer);
        } else {
          torch::save(first.model, temporary("model"));
          torch::save(*first.optimizer, temporary("optimizer"));
          torch::load(second.model, temporary("model"));
          torch::load(*second.optimizer, temporary("optimizer"));
        }
        first.steps(3);
        second.steps(3);
        EXPECT_EQ(bits_of(*second.model), bits_of(*first.model));
      }
    }
  }
}

TEST(RoundTripOfOptimizers, AnothersStateChangesNothing) {
  for (const Method& method : kMethods) {
    for (const Method& other : kMethods) {
      if (method.name == other.name || std::string(method.name).starts_with("SGD") || std::string(other.name).starts_with("SGD")) continue;
      SCOPED_TRACE(testing::Message() << method.name << " given the state of " << other.name);
      Problem first(other, kFloat, 0.05), second(method, kFloat, 0.05), untouched(method, kFloat, 0.05);
      first.steps(2);
      torch::save(second.model, temporary("model"));
      torch::load(untouched.model, temporary("model"));
      second.steps(2);
      untouched.steps(2);
      torch::save(*first.optimizer, temporary("file"));
      if (error_of([&] { torch::load(*second.optimizer, temporary("file")); }) == "no error") continue;
      second.steps(2);
      untouched.steps(2);
      EXPECT_EQ(bits_of(*second.model), bits_of(*untouched.model));
    }
  }
}

}  // namespace
}  // namespace wick
