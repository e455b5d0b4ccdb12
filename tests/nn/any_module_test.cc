#include "wick/nn/any_module.h"

#include "wick/tests/nn/support.h"

namespace wick::test {
namespace {

struct Mixed : nn::Module {
  int64_t forward(int a, float b, std::string c, const double& d) {
    return a + static_cast<int64_t>(b) + static_cast<int64_t>(c.size()) + static_cast<int64_t>(d);
  }
};
struct Defaults : nn::Module {
  int forward(int a, int b = 2, double c = 3.0) { return a + b + static_cast<int>(c); }

 protected:
  WICK_FORWARD_HAS_DEFAULT_ARGS({1, nn::AnyValue(2)}, {2, nn::AnyValue(3.0)})
};
struct NoDefaults : nn::Module {
  int forward(int a, int b = 2) { return a + b; }
};
struct Constant : nn::Module {
  const char* forward() const { return "constant"; }
};

TEST(AnyValue, HoldsOneTypeExactly) {
  nn::AnyValue value(5);
  EXPECT_EQ(value.get<int>(), 5);
  EXPECT_EQ(value.try_get<long>(), nullptr);
  EXPECT_EQ(message_of([&] { value.get<float>(); }), "Attempted to cast AnyValue to float, but its actual type is int");
  nn::AnyValue copy = value;
  *copy.try_get<int>() = 6;
  EXPECT_EQ(value.get<int>(), 5);
  EXPECT_EQ(nn::AnyValue("hello").get<const char*>(), std::string("hello"));
}

TEST(AnyModule, PassesArgumentsOfAllTypes) {
  nn::AnyModule any(Mixed{});
  EXPECT_EQ(any.forward<int64_t>(1, 2.5f, std::string("abc"), 4.0), 10);
  EXPECT_EQ(any.operator()<int64_t>(1, 2.5f, std::string("abc"), 4.0), 10);
  EXPECT_EQ(any.any_forward(1, 2.5f, nn::AnyValue(std::string("abc")), 4.0).get<int64_t>(), 10);
  EXPECT_EQ(nn::AnyModule(Constant()).forward<const char*>(), std::string("constant"));
}

TEST(AnyModule, FillsInDefaultArguments) {
  nn::AnyModule any(Defaults{});
  EXPECT_EQ(any.forward<int>(1), 6);
  EXPECT_EQ(any.forward<int>(1, 5), 9);
  EXPECT_EQ(any.forward<int>(1, 5, 10.0), 16);
  EXPECT_NE(message_of([&] { any.forward<int>(); })
                .find("Defaults's forward() method expects at least 1 argument(s) and at most 3 argument(s), but received 0."),
            std::string::npos);
  EXPECT_NE(message_of([&] { any.forward<int>(1, 2, 3.0, 4); }).find("but received 4."), std::string::npos);
}

TEST(AnyModule, HoldsAndCopies) {
  nn::Linear layer(3, 4);
  nn::AnyModule any(layer);
  EXPECT_EQ(any.ptr(), layer.ptr());
  EXPECT_EQ(&any.get<nn::LinearImpl>(), layer.get());
  EXPECT_EQ(any.get<nn::Linear>().ptr(), layer.ptr());
  EXPECT_EQ(any.ptr<nn::LinearImpl>(), layer.ptr());
  EXPECT_EQ(any.type_info(), typeid(nn::LinearImpl));
  nn::AnyModule same = any;
  EXPECT_EQ(same.ptr(), any.ptr());
  nn::AnyModule copy = any.clone();
  EXPECT_NE(copy.ptr(), any.ptr());
  EXPECT_EQ(floats(copy(ones({1, 3}))), floats(any(ones({1, 3}))));
  any = std::make_shared<Constant>();
  EXPECT_EQ(any.forward<const char*>(), std::string("constant"));
}

TEST(AnyModule, TensorsPassOnBothWays) {
  nn::AnyModule any(scale_by(2));
  const Tensor x = ones({1, 1});
  EXPECT_EQ(any(x).item<float>(), 2);
  EXPECT_EQ(any.any_forward(x).get<Tensor>().item<float>(), 2);
  nn::AnyModule nested(nn::Sequential(scale_by(2), scale_by(3)));
  EXPECT_EQ(nested(x).item<float>(), 6);
}

TEST(AnyModule, Errors) {
  nn::AnyModule empty_one, any(nn::Linear(1, 1));
  EXPECT_EQ(message_of([&] { empty_one.forward(1); }), "Cannot call forward() on an empty AnyModule");
  EXPECT_EQ(message_of([&] { empty_one(ones({1})); }), "Cannot call forward() on an empty AnyModule");
  EXPECT_EQ(message_of([&] { empty_one.ptr(); }), "Cannot call ptr() on an empty AnyModule");
  EXPECT_EQ(message_of([&] { any.forward(1); }), "Expected argument #0 to be of type at::Tensor, but received value of type int");
  EXPECT_EQ(message_of([&] { any.forward<int>(ones({1, 1})); }), "Attempted to cast AnyValue to int, but its actual type is at::Tensor");
  EXPECT_EQ(message_of([&] { any.get<nn::ReLUImpl>(); }),
            "Attempted to cast module of type torch::nn::LinearImpl to type torch::nn::ReLUImpl");
  EXPECT_EQ(message_of([&] { any.forward(); }),
            "torch::nn::LinearImpl's forward() method expects 1 argument(s), but received 0. If torch::nn::LinearImpl's forward() method "
            "has default arguments, please make sure the forward() method is declared with a corresponding `FORWARD_HAS_DEFAULT_ARGS` "
            "macro.");
  EXPECT_NE(message_of([&] { nn::AnyModule(NoDefaults()).forward<int>(1); }).find("expects 2 argument(s), but received 1. If "),
            std::string::npos);
}

}  // namespace
}  // namespace wick::test
