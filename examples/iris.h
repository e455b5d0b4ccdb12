// The network of iris_mlp, and the file in which it goes from one program to another: from iris_mlp to iris_predict, or from Python.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "wick.h"

namespace examples {

struct MLP : wick::nn::Cloneable<MLP> {
  MLP(int64_t features, int64_t classes)
      : fc1(register_module("fc1", wick::nn::Linear(features, 10))), fc2(register_module("fc2", wick::nn::Linear(10, classes))) {}

  wick::Tensor forward(const wick::Tensor& x) { return fc2(relu(fc1(x))); }

  wick::nn::Linear fc1, fc2;
};

// A trained network knows scaled measurements only, so the scaling travels with it: x * scale + shift.
struct Classifier {
  MLP model;
  wick::Tensor scale, shift;         // [features], float64
  std::vector<std::string> classes;  // their names

  // The probability of each class [n, classes], float64, of measurements [n, features].
  wick::Tensor operator()(const wick::Tensor& measurements) {
    wick::NoGradGuard no_grad;
    return softmax(model((measurements * scale + shift).to(wick::kFloat)), 1, wick::kDouble);
  }
};

// The file holds the state dict under its own names (fc1.weight, ...), so that Python's load_state_dict takes it as well, the scaling as
// two more tensors, and the names of the classes, one a line, as metadata.
inline void save_classifier(const MLP& model, const wick::datasets::MinMaxScaler& scaler, const std::vector<std::string>& classes,
                            const std::string& path) {
  auto tensors = model.state_dict();
  tensors.insert("scaler.scale", scaler.scale());
  tensors.insert("scaler.shift", scaler.shift());
  std::string names;
  for (const std::string& name : classes) names += name + '\n';
  save_safetensors(tensors, path, {{"classes", names}});
}

inline Classifier load_classifier(const std::string& path) {
  std::map<std::string, std::string> metadata;
  auto tensors = wick::load_safetensors(path, wick::kCPU, &metadata);
  for (const char* name : {"fc1.weight", "fc2.weight", "scaler.scale", "scaler.shift"}) {
    WICK_CHECK(tensors.contains(name), path, " has no tensor ", name, ": it was not written by iris_mlp --save or tools/iris_weights.py");
  }
  std::vector<std::string> classes;
  for (std::string names = metadata["classes"]; !names.empty(); names.erase(0, classes.back().size() + 1)) {
    classes.push_back(names.substr(0, names.find('\n')));
  }
  const wick::Tensor scale = tensors["scaler.scale"], shift = tensors["scaler.shift"];
  tensors.erase("scaler.scale");
  tensors.erase("scaler.shift");
  const wick::Tensor &first = tensors["fc1.weight"], &last = tensors["fc2.weight"];
  WICK_CHECK(first.dim() == 2 && last.dim() == 2 && last.size(0) == static_cast<int64_t>(classes.size()) &&
                 scale.sizes() == wick::IntArrayRef({first.size(1)}) && shift.sizes() == scale.sizes(),
             path, ": the tensors do not fit the names of the classes or each other");
  Classifier classifier{MLP(first.size(1), last.size(0)), scale.to(wick::kDouble), shift.to(wick::kDouble), classes};
  classifier.model.load_state_dict(tensors);
  return classifier;
}

}  // namespace examples
