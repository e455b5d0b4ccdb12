#include "wick/viz/figure.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <utility>

#include "wick/framework/core/error.h"
#include "wick/viz/gnuplot.h"
#include "wick/viz/output_file.h"

namespace wick::viz {

using wick::detail::concat;
using wick::detail::raise;

namespace {

// Okabe and Ito's colours without yellow (too light for lines), ordered for contrast between neighbours.
constexpr std::array kPalette = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

struct FormatInfo {
  Format format;
  std::string_view extension;
  std::string_view last_bytes;  // every complete file has them near its end
};
constexpr FormatInfo kFormats[] = {
    {Format::kPng, ".png", "IEND"}, {Format::kSvg, ".svg", "</svg>"}, {Format::kPdf, ".pdf", "%%EOF"}};

const FormatInfo& format_of(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const FormatInfo& info : kFormats) {
    if (info.extension == extension) return info;
  }
  raise<ValueError>("cannot write ", path, ": a chart's extension must be .png, .svg or .pdf, not \"", extension, "\"");
}

// gnuplot does not look whether its output arrives on the disk.
bool is_complete(int fd, std::string_view last_bytes) {
  char tail[64];
  const off_t size = lseek(fd, 0, SEEK_END);
  const ssize_t got = pread(fd, tail, sizeof(tail), std::max<off_t>(0, size - static_cast<off_t>(sizeof(tail))));
  return got > 0 && std::string_view(tail, static_cast<std::size_t>(got)).find(last_bytes) != std::string_view::npos;
}

Style checked(Style style) {
  const bool valid = style.color.empty() || (style.color.size() == 7 && style.color[0] == '#' &&
                                             style.color.find_first_not_of("0123456789abcdefABCDEF", 1) == std::string::npos);
  WICK_CHECK_VALUE(valid, "a chart's color must be \"#rrggbb\", got \"", style.color, "\"");
  WICK_CHECK_VALUE(style.width > 0 && style.width <= 100, "a line's width must be in (0, 100] points, got ", style.width);
  return style;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string series_name(const std::string& label, const char* kind, std::size_t index) {
  return csv_field(label.empty() ? concat(kind, " ", index + 1) : label);
}

std::string panel_csv(const detail::Panel& panel, const std::string& start) {
  using detail::number;
  std::string out;
  for (std::size_t k = 0; k < panel.curves.size(); ++k) {
    const detail::Curve& curve = panel.curves[k];
    const std::string head = start + series_name(curve.style.label, "curve", k) + ',';
    for (std::size_t i = 0; i < curve.x.size(); ++i) out += head + number(curve.x[i]) + ',' + number(curve.y[i]) + '\n';
  }
  for (std::size_t k = 0; k < panel.bars.size(); ++k) {
    const std::string head = start + series_name(panel.bars[k].style.label, "bars", k) + ',';
    for (std::size_t i = 0; i < panel.categories.size(); ++i) {
      out += head + csv_field(panel.categories[i]) + ',' + number(panel.bars[k].values[i]) + '\n';
    }
  }
  const std::size_t matrix_columns = panel.matrix.column_names.size();
  for (std::size_t i = 0; i < panel.matrix.values.size(); ++i) {
    out += start + csv_field(panel.matrix.row_names[i / matrix_columns]) + ',' + csv_field(panel.matrix.column_names[i % matrix_columns]) +
           ',' + number(panel.matrix.values[i]) + '\n';
  }
  for (std::size_t i = 0; i < panel.picture.values.size(); ++i) {
    const auto columns = static_cast<std::size_t>(panel.picture.columns);
    out += start + concat("row ", i / columns, ",", i % columns, ",") + number(panel.picture.values[i]) + '\n';
  }
  for (std::size_t k = 0; k < panel.rules.size(); ++k) {
    out += start + series_name(panel.rules[k].label, "rule", k) + ",," + number(panel.rules[k].y) + '\n';
  }
  return out;
}

// The script's lengths (font 10, line widths) are meant as points of 1/72 inch. What gnuplot's terminals make of them differs: fonts
// count 1/96 inch at 72 units to the inch in the cairo terminals, lines of a PDF half a point.
std::string terminal(Format format, double width, double height, double dpi) {
  using detail::number;
  const auto options = [](const char* name, double font_scale, double line_scale, const std::string& size) {
    return concat("set terminal ", name, " enhanced background \"#ffffff\" font \"sans-serif,10\" fontscale ", number(font_scale),
                  " linewidth ", number(line_scale), " size ", size, "\n");
  };
  const auto pixels = [&](double per_inch) { return concat(std::lround(width * per_inch), ",", std::lround(height * per_inch)); };
  switch (format) {
    case Format::kSvg: return options("svg", 96.0 / 72, 96.0 / 72, pixels(96));
    case Format::kPdf: return options("pdfcairo", 72.0 / 96, 2, number(width) + "in," + number(height) + "in");
    case Format::kPng: break;
  }
  return options("pngcairo", dpi / 96, dpi / 72, pixels(dpi));
}

}  // namespace

namespace detail {

std::string number(double value) {
  char buffer[32];
  return std::string(buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr);
}

}  // namespace detail

Axes& Axes::line(std::span<const double> x, std::span<const double> y, Style style) {
  WICK_CHECK_VALUE(x.size() == y.size(), "a curve needs as many x as y, got ", x.size(), " and ", y.size());
  style = checked(std::move(style));
  if (style.color.empty()) style.color = next_color();
  panel_.curves.push_back({{x.begin(), x.end()}, {y.begin(), y.end()}, std::move(style)});
  return *this;
}

Axes& Axes::points(std::span<const double> x, std::span<const double> y, Style style) {
  style.draw = Draw::kPoints;
  return line(x, y, std::move(style));
}

Axes& Axes::rule(double y, std::string label) {
  panel_.rules.push_back({y, std::move(label)});
  return *this;
}

Axes& Axes::bars(std::vector<std::string> categories, std::span<const double> values, Style style) {
  WICK_CHECK_VALUE(categories.size() == values.size(), "bars need as many categories as values, got ", categories.size(), " and ",
                   values.size());
  WICK_CHECK_VALUE(panel_.bars.empty() || categories == panel_.categories, "all bars of a panel must have the same categories");
  style = checked(std::move(style));
  if (style.color.empty()) style.color = next_color();
  panel_.categories = std::move(categories);
  panel_.bars.push_back({{values.begin(), values.end()}, std::move(style)});
  return *this;
}

namespace {

// Where the contour of a level crosses a cell of the grid: one or two segments between its edges. Corners and edges go around from the
// upper left, edge k from corner k to corner k + 1.
struct Crossing {
  double x, y;
};
void cross_cell(const std::array<Crossing, 4>& corner, const std::array<double, 4>& value, double level, std::vector<double>& xs,
                std::vector<double>& ys) {
  std::vector<Crossing> at;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t next = (k + 1) % 4;
    if ((value[k] < level) == (value[next] < level)) continue;
    const double t = (level - value[k]) / (value[next] - value[k]);
    at.push_back({corner[k].x + t * (corner[next].x - corner[k].x), corner[k].y + t * (corner[next].y - corner[k].y)});
  }
  // In a saddle the mean decides which crossings belong together.
  if (at.size() == 4 && ((value[0] + value[1] + value[2] + value[3]) / 4 < level) == (value[0] < level)) {
    std::rotate(at.begin(), at.begin() + 1, at.end());
  }
  for (std::size_t k = 0; k + 1 < at.size(); k += 2) {
    xs.insert(xs.end(), {at[k].x, at[k + 1].x, std::nan("")});
    ys.insert(ys.end(), {at[k].y, at[k + 1].y, std::nan("")});
  }
}

}  // namespace

