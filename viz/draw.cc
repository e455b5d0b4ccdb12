#include "wick/viz/draw.h"

#include <filesystem>
#include <unordered_map>

#include "wick/framework/ops/op.h"
#include "wick/viz/gnuplot.h"
#include "wick/viz/output_file.h"

namespace wick::autograd {
namespace {

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + '"';
}

class Picture {
 public:
  Picture(const Tensor& y, const std::vector<std::pair<std::string, Tensor>>& names) : y_(y) {
    for (const auto& [name, x] : names) {
      if (x.is_same(y)) y_name_ = name;
      if (x.defined() && x.is_leaf() && x.requires_grad()) names_[accumulator_of(x).get()] = name;
    }
  }

  std::string text() {
    const Edge root = ops::gradient_edge(y_);
    WICK_CHECK(root.is_valid(), "element 0 of tensors does not require grad and does not have a grad_fn\n"
               "  draw: nothing was recorded for this tensor.");
    std::vector<Node*> waiting{root.function.get()};
    number(*root.function);
    while (!waiting.empty()) {
      Node& node = *waiting.back();
      waiting.pop_back();
      add_node(node);
      for (const Edge& edge : node.next_edges()) {
        if (!edge.is_valid()) continue;
        const bool is_new = !numbers_.contains(edge.function.get());
        text_ += "  n" + std::to_string(number(*edge.function)) + " -> n" + std::to_string(number(node)) + "\n";
        if (is_new) waiting.push_back(edge.function.get());
      }
    }
    const std::string label = wick::detail::concat(y_name_, "\n", dtype_name(y_.scalar_type()), " ", y_.sizes());
    text_ += "  y [label=" + in_quotes(label) + ", shape=oval]\n";
    return "digraph {\n  node [shape=box]\n" + text_ + "  n" + std::to_string(number(*root.function)) + " -> y\n}\n";
  }

 private:
  size_t number(const Node& node) { return numbers_.try_emplace(&node, numbers_.size()).first->second; }

  void add_node(const Node& node) {
    const OutputInfo& result = node.result(0);
    std::string label = node.name(), style;
    if (node.leaf()) {
      const auto name = names_.find(&node);
      label = (name == names_.end() ? "leaf" : name->second) + "\n" + dtype_name(result.dtype);
      style = ", shape=oval";
    }
    label += wick::detail::concat(node.leaf() ? " " : "\n", result.sizes());
    text_ += "  n" + std::to_string(number(node)) + " [label=" + in_quotes(label) + style + "]\n";
  }

  const Tensor& y_;
  std::string y_name_ = "y";
  std::unordered_map<const Node*, std::string> names_;
  std::unordered_map<const Node*, size_t> numbers_;
  std::string text_;
};

}  // namespace

std::string draw(const Tensor& y, const std::vector<std::pair<std::string, Tensor>>& names) {
  return Picture(y, names).text();
}

std::string draw(const Tensor& y, const std::string& path, const std::vector<std::pair<std::string, Tensor>>& names) {
  const std::filesystem::path wanted(path);
  const std::string ending = wanted.extension().string();
  const bool is_text = ending == ".dot" || ending == ".gv";
  WICK_CHECK(is_text || ending == ".svg" || ending == ".png" || ending == ".pdf", "draw: cannot write ", path,
             ": the name must end in .dot, .gv, .svg, .png or .pdf");
  const bool as_text = is_text || !viz::detail::program_available("dot");
  const std::string written = is_text || !as_text ? path : std::filesystem::path(wanted).replace_extension(".dot").string();
  viz::OutputFile file(written);
  const std::string text = draw(y, names);
  if (as_text) file.write(text);
  else viz::detail::run_program("dot", {"-T" + ending.substr(1)}, text, file.fd(), "dot is not in PATH (Debian: apt install graphviz)");
  file.commit();
  return written;
}

}  // namespace wick::autograd
