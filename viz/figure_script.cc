// The gnuplot commands of a panel. All ranges and the ticks of logarithmic axes are computed here rather than left to gnuplot, which
// fails or warns on empty, constant and single-point data and labels less than a decade with nothing.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/viz/figure.h"
#include "wick/viz/gnuplot.h"
#include "wick/viz/terminal.h"

namespace wick::viz::detail {

using wick::detail::concat;

namespace {

constexpr double kLargest = 1e250;  // the difference of two values and a margin of some decades must stay finite
constexpr double kSmallest = 1e-250;
constexpr double kMargin = 0.04;
constexpr double kBarGroup = 0.75;  // of the distance of two categories

bool drawable(double value, const Axis& axis) { return std::abs(value) <= kLargest && (!axis.log || value >= kSmallest); }

bool drawable(double x, double y, const Panel& panel) { return drawable(x, panel.x) && drawable(y, panel.y); }

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// The limits of an axis: the user's, or the data's with a margin (in decades on a logarithmic axis). A side at zero that bars stand on
// gets none.
Range with_margin(Extent extent, const Axis& axis, bool bars) {
  if (axis.range) return *axis.range;
  if (extent.low > extent.high) return axis.log ? Range{1, 10} : Range{0, 1};
  const double low = axis.log ? std::log10(extent.low) : extent.low;
  const double high = axis.log ? std::log10(extent.high) : extent.high;
  const double size = std::max(std::abs(low), std::abs(high));
  const bool constant = high - low <= 1e-9 * size;
  const double margin = constant ? (axis.log ? 0.3 : size > 0 ? 0.1 * size : 0.5) : kMargin * (high - low);
  const double below = bars && extent.low == 0 && !constant ? 0 : margin;
  const double above = bars && extent.high == 0 && !constant ? 0 : margin;
  if (axis.log) return {std::pow(10, low - below), std::pow(10, high + above)};
  return {low - below, high + above};
}

struct Ranges {
  Range x, y;
};

Ranges data_range(const Panel& panel) {
  Extent x, y;
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!drawable(curve.x[i], curve.y[i], panel)) continue;
      x.include(curve.x[i]);
      y.include(curve.y[i]);
    }
  }
  for (const Bars& bars : panel.bars) {
    if (!panel.y.log) y.include(0);
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      x.include(static_cast<double>(i) - 0.5);
      x.include(static_cast<double>(i) + 0.5);
      if (drawable(bars.values[i], panel.y)) y.include(bars.values[i]);
    }
  }
  for (const Rule& rule : panel.rules) {
    if (drawable(rule.y, panel.y)) y.include(rule.y);
  }
  return {with_margin(x, panel.x, false), with_margin(y, panel.y, !panel.bars.empty())};
}

// The tick positions of less than a third of a decade: multiples of 1, 2 or 5 times a power of ten, about five of them.
std::string close_ticks(Range range) {
  const double rough = (range.high - range.low) / 5;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  std::string out;
  for (double k = std::ceil(range.low / step); k * step <= range.high; ++k) out += (out.empty() ? "" : ", ") + number(k * step);
  return out;
}

// A list like `0.1, "" 0.2 1, ..., 1`: labelled ticks, and unlabelled minor ones of level 1.
std::string log_ticks(Range range, bool powers_only) {
  const double decades = std::log10(range.high) - std::log10(range.low);
  if (decades < 0.35) return close_ticks(range);
  const auto labelled = [&](int mantissa) {
    return mantissa == 1 || decades < 0.8 || (!powers_only && (mantissa == 2 || mantissa == 5));
  };
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / 8)));
  std::string out;
  for (int exponent = static_cast<int>(std::floor(std::log10(range.low))); exponent <= std::log10(range.high); ++exponent) {
    for (int mantissa = 1; mantissa <= (stride == 1 ? 9 : 1); ++mantissa) {
      // Through text, since 3 * pow(10, -1) is not 0.3 and the tick would be labelled 0.30000000000000004.
      const std::string text = concat(mantissa, "e", exponent);
      const double value = std::stod(text);
      if (value < range.low || value > range.high) continue;
      const bool major = labelled(mantissa) && exponent % stride == 0;
      out += (out.empty() ? "" : ", ") + (major ? number(value) : "\"\" " + number(value) + " 1");
    }
  }
  return out;
}