Axes& Axes::contour(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<const double> levels,
                    Style style) {
  WICK_CHECK_VALUE(x.size() >= 2 && y.size() >= 2 && z.size() == x.size() * y.size(),
                   "contours need at least 2 x 2 points and a value for each, got ", x.size(), " x, ", y.size(), " y and ", z.size(),
                   " values");
  WICK_CHECK_VALUE(std::is_sorted(x.begin(), x.end()) && std::is_sorted(y.begin(), y.end()), "the coordinates of contours must ascend");
  if (style.color.empty()) style.color = "#9aa7b5";
  style.width = std::min(style.width, 0.9);
  for (const double level : levels) {
    std::vector<double> xs, ys;
    for (std::size_t i = 0; i + 1 < y.size(); ++i) {
      for (std::size_t j = 0; j + 1 < x.size(); ++j) {
        const auto at = [&](std::size_t row, std::size_t column) { return z[row * x.size() + column]; };
        cross_cell({{{x[j], y[i]}, {x[j + 1], y[i]}, {x[j + 1], y[i + 1]}, {x[j], y[i + 1]}}},
                   {at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)}, level, xs, ys);
      }
    }
    line(xs, ys, style);
    style.label.clear();  // the legend lists them once
  }
  return *this;
}

Axes& Axes::matrix(std::span<const double> values, std::vector<std::string> row_names, std::vector<std::string> column_names) {
  WICK_CHECK_VALUE(!row_names.empty() && !column_names.empty() && values.size() == row_names.size() * column_names.size(), "a matrix of ",
                   row_names.size(), " x ", column_names.size(), " names needs as many values, got ", values.size());
  panel_.matrix = {{values.begin(), values.end()}, std::move(row_names), std::move(column_names)};
  return *this;
}

Axes& Axes::image(std::span<const double> values, int rows, int columns) {
  double low = 0, high = 0;
  bool first = true;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    low = first ? value : std::min(low, value);
    high = first ? value : std::max(high, value);
    first = false;
  }
  return image(values, rows, columns, low, high > low ? high : low + 1);
}

Axes& Axes::image(std::span<const double> values, int rows, int columns, double low, double high) {
  WICK_CHECK_VALUE(rows > 0 && columns > 0 && values.size() == static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns),
                   "an image of ", rows, " x ", columns, " needs as many values, got ", values.size());
  WICK_CHECK_VALUE(low < high, "an image needs limits low < high, got ", low, " and ", high);
  panel_.picture = {rows, columns, {values.begin(), values.end()}, {low, high}};
  return *this;
}

