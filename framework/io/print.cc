#include "wick/framework/io/print.h"

#include <charconv>
#include <cmath>
#include <mutex>
#include <ostream>

namespace wick {
namespace {

// ---- Numbers -----------------------------------------------------------------------------------------------------------------------

// x with a fixed number of digits behind the point, like %f and %e but for locales and the sign of NaN.
std::string format_number(double x, std::chars_format format, int precision) {
  if (std::isnan(x)) return "nan";
  std::string text(static_cast<size_t>(330 + precision), '\0');  // 1e308 has 309 digits
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), x, format, precision);
  text.resize(static_cast<size_t>(end - text.data()));
  return text;
}

// An element, read as what it is.
struct Element {
  double d;
  int64_t i;
};

Element read(ScalarType dtype, const void* data, int64_t index) {
  return dispatch_dtype(dtype, "print", [&]<class T>() {
    const T value = static_cast<const T*>(data)[index];
    if constexpr (std::is_integral_v<T>) return Element{0, static_cast<int64_t>(value)};
    else return Element{static_cast<double>(value), 0};
  });
}

// How all numbers of one tensor are written, decided by those that are shown.
class NumberFormat {
 public:
  NumberFormat(ScalarType dtype, const PrintOptions& options) : dtype_(dtype), options_(options), floating_(is_floating(dtype)) {}

  void look_at(const Element& x) {
    if (!floating_) {
      width_ = std::max(width_, digits(x).size());
    } else if (std::isfinite(x.d) && x.d != 0) {
      const double magnitude = std::fabs(x.d);
      smallest_ = std::min(smallest_, magnitude);
      largest_ = std::max(largest_, magnitude);
      whole_ &= x.d == std::trunc(x.d);
      any_ = true;
    }
  }
  void choose_notation() {
    if (!any_) return;
    const bool wide = largest_ / smallest_ > 1000.0 || largest_ > 1.0e8 || smallest_ < 1.0e-4;
    scientific_ = options_.sci_mode.value_or(wide);
  }
  void measure(const Element& x) {
    if (floating_ && std::isfinite(x.d) && x.d != 0) width_ = std::max(width_, digits(x).size());
  }

  bool floating() const { return floating_; }
  size_t width() const { return width_; }
  std::string text(const Element& x) const {
    const std::string text = digits(x);
    return text.size() < width_ ? std::string(width_ - text.size(), ' ') + text : text;
  }

 private:
  std::string digits(const Element& x) const {
    if (dtype_ == kBool) return x.i ? "True" : "False";
    if (!floating_) return std::to_string(x.i);
    if (scientific_) return format_number(x.d, std::chars_format::scientific, options_.precision);
    if (!whole_) return format_number(x.d, std::chars_format::fixed, options_.precision);
    return format_number(x.d, std::chars_format::fixed, 0) + (std::isfinite(x.d) ? "." : "");
  }

  ScalarType dtype_;
  const PrintOptions& options_;
  bool floating_, scientific_ = false, whole_ = true, any_ = false;
  double smallest_ = HUGE_VAL, largest_ = 0;
  size_t width_ = 1;
};

// ---- Contents ----------------------------------------------------------------------------------------------------------------------

class Contents {
 public:
  Contents(const TensorBase& x, const PrintOptions& options)
      : x_(x),
        options_(options),
        summarize_(x.numel() > options.threshold),
        parts_(x.is_complex() ? 2 : 1),
        formats_{{to_real_type(x.scalar_type()), options}, {to_real_type(x.scalar_type()), options}} {}

  // The numbers in brackets; lines after the first begin with `indent` spaces more than their brackets ask for.
  std::string text(size_t indent) {
    for (int part = 0; part < parts_; ++part) {
      NumberFormat& format = formats_[part];
      visit(0, 0, [&](int64_t at) { format.look_at(element(at, part)); });
      format.choose_notation();
      if (format.floating()) visit(0, 0, [&](int64_t at) { format.measure(element(at, part)); });
    }
    std::string out;
    append(out, 0, 0, indent);
    return out;
  }

 private:
  int64_t size(size_t d) const { return x_.sizes()[d]; }
  size_t ndim() const { return x_.sizes().size(); }
  Element element(int64_t index, int part) const { return read(to_real_type(x_.scalar_type()), x_.data_ptr(), parts_ * index + part); }
  // "1.5000", "1.5000-2.0000j"
  std::string number(int64_t index) const {
    std::string text = formats_[0].text(element(index, 0));
    if (parts_ == 1) return text;
    const std::string imaginary = formats_[1].text(element(index, 1));
    const size_t first = imaginary.find_first_not_of(' ');
    return text.append(imaginary[first] == '-' ? "" : "+").append(imaginary, first).append("j");
  }
  size_t width() const { return formats_[0].width() + (parts_ == 2 ? formats_[1].width() + 1 : 0); }
  bool shortened(size_t d) const { return summarize_ && size(d) > 2 * options_.edgeitems; }

  // Calls f(i) for each index along dimension d that is shown, and gap() where some are left out.
  template <class F, class Gap>
  void for_each_shown(size_t d, const F& f, const Gap& gap) const {
    const bool cut = shortened(d);
    for (int64_t i = 0; i < size(d); ++i) {
      if (cut && i == options_.edgeitems) {
        gap();
        i = size(d) - options_.edgeitems;
        if (i == size(d)) break;
      }
      f(i);
    }
  }

