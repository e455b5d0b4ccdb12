#include "wick/datasets/tables.h"

#include "wick/datasets/csv.h"
#include "wick/datasets/detail/tensors.h"
#include "wick/framework/io/bytes.h"

namespace wick::datasets {
namespace {

constexpr std::string_view kIris =
#include "wick/third_party/scikit_learn/iris.inc"
    ;
constexpr std::string_view kWine =
#include "wick/third_party/scikit_learn/wine.inc"
    ;
constexpr std::string_view kBreastCancer =
#include "wick/third_party/scikit_learn/breast_cancer.inc"
    ;
constexpr std::string_view kDigits =
#include "wick/third_party/scikit_learn/digits.inc"
    ;

// The CSV text in a literal that tools/make_tables.py wrote.
std::string unpack(std::string_view literal) {
  constexpr std::string_view kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";
  std::string bytes;
  for (size_t i = 0; i < literal.size(); i += 5) {
    uint32_t group = 0;
    for (size_t j = 0; j < 5; ++j) group = group * 85 + static_cast<uint32_t>(kAlphabet.find(literal[i + j]));
    io::put(bytes, __builtin_bswap32(group));
  }
  io::ByteReader reader(bytes, "embedded data");
  return io::inflate(reader.take(__builtin_bswap32(reader.number<uint32_t>())), "embedded data");
}

Table load_table(std::string_view literal, std::vector<std::string> target_names) {
  detail::CsvTable table = detail::parse_csv(unpack(literal), {.label = int64_t{-1}});
  return {detail::to_tensor(table.features), detail::to_tensor(table.labels), std::move(table.feature_names), std::move(target_names)};
}

}  // namespace

Iris Iris::load() { return {load_table(kIris, {"setosa", "versicolor", "virginica"})}; }
Wine Wine::load() { return {load_table(kWine, {"class_0", "class_1", "class_2"})}; }
BreastCancer BreastCancer::load() { return {load_table(kBreastCancer, {"malignant", "benign"})}; }
Digits Digits::load() {
  Table table = load_table(kDigits, {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"});
  Tensor images = table.data.view({-1, 8, 8});
  return {std::move(table), std::move(images)};
}

}  // namespace wick::datasets