Axes& Axes::title(std::string text) {
  panel_.title = std::move(text);
  return *this;
}

Axes& Axes::x_label(std::string text) {
  panel_.x.label = std::move(text);
  return *this;
}

Axes& Axes::y_label(std::string text) {
  panel_.y.label = std::move(text);
  return *this;
}

Axes& Axes::log_x(bool on) {
  panel_.x.log = on;
  return *this;
}

Axes& Axes::log_y(bool on) {
  panel_.y.log = on;
  return *this;
}

namespace {

detail::Range checked_range(double low, double high) {
  WICK_CHECK_VALUE(low >= -1e300 && high <= 1e300 && low < high, "an axis needs limits low < high within +-1e300, got ", low, " and ",
                   high);
  return {low, high};
}

}  // namespace

Axes& Axes::x_range(double low, double high) {
  panel_.x.range = checked_range(low, high);
  return *this;
}

Axes& Axes::y_range(double low, double high) {
  panel_.y.range = checked_range(low, high);
  return *this;
}

Axes& Axes::grid(bool on) {
  panel_.grid = on;
  return *this;
}

Axes& Axes::equal_scales(bool on) {
  panel_.equal_scales = on;
  return *this;
}

Axes& Axes::legend(Legend position) {
  panel_.legend = position;
  return *this;
}

std::string Axes::next_color() { return kPalette[colors_used_++ % kPalette.size()]; }

Figure::Figure(int rows, int columns) : rows_(rows), columns_(columns) {
  WICK_CHECK_VALUE(rows >= 1 && columns >= 1 && rows <= 20 && columns <= 20,
                   "a figure has 1 to 20 rows and columns of panels, got ", rows, " x ", columns);
  const bool single = rows * columns == 1;
  width_ = single ? 6.4 : 4.0 * columns;
  height_ = single ? 4.0 : 3.0 * rows;
  axes_.resize(static_cast<std::size_t>(rows * columns));
}

Axes& Figure::axes(int row, int column) {
  WICK_CHECK_INDEX(row >= 0 && row < rows_ && column >= 0 && column < columns_, "the figure has ", rows_, " x ", columns_,
                   " panels, there is none at (", row, ", ", column, ")");
  return axes_[static_cast<std::size_t>(row * columns_ + column)];
}

Figure& Figure::title(std::string text) {
  title_ = std::move(text);
  return *this;
}

Figure& Figure::size(double width, double height) {
  const auto valid = [](double inches) { return inches >= 0.5 && inches <= 100; };
  WICK_CHECK_VALUE(valid(width) && valid(height), "a figure's sides must be 0.5 to 100 inches, got ", width, " x ", height);
  width_ = width;
  height_ = height;
  return *this;
}

Figure& Figure::dpi(double value) {
  WICK_CHECK_VALUE(value >= 20 && value <= 1200, "a figure's dpi must be in [20, 1200], got ", value);
  dpi_ = value;
  return *this;
}

std::string Figure::script(Format format) const {
  std::string out = "set encoding utf8\n" + terminal(format, width_, height_, dpi_);
  const bool multiplot = axes_.size() > 1 || !title_.empty();
  if (multiplot) {
    out += concat("set multiplot layout ", rows_, ",", columns_);
    if (!title_.empty()) out += " title " + detail::gnuplot_quote(title_) + " noenhanced font \"sans-serif,13\"";
    out += '\n';
  }
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    out += detail::panel_script(axes_[k].panel(), concat("panel", k), width_ / columns_);
  }
  if (multiplot) out += "unset multiplot\n";
  return out;
}

std::string Figure::csv() const {
  const bool several = axes_.size() > 1;
  std::string out = several ? "panel,series,x,y\n" : "series,x,y\n";
  for (std::size_t k = 0; k < axes_.size(); ++k) out += panel_csv(axes_[k].panel(), several ? concat(k, ",") : "");
  return out;
}

void Figure::save(const std::string& path) const {
  const FormatInfo& format = format_of(path);
  OutputFile file(path);
  try {
    const std::string commands = script(format.format);
    if (format.format != Format::kSvg) detail::check_font_for(commands);
    detail::run_gnuplot(commands, file.fd());
  } catch (const Error& error) {
    raise<Error>("cannot write ", path, ": ", error.msg());
  }
  WICK_CHECK(is_complete(file.fd(), format.last_bytes), "cannot write ", path, ": gnuplot left the picture incomplete (disk full?)");
  file.commit();
}

void Figure::check_path(const std::string& path) {
  format_of(path);
  OutputFile probe(path);
}

Figure::Saved Figure::save_or_csv(const std::string& path) const {
  if (gnuplot_available()) {
    save(path);
    return {path, "chart written to " + path};
  }
  format_of(path);
  const std::string csv_path = std::filesystem::path(path).replace_extension(".csv").string();
  OutputFile file(csv_path);
  file.write(csv());
  file.commit();
  return {csv_path, "no gnuplot here (Debian: apt install gnuplot-nox): the chart's data written to " + csv_path};
}

}  // namespace wick::viz