  template <class F>
  void visit(size_t d, int64_t index, const F& f) const {
    if (d == ndim()) return f(index);
    for_each_shown(d, [&](int64_t i) { visit(d + 1, index + i * x_.strides()[d], f); }, [] {});
  }

  // The part of the tensor whose first d indices are given by `index`, an offset into memory.
  void append(std::string& out, size_t d, int64_t index, size_t indent) const {
    if (d == ndim()) {
      out += number(index);
    } else if (d + 1 == ndim()) {
      append_vector(out, index, indent);
    } else {
      const std::string separator = ',' + std::string(ndim() - d - 1, '\n') + std::string(indent + 1, ' ');
      bool first = true;
      const auto separate = [&] { out += std::exchange(first, false) ? "[" : separator; };
      const auto slice = [&](int64_t i) {
        separate();
        append(out, d + 1, index + i * x_.strides()[d], indent + 1);
      };
      for_each_shown(d, slice, [&] { separate(), out += "..."; });
      out += ']';
    }
  }

  void append_vector(std::string& out, int64_t index, size_t indent) const {
    const size_t d = ndim() - 1;
    const int64_t room = options_.linewidth - static_cast<int64_t>(indent);
    const int64_t per_line = std::max<int64_t>(1, room / static_cast<int64_t>(width() + 2));
    int64_t count = 0;
    const auto item = [&](const std::string& text) {
      if (count) out += count % per_line ? ", " : ",\n" + std::string(indent + 1, ' ');
      out += text;
      ++count;
    };
    out += '[';
    const char* gap = options_.edgeitems ? " ..." : "...";
    for_each_shown(d, [&](int64_t i) { item(number(index + i * x_.strides()[d])); }, [&] { item(gap); });
    out += ']';
  }

  const TensorBase& x_;
  const PrintOptions& options_;
  const bool summarize_;
  const int parts_;          // of a number: 2 of a complex one, whose parts have formats of their own
  NumberFormat formats_[2];
};

// ---- What stands behind ------------------------------------------------------------------------------------------------------------

// "(2, 3)", "(2,)", "()": a Python tuple.
std::string tuple_text(IntArrayRef sizes) {
  return '(' + joined_text(sizes, ", ") + (sizes.size() == 1 ? ",)" : ")");
}

std::vector<std::string> suffixes_of(const Tensor& x, const PrintOptions& options) {
  std::vector<std::string> suffixes;
  const ScalarType t = x.scalar_type();
  const bool meta = x.is_meta(), empty = x.numel() == 0;
  if (!x.is_cpu()) suffixes.push_back("device='" + x.device().str() + "'");
  if (meta || (empty && x.dim() != 1) || (!empty && options.edgeitems == 0)) suffixes.push_back("size=" + tuple_text(x.sizes()));
  // Without elements nothing else shows that they would be integers.
  const bool evident = t == default_dtype() || (!meta && !empty && (t == kLong || t == kBool || t == to_complex_type(default_dtype())));
  if (!evident) suffixes.push_back(std::string("dtype=torch.") + dtype_name(t));
  if (const auto node = x.grad_fn()) suffixes.push_back("grad_fn=<" + node->name() + ">");
  else if (x.requires_grad()) suffixes.push_back("requires_grad=True");
  return suffixes;
}

std::string contents_of(const Tensor& x, const PrintOptions& options, size_t indent) {
  if (x.is_meta()) return "...";
  if (x.numel() == 0) return "[]";
  return Contents(x.is_cpu() ? x : x.detach().cpu(), options).text(indent);
}

std::mutex g_mutex;
PrintOptions g_options;

}  // namespace

PrintOptions get_printoptions() {
  std::lock_guard<std::mutex> lock(g_mutex);
  return g_options;
}

void set_printoptions(const PrintOptions& options) {
  WICK_CHECK_VALUE(options.precision >= 0 && options.precision <= 100, "set_printoptions: precision must be from 0 to 100, got ",
                   options.precision);
  WICK_CHECK_VALUE(options.threshold >= 0 && options.edgeitems >= 0 && options.linewidth >= 0,
                   "set_printoptions: threshold, edgeitems and linewidth must not be negative, got ", options.threshold, ", ",
                   options.edgeitems, " and ", options.linewidth);
  std::lock_guard<std::mutex> lock(g_mutex);
  g_options = options;
}

std::string to_string(const Tensor& x, const PrintOptions& options) {
  if (!x.defined()) return "[ Tensor (undefined) ]";
  const std::string prefix = "tensor(";
  std::string text = prefix + contents_of(x, options, prefix.size());
  // PyTorch counts one character more than the line has, and two where it is the first.
  const size_t newline = text.rfind('\n');
  int64_t line = static_cast<int64_t>(newline == std::string::npos ? text.size() + 2 : text.size() - newline + 1);
  for (const std::string& suffix : suffixes_of(x, options)) {
    const int64_t length = static_cast<int64_t>(suffix.size());
    const bool wrap = line + length + 2 > options.linewidth;
    text += (wrap ? ",\n" + std::string(prefix.size(), ' ') : ", ") + suffix;
    line = wrap ? static_cast<int64_t>(prefix.size()) + length : line + length + 2;
  }
  return text + ')';
}

std::string to_string(const Tensor& x) { return to_string(x, get_printoptions()); }

std::ostream& operator<<(std::ostream& out, const Tensor& x) { return out << to_string(x); }

}  // namespace wick
