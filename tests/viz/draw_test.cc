#include "wick/viz/draw.h"

#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>

#include "wick/tests/framework/ops/checks.h"
#include "wick/tests/viz/support.h"

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

TEST(Draw, CallsTheResultByItsName) {
  const Tensor w = ones({1}).requires_grad_(), loss = w.sum();
  const std::string text = autograd::draw(loss, {{"w", w}, {"loss", loss}});
  EXPECT_NE(text.find("  y [label=\"loss\\nfloat32 []\", shape=oval]\n  n0 -> y\n"), std::string::npos) << text;
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

// ---- Files -------------------------------------------------------------------------------------------------------------------------

Tensor small_graph() { return ones({1}).requires_grad_() * 2; }

TEST(DrawFile, IsTextWithoutGraphviz) {
  const viz::TestFolder folder, empty;
  const viz::ScopedVariable path("PATH", empty / "");
  const Tensor y = small_graph();
  EXPECT_EQ(autograd::draw(y, folder / "graph.dot"), folder / "graph.dot");
  EXPECT_EQ(autograd::draw(y, folder / "picture.svg"), folder / "picture.dot");
  EXPECT_EQ(viz::read_file(folder / "graph.dot"), autograd::draw(y));
  EXPECT_EQ(folder.names(), (viz::Names{"graph.dot", "picture.dot"}));
}

// A program that stands in for Graphviz, and says what it was asked.
TEST(DrawFile, IsDrawnByGraphviz) {
  const viz::TestFolder folder, programs;
  viz::write_file(programs / "dot", "#!/bin/sh\necho \"$@\"\n/bin/cat\n");
  chmod((programs / "dot").c_str(), 0755);
  const viz::ScopedVariable path("PATH", programs / "");
  const Tensor y = small_graph();
  EXPECT_EQ(autograd::draw(y, folder / "graph.png"), folder / "graph.png");
  EXPECT_EQ(viz::read_file(folder / "graph.png"), "-Tpng\n" + autograd::draw(y));
}

TEST(DrawFile, FailuresLeaveNothingBehind) {
  const viz::TestFolder folder, programs;
  viz::write_file(programs / "dot", "#!/bin/sh\necho no such format >&2\nexit 3\n");
  chmod((programs / "dot").c_str(), 0755);
  const viz::ScopedVariable path("PATH", programs / "");
  EXPECT_EQ(error_of([&] { autograd::draw(small_graph(), folder / "graph.svg"); }), "dot failed with exit status 3:");
  EXPECT_EQ(error_of([&] { autograd::draw(ones({1}), folder / "graph.dot"); }),
            "element 0 of tensors does not require grad and does not have a grad_fn");
  EXPECT_TRUE(viz::contains(error_of([&] { autograd::draw(small_graph(), folder / "graph.jpg"); }),
                            "the name must end in .dot, .gv, .svg, .png or .pdf"));
  EXPECT_TRUE(folder.names().empty());
}

}  // namespace
}  // namespace wick::test
