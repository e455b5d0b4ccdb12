#include "wick/framework/autograd/draw.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "wick/tests/framework/ops/checks.h"

namespace wick::test {
namespace {

TEST(Draw, ShowsNamesAndShapes) {
  const Tensor w = ones({2, 3}).requires_grad_(), x = ones({4, 2}), b = zeros({3}, kDouble).requires_grad_();
  const Tensor y = (x.mm(w) + b).sum();
  EXPECT_EQ(autograd::draw(y, {{"the \"weight\"", w}, {"x", x}}),
            "digraph {\n"
            "  node [shape=box]\n"
            "  n0 [label=\"SumBackward0\\n[]\"]\n"
            "  n1 -> n0\n"
            "  n1 [label=\"AddBackward0\\n[4, 3]\"]\n"
            "  n2 -> n1\n"
            "  n3 -> n1\n"
            "  n3 [label=\"leaf\\nfloat64 [3]\", shape=oval]\n"
            "  n2 [label=\"MmBackward0\\n[4, 3]\"]\n"
            "  n4 -> n2\n"
            "  n4 [label=\"the \\\"weight\\\"\\nfloat32 [2, 3]\", shape=oval]\n"
            "  y [label=\"y\\nfloat64 []\", shape=oval]\n"
            "  n0 -> y\n"
            "}\n");
}

TEST(Draw, ShowsASharedNodeOnce) {
  const Tensor x = ones({1}).requires_grad_();
  Tensor y = x;
  for (int i = 0; i < 40; ++i) y = y + y;
  const std::string text = autograd::draw(y);
  EXPECT_EQ(std::count(text.begin(), text.end(), '['), 2 * 40 + 2 + 2 + 1);  // a label and a shape each; the default style
}

TEST(Draw, OfALeafIsTheLeaf) {
  EXPECT_NE(autograd::draw(ones({2}).requires_grad_()).find("n0 [label=\"leaf\\nfloat32 [2]\", shape=oval]\n"), std::string::npos);
  EXPECT_EQ(error_of([] { autograd::draw(ones({1})); }), "element 0 of tensors does not require grad and does not have a grad_fn");
}

}  // namespace
}  // namespace wick::test