std::string axis_script(const char* name, const Axis& axis, Range range) {
  std::string out = concat("set ", name, "range [", number(range.low), ":", number(range.high), "]\n");
  if (!axis.label.empty()) out += concat("set ", name, "label ", gnuplot_quote(axis.label), " noenhanced textcolor rgb \"#303030\"\n");
  if (!axis.log) return out;
  WICK_CHECK_VALUE(range.low >= 1e-300, "a logarithmic axis needs a positive range, got ", range.low, " to ", range.high);
  // On short axes two and five are labelled as well; labels stand closer together on an x axis.
  const bool powers_only = std::log10(range.high) - std::log10(range.low) > (*name == 'x' ? 1.5 : 2.2);
  const bool short_numbers = range.low >= 1e-4 && range.high <= 1e5;
  out += concat("set logscale ", name, "\n");
  if (short_numbers) out += concat("set format ", name, " \"%g\"\n");
  else if (powers_only) out += concat("set format ", name, " \"10^{%T}\"\n");
  return out + concat("set ", name, "tics (", log_ticks(range, powers_only), ")\n");
}

std::string legend_script(Legend legend) {
  const char* position = "";
  switch (legend) {
    case Legend::kNone: return "unset key\n";
    case Legend::kTopRight: position = "top right"; break;
    case Legend::kTopLeft: position = "top left"; break;
    case Legend::kBottomRight: position = "bottom right"; break;
    case Legend::kBottomLeft: position = "bottom left"; break;
    case Legend::kOutside: position = "outside right top"; break;
  }
  // On a ground that dims what lies behind: a curve under the text makes it hard to read.
  return concat("set key ", position, " Left reverse noenhanced samplen 2.5 spacing 1.15 textcolor rgb \"#303030\"",
                " opaque fillcolor rgb \"#33ffffff\"\n");
}

// What every panel looks like: axes left and below in grey, a thin grid behind the data, nothing else.
std::string look_script(const Panel& panel) {
  std::string out =
      "reset\n"
      "set border 3 linecolor rgb \"#808080\" linewidth 0.8\n"
      "set tics nomirror out scale 0.5,0.25 textcolor rgb \"#303030\"\n"
      "set format \"%h\"\n"
      "set style fill solid 1.0 noborder\n";
  if (panel.legend != Legend::kOutside) out += "set rmargin 4\n";  // half a tick label stands out on the right
  if (panel.equal_scales) out += "set size ratio -1\n";
  if (panel.grid) {
    // Vertical lines through bars would only add noise.
    out += concat("set grid ", panel.bars.empty() ? "xtics" : "noxtics",
                  " ytics back linetype 1 linecolor rgb \"#e4e4e4\" linewidth 0.6\n");
  }
  if (!panel.title.empty()) {
    out += concat("set title ", gnuplot_quote(panel.title), " noenhanced font \"sans-serif,12\" offset 0,-0.3\n");
  }
  return out + legend_script(panel.legend);
}

// True if the curves come closer to a rule in their right third than in their left third, as curves that converge do.
bool closer_on_the_right(double rule, const Panel& panel, Range x, Range y) {
  const auto place = [](double value, Range range, const Axis& axis) {
    if (!axis.log) return (value - range.low) / (range.high - range.low);
    return (std::log(value) - std::log(range.low)) / (std::log(range.high) - std::log(range.low));
  };
  double left = 2, right = 2;
  for (const Curve& curve : panel.curves) {
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!drawable(curve.x[i], curve.y[i], panel)) continue;
      const double at = place(curve.x[i], x, panel.x);
      const double distance = std::abs(place(curve.y[i], y, panel.y) - place(rule, y, panel.y));
      if (at < 1.0 / 3) left = std::min(left, distance);
      if (at > 2.0 / 3) right = std::min(right, distance);
    }
  }
  return right < left;
}

std::string rules_script(const Panel& panel, const Ranges& ranges) {
  std::string out;
  for (const Rule& rule : panel.rules) {
    if (!drawable(rule.y, panel.y)) continue;
    const std::string y = number(rule.y);
    out += concat("set arrow from graph 0, first ", y, " to graph 1, first ", y,
                  " nohead back dashtype (8,5) linewidth 1 linecolor rgb \"#707070\"\n");
    if (rule.label.empty()) continue;
    const bool left = closer_on_the_right(rule.y, panel, ranges.x, ranges.y);
    out += concat("set label ", gnuplot_quote(rule.label), left ? " at graph 0.01" : " at graph 0.99", ", first ", y,
                  left ? " left" : " right", " offset 0,0.5 front noenhanced font \",9\" textcolor rgb \"#505050\"\n");
  }
  return out;
}

