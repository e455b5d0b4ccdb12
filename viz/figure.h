// Charts: curves, points, contours, horizontal rules, bars and images, in one panel or a grid of panels, drawn by gnuplot.
//
//   viz::Figure figure;
//   figure.axes().title("Training loss").x_label("epoch").y_label("cross entropy").line(epochs, losses, {.label = "train"});
//   figure.save("training_loss.png");
//
// A figure is plain data: it copies what it is given, nothing is drawn before save(). All text is UTF-8 and appears as it is written
// (no markup), newlines included. Colours come from the palette of Okabe and Ito ("Color Universal Design", 2008), which people with
// any common colour vision can tell apart.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wick::viz {

// How a curve is drawn.
enum class Draw { kLine, kDashed, kPoints, kLinePoints };

// Where the legend stands. There is one only if something has a label.
enum class Legend { kTopRight, kTopLeft, kBottomRight, kBottomLeft, kOutside, kNone };

// The file formats of Figure::save, chosen by the extension: .png, .svg, .pdf.
enum class Format { kPng, kSvg, kPdf };

struct Style {
  std::string label = {};   // in the legend; empty: not listed
  Draw draw = Draw::kLine;  // of curves
  std::string color = {};   // "#rrggbb"; empty: the next one of the palette
  double width = 1.6;       // of the line, in points (1/72 inch)
};

namespace detail {

struct Curve {
  std::vector<double> x, y;
  Style style;
};

struct Rule {
  double y;
  std::string label;
};

struct Bars {
  std::vector<double> values;
  Style style;
};

struct Range {
  double low, high;
};

struct Picture {
  int rows = 0, columns = 0;
  std::vector<double> values;  // row by row, from the top
  Range range{0, 1};           // of black and white
};

struct Matrix {
  std::vector<double> values;  // row by row, from the top
  std::vector<std::string> row_names, column_names;
};

struct Axis {
  std::string label;
  bool log = false;
  std::optional<Range> range;
};

// Everything that one panel shows. A new kind of content is one more list here, and its part in data_range, PlotWriter and panel_csv.
struct Panel {
  std::string title;
  Axis x, y;
  bool grid = true, equal_scales = false;
  Legend legend = Legend::kTopRight;
  std::vector<Curve> curves;
  std::vector<Rule> rules;
  std::vector<Bars> bars;
  std::vector<std::string> categories;  // of all bars
  Picture picture;                      // fills the panel, which then has no axes
  Matrix matrix;                        // likewise
};

}  // namespace detail

// One panel of a figure. Every method returns the axes, so that calls can be chained. A wrong argument throws wick::ValueError.
class Axes {
 public:
  // A curve through the points (x[i], y[i]); x and y have the same length, which may be 0. A point that cannot be drawn (NaN,
  // infinite, beyond +-1e250; on a logarithmic axis also one below 1e-250) leaves a gap.
  Axes& line(std::span<const double> x, std::span<const double> y, Style style = {});
  // The points alone: line() with Draw::kPoints.
  Axes& points(std::span<const double> x, std::span<const double> y, Style style = {});
  // The lines along which a function has the value of each level, thin and grey unless the style says otherwise. z holds its values
  // at (x[j], y[i]) as z[i * x.size() + j]; between neighbouring points it is taken as linear (marching squares). x and y ascend.
  Axes& contour(std::span<const double> x, std::span<const double> y, std::span<const double> z, std::span<const double> levels,
                Style style = {});
  // A grey picture of rows x columns values, row by row from the top, black where they are low and white where they are high, in place
  // of axes. Without limits the least and the greatest value are black and white.
  Axes& image(std::span<const double> values, int rows, int columns);
  Axes& image(std::span<const double> values, int rows, int columns, double low, double high);
  // A table of numbers, a confusion matrix say: a square for each value, the darker the greater, with the value in it, row by row from the
  // top. The names stand left and below, x_label and y_label beside them. An empty name leaves its place free; names may be long.
  Axes& matrix(std::span<const double> values, std::vector<std::string> row_names, std::vector<std::string> column_names);
  // A dashed grey line across the panel at height y, its label above the end that the curves leave freer. The y axis grows to
  // include it.
  Axes& rule(double y, std::string label = {});
  // A bar for each category, values[i] high, at x = i. Bars added by further calls, with the same categories, stand beside the first.
  Axes& bars(std::vector<std::string> categories, std::span<const double> values, Style style = {});

  Axes& title(std::string text);
  Axes& x_label(std::string text);
  Axes& y_label(std::string text);
  // Logarithmic axes. Together with bars, save() refuses log_x.
  Axes& log_x(bool on = true);
  Axes& log_y(bool on = true);
  // The limits of an axis, low < high, within +-1e300 (1e-300 to 1e300 on a logarithmic axis), instead of those of the data and a
  // margin of 4 %.
  Axes& x_range(double low, double high);
  Axes& y_range(double low, double high);
  Axes& grid(bool on);
  // One unit of x is drawn as long as one of y, so that a circle is round. The panel shrinks in one direction. For linear axes; save()
  // refuses others.
  Axes& equal_scales(bool on = true);
  Axes& legend(Legend position);

  const detail::Panel& panel() const { return panel_; }

 private:
  std::string next_color();

  detail::Panel panel_;
  std::size_t colors_used_ = 0;
};

class Figure {
 public:
  // A figure of rows x columns panels, one by default.
  explicit Figure(int rows = 1, int columns = 1);

  // The panel in that place, counted from the upper left; IndexError beyond the grid.
  Axes& axes(int row = 0, int column = 0);

  // A title above all panels.
  Figure& title(std::string text);
  // Width and height in inches (6.4 x 4 for one panel, 4 x 3 per panel otherwise).
  Figure& size(double width, double height);
  // Pixels per inch of a PNG, 150 by default. Text and lines grow along.
  Figure& dpi(double value);

  // Draws the figure into the file with gnuplot. The file appears whole or not at all; a file that was there is replaced.
  // Throws wick::Error naming the path for an extension other than .png, .svg, .pdf, for a path that cannot be written, and when
  // gnuplot is missing or fails.
  void save(const std::string& path) const;

  // Throws exactly what save() would throw about this path, and leaves nothing behind: for programs that compute for a while before
  // they draw.
  static void check_path(const std::string& path);

  // save(), or where there is no gnuplot, the data as CSV in the file of the same name with the extension .csv. Returns the path
  // written and one line that says so to the user.
  struct Saved {
    std::string path;
    std::string message;
  };
  Saved save_or_csv(const std::string& path) const;

  // The text that save() gives to gnuplot, which writes the picture to its standard output.
  std::string script(Format format = Format::kPng) const;

  // All data in long form, one row a point: panel,series,x,y (panel, counted from 0, only where there are several). The x of a bar is
  // its category, a rule has none.
  std::string csv() const;

 private:
  int rows_, columns_;
  std::string title_;
  double width_, height_, dpi_ = 150;
  std::vector<Axes> axes_;
};

namespace detail {

// The commands for one panel, width inches wide; its data blocks are named $<prefix>_<k>. Defined in figure_script.cc.
std::string panel_script(const Panel& panel, const std::string& prefix, double width);
// The shortest text that reads back as the same number.
std::string number(double value);

}  // namespace detail
}  // namespace wick::viz
