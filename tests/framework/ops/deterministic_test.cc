// The same bits in every run and for any number of threads; and what set_deterministic() says where that cannot be had.
#include "wick/framework/core/deterministic.h"

#include <cstring>
#include <functional>

#include "wick/framework/autograd/engine.h"
#include "wick/framework/core/parallel.h"
#include "wick/framework/core/warning.h"
#include "wick/tests/framework/ops/checks.h"

namespace wick {
namespace {

struct Deterministic {
  explicit Deterministic(bool warn_only = false) { set_deterministic(true, warn_only); }
  ~Deterministic() { set_deterministic(false); }
};

struct Threads {
  explicit Threads(int count) : before(get_num_threads()) { set_num_threads(count); }
  ~Threads() { set_num_threads(before); }
  int before;
};

struct Case {
  const char* name;
  std::function<std::vector<Tensor>()> run;
};

// The gradients of f at x, weighted by numbers that make rounding show.
std::vector<Tensor> gradients(std::vector<Tensor> x, const std::function<Tensor(const std::vector<Tensor>&)>& f) {
  for (Tensor& leaf : x) leaf.requires_grad_();
  const Tensor y = f(x);
  std::vector<Tensor> result = autograd::grad({y}, x, {y.detach().sin()});
  result.push_back(y.detach());
  return result;
}

// Enough elements for several threads, with values whose sums depend on their order.
std::vector<Case> cases() {
  manual_seed(4);
  const Tensor values = randn({200, 300}) * pow(10, randn({200, 300})), index = randint(200, {200, 300});
  const Tensor rows = randint(50, {20000}), source = randn({20000, 8}), long_one = randn({1 << 18}), signs = long_one > 0;
  const Tensor image = randn({8, 6, 24, 24}), weight = randn({10, 6, 3, 3}), classes = randint(10, {4096}), scores = randn({4096, 10});
  const Tensor a = randn({40, 20000}), b = randn({20000, 30}), table = randn({50, 8});
  return {
      {"scatter_add", [=] { return std::vector{values.scatter_add(0, index, values * 3)}; }},
      {"scatter_reduce sum", [=] { return std::vector{values.scatter_reduce(0, index, values * 3, "sum")}; }},
      {"scatter_reduce prod", [=] { return std::vector{values.scatter_reduce(0, index, values.sigmoid(), "prod")}; }},
      {"scatter_reduce mean", [=] { return std::vector{values.scatter_reduce(0, index, values * 3, "mean")}; }},
      {"scatter (the last of several values)", [=] { return std::vector{values.scatter(0, index, values * 3)}; }},
      {"index_add", [=] { return std::vector{table.index_add(0, rows, source)}; }},
      {"index_put", [=] { return std::vector{table.index_put({rows}, source)}; }},
      {"index_put accumulate", [=] { return std::vector{table.index_put({rows}, source, true)}; }},
      {"put accumulate", [=] { return std::vector{table.put(rows, source.select(1, 0), true)}; }},
      {"index_copy", [=] { return std::vector{table.index_copy(0, rows, source)}; }},
      {"bincount", [=] { return std::vector{rows.bincount(source.select(1, 0).to(kDouble))}; }},
      {"histc", [=] { return std::vector{long_one.histc(100)}; }},
      {"cumsum, cumprod", [=] { return std::vector{long_one.cumsum(0), (long_one * 0.01 + 1).cumprod(0)}; }},
      {"sum, mean, var, norm", [=] { return std::vector{long_one.sum(), values.mean(0), values.var(1), long_one.norm(), values.sum(0)}; }},
      {"logsumexp, softmax", [=] { return std::vector{long_one.logsumexp(0), values.softmax(1), values.log_softmax(0)}; }},
      {"masked_select", [=] { return std::vector{long_one.masked_select(signs)}; }},
      {"matmul", [=] { return std::vector{a.matmul(b), a.matmul(b.select(1, 0)), a.t().slice(0, 0, 500).matmul(a)}; }},
      {"index_select, gather, embedding backward",
       [=] {
         return gradients({table, values}, [&](const auto& x) {
           return x[0].index_select(0, rows).sum(1).slice(0, 0, 300) + x[1].gather(0, index).sum(0) +
                  embedding(x[0], rows.slice(0, 0, 300)).sum(1);
         });
       }},
      {"index backward", [=] { return gradients({table}, [&](const auto& x) { return x[0].index({rows}); }); }},
      {"expand backward", [=] { return gradients({table}, [&](const auto& x) { return x[0].expand({900, 50, 8}) * 1.5; }); }},
      {"matmul backward", [=] { return gradients({a, b}, [&](const auto& x) { return x[0].matmul(x[1]); }); }},
      {"pools backward",
       [=] { return gradients({image}, [&](const auto& x) { return max_pool2d(x[0], 3, 2) + avg_pool2d(x[0], 3, 2); }); }},
      {"adaptive pool and padding backward",
       [=] {
         return gradients({image}, [&](const auto& x) { return adaptive_avg_pool2d(pad(x[0], {2, 3, 1, 0}, "replicate"), {5, 7}); });
       }},
      {"batch_norm and layer_norm backward",
       [=] {
         return gradients({image, weight.slice(0, 0, 6).sum({1, 2, 3})}, [&](const auto& x) {
           return layer_norm(batch_norm(x[0], x[1], x[1], {}, {}, true, 0.1, 1e-5, false), {24, 24});
         });
       }},
      {"cross_entropy backward", [=] { return gradients({scores}, [&](const auto& x) { return cross_entropy_loss(x[0], classes); }); }},
      {"conv2d backward", [=] { return gradients({image, weight}, [&](const auto& x) { return conv2d(x[0], x[1]); }); }},
      // Where oneDNN with two threads gives other bits than with one, unless it is told not to.
      {"conv2d backward of many small pictures",
       [digits = randn({64, 1, 28, 28}), filters = randn({32, 1, 3, 3})] {
         return gradients({digits, filters}, [&](const auto& x) { return conv2d(x[0], x[1]); });
       }},
      {"conv_transpose2d backward",
       [=] { return gradients({image, weight.slice(0, 0, 6)}, [&](const auto& x) { return conv_transpose2d(x[0], x[1]); }); }},
      {"conv1d in double backward",
       [=] {
         return gradients({image.select(2, 0).to(kDouble), weight.select(3, 0).to(kDouble)},
                          [&](const auto& x) { return conv1d(x[0], x[1]); });
       }},
  };
}

bool same_bits(const Tensor& x, const Tensor& y) {
  const Tensor a = x.contiguous(), b = y.contiguous();
  return a.sizes() == b.sizes() && a.nbytes() == b.nbytes() && !std::memcmp(a.data_ptr(), b.data_ptr(), static_cast<size_t>(a.nbytes()));
}

// None of wick's own operations is refused.
TEST(Deterministic, EveryRunHasTheSameBitsForAnyNumberOfThreads) {
  const Deterministic on;
  for (const Case& c : cases()) {
    std::vector<Tensor> expected;
    for (const int count : {2, 2, 1, 3}) {
      const Threads threads(count);
      const std::vector<Tensor> results = c.run();
      if (expected.empty()) expected = results;
      for (size_t i = 0; i < results.size(); ++i) {
        EXPECT_TRUE(same_bits(results[i], expected[i])) << c.name << ", result " << i << ", with " << count << " threads";
      }
    }
  }
}

TEST(Deterministic, RefusesWhatAnOperationSaysOfItself) {
  alert_not_deterministic("my_op");
  {
    const Deterministic on;
    EXPECT_TRUE(is_deterministic() && !is_deterministic_warn_only());
    EXPECT_EQ(
        test::error_of([] { alert_not_deterministic("my_op"); }),
        "my_op does not have a deterministic implementation, but you set 'torch.use_deterministic_algorithms(True)'. You can turn "
        "off determinism just for this operation, or you can use the 'warn_only=True' option, if that's acceptable for your application. "
        "You can also file an issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic support "
        "for this operation.");
  }
  EXPECT_FALSE(is_deterministic());
}

TEST(Deterministic, OrWarns) {
  struct Handler : WarningHandler {
    void process(const SourceLocation&, const std::string& message, bool) override { text += message; }
    std::string text;
  } handler;
  Warning::set_warning_handler(&handler);
  {
    const Deterministic on(/*warn_only=*/true);
    alert_not_deterministic("my_op");
  }
  Warning::set_warning_handler(nullptr);
  EXPECT_EQ(handler.text.find("my_op does not have a deterministic implementation, but you set "
                              "'torch.use_deterministic_algorithms(True, warn_only=True)'. You can file an issue at "), 0u);
}

}  // namespace
}  // namespace wick