// The names of the categories, aslant where the longest does not fit below its bars.
std::string categories_script(const std::vector<std::string>& categories, double width) {
  constexpr double kInchesPerColumn = 0.09;
  int longest = 0;
  std::string list;
  for (std::size_t i = 0; i < categories.size(); ++i) {
    longest = std::max(longest, display_width(categories[i]));
    list += concat(i > 0 ? ", " : "", gnuplot_quote_tick(categories[i]), " ", i);
  }
  const double room = 0.8 * width / static_cast<double>(std::max<std::size_t>(1, categories.size()));
  const bool aslant = (longest + 1) * kInchesPerColumn > room;
  return concat("set xtics scale 0 noenhanced ", aslant ? "rotate by 30 right " : "", "(", list, ")\n");
}

// The data blocks of a panel and the clauses of the plot command that refer to them.
class PlotWriter {
 public:
  PlotWriter(const Panel& panel, std::string prefix) : panel_(panel), prefix_(std::move(prefix)) {
    for (std::size_t k = 0; k < panel.bars.size(); ++k) add_bars(k);
    for (const Curve& curve : panel.curves) add_curve(curve);
    if (clauses_.empty()) clauses_ = "NaN notitle";  // a plot command needs something to plot
  }

  std::string text() const { return blocks_ + "plot " + clauses_ + "\n"; }

 private:
  void add_curve(const Curve& curve) {
    // A blank line breaks the curve. Two of them would begin another data set, so there is never more than one.
    std::string rows;
    bool gap = false;
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      const bool draw = drawable(curve.x[i], curve.y[i], panel_);
      if (draw) rows += concat(gap && !rows.empty() ? "\n" : "", number(curve.x[i]), " ", number(curve.y[i]), "\n");
      gap = !draw;
    }
    const std::string color = concat("linecolor rgb \"", curve.style.color, "\"");
    const std::string line = concat(" linewidth ", number(curve.style.width), " ");
    switch (curve.style.draw) {
      case Draw::kLine: return add(rows, "with lines" + line + "dashtype 1 " + color, curve.style);
      case Draw::kDashed: return add(rows, "with lines" + line + "dashtype (6,3) " + color, curve.style);
      case Draw::kPoints: return add(rows, "with points pointtype 7 pointsize 0.7 " + color, curve.style);
      case Draw::kLinePoints: return add(rows, "with linespoints" + line + "dashtype 1 pointtype 7 pointsize 0.5 " + color, curve.style);
    }
  }

  void add_bars(std::size_t k) {
    const Bars& bars = panel_.bars[k];
    const double count = static_cast<double>(panel_.bars.size());
    const double width = kBarGroup / count;
    const double offset = (static_cast<double>(k) - (count - 1) / 2) * width;
    std::string rows;
    for (std::size_t i = 0; i < bars.values.size(); ++i) {
      if (!drawable(bars.values[i], panel_.y)) continue;
      rows += concat(number(static_cast<double>(i) + offset), " ", number(bars.values[i]), " ", number(0.94 * width), "\n");
    }
    add(rows, concat("with boxes linecolor rgb \"", bars.style.color, "\""), bars.style);
  }

  void add(const std::string& rows, const std::string& look, const Style& style) {
    if (!clauses_.empty()) clauses_ += ", \\\n     ";
    if (rows.empty()) {
      clauses_ += "NaN";
    } else {
      const std::string name = concat("$", prefix_, "_", block_count_++);
      blocks_ += concat(name, " << END\n", rows, "END\n");
      clauses_ += name;
    }
    clauses_ += ' ' + look + (style.label.empty() ? " notitle" : " title " + gnuplot_quote(style.label) + " noenhanced");
  }

  const Panel& panel_;
  std::string prefix_;
  std::string blocks_, clauses_;
  int block_count_ = 0;
};

