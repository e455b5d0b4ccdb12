// The text for gnuplot and the CSV, without running gnuplot.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/tests/viz/support.h"
#include "wick/viz/figure.h"
#include "wick/viz/gnuplot.h"

namespace wick::viz {
namespace {

using Values = std::vector<double>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// What stands between the first `before` and the next `after`.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t found = text.find(before);
  const std::size_t start = found + before.size();
  const std::size_t end = found == std::string::npos ? found : text.find(after, start);
  if (end == std::string::npos) {
    ADD_FAILURE() << "no " << before << " ... " << after << " in\n" << text;
    return {};
  }
  return text.substr(start, end - start);
}

detail::Range range_in(const std::string& script, const std::string& name) {
  const std::string start = "set " + name + "range [";
  return {std::stod(between(script, start, ":")), std::stod(between(between(script, start, "\n"), ":", "]"))};
}

TEST(GnuplotQuote, EscapesEverythingActive) {
  EXPECT_EQ(detail::gnuplot_quote("plain @x _y_ {z}^2 100% 'q'"), "\"plain @x _y_ {z}^2 100% 'q'\"");
  EXPECT_EQ(detail::gnuplot_quote("a\"b"), "\"a\\\"b\"");
  EXPECT_EQ(detail::gnuplot_quote("a\\n"), "\"a\\\\n\"");
  EXPECT_EQ(detail::gnuplot_quote("a\nb"), "\"a\\nb\"");
  EXPECT_EQ(detail::gnuplot_quote("`id`"), "\"\\140id\\140\"");
  EXPECT_EQ(detail::gnuplot_quote("训练损失"), "\"训练损失\"");
  EXPECT_EQ(detail::gnuplot_quote(std::string("a\0b\x1b\tc", 6)), "\"a b  c\"");
  EXPECT_EQ(detail::gnuplot_quote("caf\xe9"), "\"caf\uFFFD\"");
  EXPECT_EQ(detail::gnuplot_quote_tick("50%"), "\"50%%\"");
}

TEST(FigureScript, EqualScalesAreForLinearAxes) {
  Figure figure;
  figure.axes().line(Values{0, 1}, Values{3, 2});
  EXPECT_FALSE(contains(figure.script(), "set size ratio"));
  figure.axes().equal_scales();
  EXPECT_TRUE(contains(figure.script(), "set size ratio -1\n"));
  figure.axes().log_y();
  EXPECT_THROW(figure.script(), ValueError);
}

TEST(FigureScript, HasOneCommandForEachSetting) {
  Figure figure;
  figure.axes().title("Loss").x_label("epoch").y_label("nats").legend(Legend::kBottomLeft);
  figure.axes().line(Values{0, 1}, Values{3, 2}, {.label = "train"});
  const std::string script = figure.script();
  EXPECT_TRUE(contains(script, "set terminal pngcairo"));
  EXPECT_TRUE(contains(script, "size 960,600\n"));
  EXPECT_TRUE(contains(script, "set title \"Loss\" noenhanced"));
  EXPECT_TRUE(contains(script, "set xlabel \"epoch\" noenhanced"));
  EXPECT_TRUE(contains(script, "set ylabel \"nats\" noenhanced"));
  EXPECT_TRUE(contains(script, "set key bottom left"));
  EXPECT_TRUE(contains(script, "set grid xtics ytics"));
  EXPECT_TRUE(contains(script, "$panel0_0 << END\n0 3\n1 2\nEND\nplot $panel0_0 with lines"));
  EXPECT_TRUE(contains(script, "title \"train\" noenhanced"));
  EXPECT_FALSE(contains(script, "multiplot"));
  EXPECT_FALSE(contains(script, "set output"));
}

TEST(FigureScript, FollowsTheFormat) {
  Figure figure;
  figure.size(5, 2).dpi(100);
  EXPECT_TRUE(contains(figure.script(Format::kPng), "set terminal pngcairo"));
  EXPECT_TRUE(contains(figure.script(Format::kPng), "size 500,200\n"));
  EXPECT_TRUE(contains(figure.script(Format::kSvg), "set terminal svg"));
  EXPECT_TRUE(contains(figure.script(Format::kSvg), "size 480,192\n"));
  EXPECT_TRUE(contains(figure.script(Format::kPdf), "set terminal pdfcairo"));
  EXPECT_TRUE(contains(figure.script(Format::kPdf), "size 5in,2in\n"));
}

TEST(FigureScript, DrawsEachStyleInItsOwnColor) {
  const Values x{1, 2};
  Figure figure;
  figure.axes().line(x, x).line(x, x, {.draw = Draw::kDashed}).line(x, x, {.draw = Draw::kLinePoints});
  figure.axes().points(x, x).line(x, x, {.color = "#123456"});
  const std::string script = figure.script();
  EXPECT_TRUE(matches(script, "panel0_0 with lines linewidth 1.6 dashtype 1 linecolor rgb \"#0072b2\" notitle"));
  EXPECT_TRUE(matches(script, "panel0_1 with lines linewidth 1.6 dashtype \\(6,3\\) linecolor rgb \"#d55e00\""));
  EXPECT_TRUE(matches(script, "panel0_2 with linespoints .*linecolor rgb \"#009e73\""));
  EXPECT_TRUE(matches(script, "panel0_3 with points .*linecolor rgb \"#cc79a7\""));
  EXPECT_TRUE(matches(script, "panel0_4 with lines .*linecolor rgb \"#123456\""));
}

TEST(FigureScript, LeavesGapsWhereAPointCannotBeDrawn) {
  Figure figure;
  figure.axes().line(Values{0, 1, 2, 3, 4, 5, 6, 7}, Values{kNan, 1, 2, kNan, kInf, 5, 1e308, -kInf});
  EXPECT_TRUE(contains(figure.script(), "<< END\n1 1\n2 2\n\n5 5\nEND\n"));
  const detail::Range y = range_in(figure.script(), "y");
  EXPECT_DOUBLE_EQ(y.low, 1 - 0.16);
  EXPECT_DOUBLE_EQ(y.high, 5 + 0.16);

  Figure log;
  log.axes().log_y().line(Values{1, 2, 3}, Values{0.5, 0, 0.25});
  EXPECT_TRUE(contains(log.script(), "<< END\n1 0.5\n\n3 0.25\nEND\n"));
}

TEST(FigureScript, GivesDegenerateDataARange) {
  Figure figure(1, 3);
  figure.axes(0, 1).line({}, {}, {.label = "nothing"}).log_x();
  figure.axes(0, 2).points(Values{2}, Values{-5});
  const std::string script = figure.script();
  EXPECT_TRUE(contains(script, "set xrange [0:1]\nset yrange [0:1]\n"));
  EXPECT_TRUE(contains(script, "plot NaN notitle\n"));
  EXPECT_TRUE(contains(script, "set xrange [1:10]\n"));
  EXPECT_TRUE(matches(script, "plot NaN with lines .* title \"nothing\""));
  EXPECT_TRUE(contains(script, "set xrange [1.8:2.2]\nset yrange [-5.5:-4.5]\n"));

  Figure constant;
  constant.axes().line(Values{0, 1}, Values{1e9, 1e9 + 1e-6});
  const detail::Range y = range_in(constant.script(), "y");
  EXPECT_NEAR(y.low, 0.9e9, 1);
  EXPECT_NEAR(y.high, 1.1e9, 1);
}

TEST(FigureScript, TakesTheUsersRange) {
  Figure figure;
  figure.axes().x_range(-1, 7).y_range(0, 0.5).line(Values{0, 1}, Values{3, 2});
  EXPECT_TRUE(contains(figure.script(), "set xrange [-1:7]\nset yrange [0:0.5]\n"));
}

TEST(FigureScript, PlacesRulesAndTheirLabels) {
  Figure figure;
  figure.axes().line(Values{0, 1, 2, 3}, Values{4, 2, 1, 1}).rule(0.9, "goal").rule(5).rule(kNan, "nowhere");
  const std::string script = figure.script();
  EXPECT_TRUE(contains(script, "set arrow from graph 0, first 0.9 to graph 1, first 0.9 nohead"));
  // The curve ends close to the rule, so the label stands at the other end.
  EXPECT_TRUE(contains(script, "set label \"goal\" at graph 0.01, first 0.9 left"));
  EXPECT_TRUE(contains(script, "set arrow from graph 0, first 5 "));
  EXPECT_FALSE(contains(script, "nowhere"));
  EXPECT_GT(range_in(script, "y").high, 5);
  EXPECT_LT(range_in(script, "y").low, 0.9);

  Figure rising;
  rising.axes().line(Values{0, 1, 2, 3}, Values{1, 2, 4, 8}).rule(0.9, "start");
  EXPECT_TRUE(contains(rising.script(), "set label \"start\" at graph 0.99, first 0.9 right"));
}

TEST(FigureScript, PutsBarsSideBySideFromZero) {
  Figure figure;
  figure.axes().bars({"a%", "b"}, Values{2, 4}, {.label = "CPU"}).bars({"a%", "b"}, Values{1, kNan}, {.label = "GPU"});
  const std::string script = figure.script();
  EXPECT_TRUE(contains(script, "set xtics scale 0 noenhanced (\"a%%\" 0, \"b\" 1)\n"));
  EXPECT_TRUE(contains(script, "$panel0_0 << END\n-0.1875 2 "));
  EXPECT_TRUE(contains(script, "$panel0_1 << END\n0.1875 1 0.3525\nEND\n"));
  EXPECT_TRUE(contains(script, "with boxes linecolor rgb \"#0072b2\" title \"CPU\" noenhanced"));
  EXPECT_TRUE(contains(script, "set grid noxtics ytics"));
  EXPECT_EQ(range_in(script, "y").low, 0);
  EXPECT_DOUBLE_EQ(range_in(script, "y").high, 4.16);
}

TEST(FigureScript, SlantsLongCategories) {
  Figure figure;
  figure.axes().bars({"a rather long category", "and another one of that kind", "short"}, Values{1, 2, 3});
  EXPECT_TRUE(contains(figure.script(), "rotate by 30 right"));
}

TEST(FigureScript, LabelsLogarithmicAxes) {
  const auto y_tics = [](double low, double high) {
    Figure figure;
    figure.axes().log_y().y_range(low, high).line(Values{0, 1}, Values{low, high});
    return between(figure.script(), "set ytics (", ")\n");
  };
  EXPECT_EQ(y_tics(0.9, 1100), "\"\" 0.9 1, 1, \"\" 2 1, \"\" 3 1, \"\" 4 1, \"\" 5 1, \"\" 6 1, \"\" 7 1, \"\" 8 1, \"\" 9 1, "
                               "10, \"\" 20 1, \"\" 30 1, \"\" 40 1, \"\" 50 1, \"\" 60 1, \"\" 70 1, \"\" 80 1, \"\" 90 1, "
                               "100, \"\" 200 1, \"\" 300 1, \"\" 400 1, \"\" 500 1, \"\" 600 1, \"\" 700 1, \"\" 800 1, \"\" 900 1, 1000");
  EXPECT_EQ(y_tics(0.09, 1.1), "\"\" 0.09 1, 0.1, 0.2, \"\" 0.3 1, \"\" 0.4 1, 0.5, \"\" 0.6 1, \"\" 0.7 1, \"\" 0.8 1, \"\" 0.9 1, 1");
  EXPECT_EQ(y_tics(0.19, 0.61), "0.2, 0.3, 0.4, 0.5, 0.6");
  EXPECT_TRUE(y_tics(0.061, 0.07).starts_with("0.062, 0.064"));
  EXPECT_EQ(y_tics(8e-8, 1.1e-6), "\"\" 8e-08 1, \"\" 9e-08 1, 1e-07, 2e-07, \"\" 3e-07 1, \"\" 4e-07 1, 5e-07, \"\" 6e-07 1, "
                                  "\"\" 7e-07 1, \"\" 8e-07 1, \"\" 9e-07 1, 1e-06");
  EXPECT_EQ(y_tics(1e-12, 1e12), "1e-12, \"\" 1e-11 1, \"\" 1e-10 1, 1e-09, \"\" 1e-08 1, \"\" 1e-07 1, 1e-06, \"\" 1e-05 1, "
                                 "\"\" 1e-04 1, 0.001, \"\" 0.01 1, \"\" 0.1 1, 1, \"\" 10 1, \"\" 100 1, 1000, \"\" 10000 1, "
                                 "\"\" 1e+05 1, 1e+06, \"\" 1e+07 1, \"\" 1e+08 1, 1e+09, \"\" 1e+10 1, \"\" 1e+11 1, 1e+12");
}

TEST(FigureScript, NamesPowersOfTenOnlyWhereNothingElseIsLabelled) {
  const auto script = [](double low, double high) {
    Figure figure;
    figure.axes().log_x().x_range(low, high);
    return figure.script();
  };
  EXPECT_TRUE(contains(script(0.01, 1e4), "set format x \"%g\"\n"));
  EXPECT_TRUE(contains(script(0.01, 1e6), "set format x \"10^{%T}\"\n"));
  EXPECT_FALSE(contains(script(1e-6, 2e-5), "set format x"));  // a label at 2e-6 must not read 10^-6
}

TEST(FigureScript, LaysOutPanels) {
  Figure figure(2, 3);
  figure.title("All `six`");
  figure.axes(1, 2).title("last");
  const std::string script = figure.script();
  EXPECT_TRUE(contains(script, "size 1800,900\n"));
  EXPECT_TRUE(contains(script, "set multiplot layout 2,3 title \"All \\140six\\140\" noenhanced"));
  EXPECT_TRUE(script.ends_with("unset multiplot\n"));
  std::size_t plots = 0;
  for (std::size_t at = script.find("\nplot "); at != std::string::npos; at = script.find("\nplot ", at + 1)) ++plots;
  EXPECT_EQ(plots, 6u);
  EXPECT_GT(script.find("\"last\""), script.rfind("\nreset\n"));
}

TEST(FigureCsv, ListsEveryPointInLongForm) {
  Figure figure;
  figure.axes().line(Values{1, 2}, Values{0.1, kNan}, {.label = "a \"b\", c"}).points(Values{7}, Values{-kInf});
  figure.axes().bars({"x,y"}, Values{3}).rule(0.5, "goal");
  EXPECT_EQ(figure.csv(), "series,x,y\n\"a \"\"b\"\", c\",1,0.1\n\"a \"\"b\"\", c\",2,nan\ncurve 2,7,-inf\nbars 1,\"x,y\",3\ngoal,,0.5\n");
  Figure panels(1, 2);
  panels.axes(0, 1).line(Values{1}, Values{2}, {.label = "s"});
  EXPECT_EQ(panels.csv(), "panel,series,x,y\n1,s,1,2\n");
}

TEST(FigureScript, DrawsPicturesInPlaceOfAxes) {
  Figure figure(1, 2);
  figure.axes(0, 0).title("a").image(std::vector<double>{0, 1, 2, std::nan(""), 4, 8}, 2, 3);
  figure.axes(0, 1).image(std::vector<double>{-1, 3}, 1, 2, 0, 2);
  const std::string text = figure.script();
  EXPECT_TRUE(contains(text, "set cbrange [0:8]\n"));
  EXPECT_TRUE(contains(text, "set yrange [1.5:-0.5]\n$panel0 << END\n0 1 2\n0 4 8\nEND\nplot $panel0 matrix with image notitle\n"));
  EXPECT_TRUE(contains(text, "$panel1 << END\n0 2\nEND\n"));  // cut at the limits
  EXPECT_TRUE(contains(figure.csv(), "0,row 1,2,8\n"));
}

TEST(FigureScript, DrawsMatricesWithTheirNumbers) {
  Figure figure;
  figure.axes().x_label("read as").y_label("digit").matrix(std::vector<double>{5, 0, kNan, 2}, {"a", "b"}, {"c", "d"});
  const std::string text = figure.script();
  EXPECT_TRUE(contains(text, "set cbrange [0:5]\nset xrange [-0.5:1.5]\nset yrange [1.5:-0.5]\n"));
  EXPECT_TRUE(contains(text, "<< END\n5 0\nnan 2\nEND\nplot $panel0 matrix using 1:2:($1-0.5)"));
  EXPECT_TRUE(contains(text, "($3 > 2.75 ? sprintf(\"%.6g\", $3) : \"\") with labels textcolor rgb \"#ffffff\" notitle"));
  EXPECT_EQ(figure.csv(), "series,x,y\na,c,5\na,d,0\nb,c,nan\nb,d,2\n");
  EXPECT_THROW(figure.axes().matrix(std::vector<double>{1, 2, 3}, {"a", "b"}, {"c", "d"}), ValueError);
  EXPECT_THROW(figure.axes().matrix(std::vector<double>{}, {}, {"c"}), ValueError);
}

TEST(FigureScript, ContoursFollowTheirLevel) {
  std::vector<double> x, z;
  for (int i = -10; i <= 10; ++i) x.push_back(0.3 * i);
  for (const double b : x) {
    for (const double a : x) z.push_back(a * a + b * b);
  }
  Figure figure;
  figure.axes().contour(x, x, z, std::vector<double>{1, 4, 100}, {.label = "levels"});
  const auto& curves = figure.axes().panel().curves;
  ASSERT_EQ(curves.size(), 3u);
  for (std::size_t k = 0; k < 2; ++k) {
    ASSERT_GT(curves[k].x.size(), 30u);
    for (std::size_t i = 0; i < curves[k].x.size(); ++i) {
      if (std::isnan(curves[k].x[i])) continue;
      EXPECT_NEAR(std::hypot(curves[k].x[i], curves[k].y[i]), k + 1.0, 0.03);
    }
  }
  EXPECT_TRUE(curves[2].x.empty());  // a level that is not reached
  EXPECT_EQ(curves[0].style.label, "levels");
  EXPECT_EQ(curves[1].style.label, "");
  // A saddle: two lines that do not meet.
  Figure saddle;
  saddle.axes().contour(std::vector<double>{0, 1}, std::vector<double>{0, 1}, std::vector<double>{1, 0, 0, 1}, std::vector<double>{0.4});
  EXPECT_EQ(saddle.axes().panel().curves[0].x.size(), 6u);
}

TEST(FigureArguments, AreChecked) {
  Figure figure;
  Axes& axes = figure.axes();
  EXPECT_THROW(axes.line(Values{1, 2}, Values{1}), ValueError);
  EXPECT_THROW(axes.line(Values{1}, Values{1}, {.color = "red\"; system \"id"}), ValueError);
  EXPECT_THROW(axes.line(Values{1}, Values{1}, {.width = kNan}), ValueError);
  EXPECT_THROW(axes.bars({"a"}, Values{1, 2}), ValueError);
  EXPECT_THROW(axes.bars({"a"}, Values{1}).bars({"b"}, Values{1}), ValueError);
  EXPECT_THROW(axes.x_range(1, 1), ValueError);
  EXPECT_THROW(axes.y_range(0, kInf), ValueError);
  EXPECT_THROW(axes.y_range(kNan, 1), ValueError);
  EXPECT_THROW(figure.axes(0, 1), IndexError);
  EXPECT_THROW(figure.size(0, 3), ValueError);
  EXPECT_THROW(figure.dpi(kNan), ValueError);
  EXPECT_THROW(Figure(0, 1), ValueError);
  axes.log_x();
  EXPECT_THROW(figure.script(), ValueError) << "bars on a logarithmic x axis";
  Figure negative;
  negative.axes().log_y().y_range(-1, 1);
  EXPECT_THROW(negative.script(), ValueError);
}

}  // namespace
}  // namespace wick::viz
