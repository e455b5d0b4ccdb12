// LibTorch's way to say which members of an optimiser's options or state count: serialize(archive), to and from an archive, with a macro
// for each member. wick's own is WICK_FIELDS (wick/optim/detail/fields.h), which serialize() takes the place of where a struct has it.
//
//     void serialize(torch::serialize::OutputArchive& archive) const override { _TORCH_OPTIM_SERIALIZE_TORCH_ARG(lr); }
//     void serialize(torch::serialize::InputArchive& archive) override { _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(double, lr); }
#pragma once

#include <torch/serialize/archive.h>

#include <deque>
#include <optional>

#include "wick/optim/optimizer.h"

namespace wick::optim {

// What state_dict() and load_state_dict() call. A struct that overrides nothing has no values.
template <class S>
  requires(std::is_base_of_v<NamedStruct, S> && !requires { S::kFields; })
NamedValues serialized_values(const S& x) {
  wick::serialize::OutputArchive archive;
  x.serialize(archive);
  NamedValues result;
  for (const auto& [name, value] : archive.content().toGenericDict()) result.emplace_back(name.toStringRef(), value);
  return result;
}
template <class S>
bool set_serialized(S& x, const std::string& name, const IValue& value) {
  bool known = false;
  for (const auto& member : serialized_values(x)) known = known || member.first == name;
  // A tensor that has no value yet is not among them; an archive without the name changes nothing.
  IValue::Dict one;
  one.emplace_back(name, value);
  wick::serialize::InputArchive archive{IValue(std::move(one))};
  x.serialize(archive);
  return known || value.isTensor();
}

namespace detail {
template <class T>
void write_arg(wick::serialize::OutputArchive& archive, const char* name, const T& value) {
  const IValue packed = to_value(value);
  if (!packed.isTensor() || packed.toTensor().defined()) archive.write(name, packed);
}
template <class T>
std::optional<T> read_arg(wick::serialize::InputArchive& archive, const char* name) {
  IValue packed;
  if (!archive.try_read(name, packed)) return std::nullopt;
  // load_state_dict() hands over a count of steps as a tensor, as Python keeps it.
  if constexpr (std::is_arithmetic_v<T>) {
    if (packed.isTensor()) return packed.toTensor().item<T>();
  }
  T value{};
  from_value(packed, value);
  return value;
}
}  // namespace detail

}  // namespace wick::optim

#define _TORCH_OPTIM_SERIALIZE_TORCH_ARG(name) ::wick::optim::detail::write_arg(archive, #name, name())
#define _TORCH_OPTIM_SERIALIZE_TORCH_ARG_DEQUE(name) _TORCH_OPTIM_SERIALIZE_TORCH_ARG(name)
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(T, name)                                                    \
  do {                                                                                                 \
    if (auto wick_value = ::wick::optim::detail::read_arg<T>(archive, #name)) name(*wick_value);       \
  } while (false)
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_OPTIONAL(T, name) _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(std::optional<T>, name)
#define _TORCH_OPTIM_DESERIALIZE_TORCH_ARG_DEQUE(T, name) _TORCH_OPTIM_DESERIALIZE_TORCH_ARG(T, name)