// A picture fills its panel, with square pixels. What is not a number is black.
std::string picture_script(const Panel& panel, const std::string& prefix) {
  const Picture& picture = panel.picture;
  std::string out =
      concat("reset\nunset border\nunset tics\nunset key\nunset colorbox\nset palette gray\nset size ratio -1\nset margins 1,1,1,",
             panel.title.empty() ? "1" : "2.5", "\nset cbrange [", number(picture.range.low), ":", number(picture.range.high), "]\n");
  if (!panel.title.empty()) out += concat("set title ", gnuplot_quote(panel.title), " noenhanced font \"sans-serif,12\" offset 0,-0.5\n");
  out += concat("set xrange [-0.5:", picture.columns - 0.5, "]\nset yrange [", picture.rows - 0.5, ":-0.5]\n$", prefix, " << END\n");
  for (int i = 0; i < picture.rows; ++i) {
    for (int j = 0; j < picture.columns; ++j) {
      const double value =
          picture.values[static_cast<std::size_t>(i) * static_cast<std::size_t>(picture.columns) + static_cast<std::size_t>(j)];
      out += (j ? " " : "") + number(std::isfinite(value) ? std::clamp(value, picture.range.low, picture.range.high) : picture.range.low);
    }
    out += '\n';
  }
  return out + concat("END\nplot $", prefix, " matrix with image notitle\n");
}

std::string names_script(const char* axis, const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) list += concat(i ? ", " : "", gnuplot_quote_tick(names[i]), " ", i);
  return concat("set ", axis, "tics scale 0 noenhanced nomirror textcolor rgb \"#303030\" (", list, ")\n");
}

// White is 0, or the least value where that is negative. Numbers on dark squares are white.
std::string matrix_script(const Panel& panel, const std::string& prefix) {
  const Matrix& matrix = panel.matrix;
  const std::size_t rows = matrix.row_names.size(), columns = matrix.column_names.size();
  Extent extent;
  extent.include(0);
  std::string data;
  for (std::size_t i = 0; i < matrix.values.size(); ++i) {
    const double value = matrix.values[i];
    if (drawable(value, {})) extent.include(value);
    data += (drawable(value, {}) ? number(value) : "nan") + ((i + 1) % columns ? ' ' : '\n');
  }
  if (extent.high == extent.low) extent.high += 1;
  std::string out = concat("reset\nunset key\nunset colorbox\nset palette defined (0 \"#ffffff\", 1 \"#0072b2\")\nset size ratio -1\n",
                           "set border linecolor rgb \"#808080\" linewidth 0.8\n", names_script("x", matrix.column_names),
                           names_script("y", matrix.row_names));
  if (!panel.title.empty()) out += concat("set title ", gnuplot_quote(panel.title), " noenhanced font \"sans-serif,12\" offset 0,-0.3\n");
  if (!panel.x.label.empty()) out += concat("set xlabel ", gnuplot_quote(panel.x.label), " noenhanced textcolor rgb \"#303030\"\n");
  if (!panel.y.label.empty()) out += concat("set ylabel ", gnuplot_quote(panel.y.label), " noenhanced textcolor rgb \"#303030\"\n");
  const std::string half = number(extent.low + 0.55 * (extent.high - extent.low)), name = "$" + prefix;
  const auto labels = [&](const char* condition, const char* color) {
    return concat(", \\\n     ", name, " matrix using 1:2:($3 ", condition, " ", half,
                  " ? sprintf(\"%.6g\", $3) : \"\") with labels textcolor rgb \"", color, "\" notitle");
  };
  out += concat("set cbrange [", number(extent.low), ":", number(extent.high), "]\nset xrange [-0.5:", static_cast<double>(columns) - 0.5,
                "]\nset yrange [", static_cast<double>(rows) - 0.5, ":-0.5]\n", name, " << END\n", data, "END\nplot ", name);
  return out + concat(" matrix using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette fillstyle solid "
                      "border linecolor rgb \"#d0d0d0\" notitle", labels("<=", "#303030"), labels(">", "#ffffff"), "\n");
}

}  // namespace

std::string panel_script(const Panel& panel, const std::string& prefix, double width) {
  if (panel.picture.rows > 0) return picture_script(panel, prefix);
  if (!panel.matrix.values.empty()) return matrix_script(panel, prefix);
  WICK_CHECK_VALUE(!panel.x.log || panel.bars.empty(), "bars stand on categories, their x axis cannot be logarithmic");
  WICK_CHECK_VALUE(!panel.equal_scales || !(panel.x.log || panel.y.log), "equal scales need linear axes, and one is logarithmic");
  const Ranges ranges = data_range(panel);
  std::string out = look_script(panel) + axis_script("x", panel.x, ranges.x) + axis_script("y", panel.y, ranges.y);
  if (!panel.bars.empty()) out += categories_script(panel.categories, width);
  return out + rules_script(panel, ranges) + PlotWriter(panel, prefix).text();
}

}  // namespace wick::viz::detail
