#include "wick/nn/ordered_dict.h"

#include "wick/tests/nn/support.h"

namespace wick {
namespace {

using Dict = OrderedDict<std::string, int>;

TEST(OrderedDict, KeepsTheOrderOfInsertion) {
  Dict dict{{"b", 1}, {"a", 2}};
  dict.insert("c", 3);
  EXPECT_EQ(dict.keys(), (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_EQ(dict.values(), (std::vector<int>{1, 2, 3}));
  EXPECT_EQ(dict["a"], 2);
  EXPECT_EQ(dict[2].key(), "c");
  EXPECT_EQ(*dict.front(), 1);
  EXPECT_EQ(*dict.back(), 3);
  EXPECT_EQ(dict.find("zz"), nullptr);
}

TEST(OrderedDict, ErasingKeepsTheIndex) {
  Dict dict{{"a", 1}, {"b", 2}, {"c", 3}};
  dict.erase("a");
  EXPECT_EQ(dict["b"], 2);
  EXPECT_EQ(dict["c"], 3);
  dict["c"] = 4;
  EXPECT_EQ(dict[1].value(), 4);
  EXPECT_FALSE(dict.contains("a"));
}

TEST(OrderedDict, EqualsByOrderKeysAndValues) {
  EXPECT_EQ((Dict{{"a", 1}, {"b", 2}}), (Dict{{"a", 1}, {"b", 2}}));
  EXPECT_FALSE((Dict{{"a", 1}, {"b", 2}}) == (Dict{{"b", 2}, {"a", 1}}));
  EXPECT_FALSE((Dict{{"a", 1}}) == (Dict{{"a", 2}}));
}

TEST(OrderedDict, Errors) {
  Dict dict("Penguin");
  dict.insert("a", 1);
  const Dict& constant = dict;
  EXPECT_EQ(test::message_of([&] { dict["b"]; }), "Penguin 'b' is not defined");
  EXPECT_EQ(test::message_of([&] { constant[1]; }), "Index 1 is out of bounds");
  EXPECT_EQ(test::message_of([&] { dict.insert("a", 2); }), "Penguin 'a' already defined");
  EXPECT_EQ(test::message_of([&] { dict.erase("q"); }), "Key 'q' doesn't exist");
  EXPECT_EQ(test::message_of([&] { Dict().front(); }), "Called front() on an empty OrderedDict");
  EXPECT_EQ(test::message_of([&] { dict.update(Dict{{"c", 3}, {"a", 1}}); }), "Penguin 'a' already defined");
}

}  // namespace
}  // namespace wick
