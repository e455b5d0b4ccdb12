// Files: what gnuplot draws, and that nothing half-written ever stays.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "wick/framework/core/error.h"
#include "wick/tests/framework/core/support.h"
#include "wick/tests/viz/support.h"
#include "wick/viz/figure.h"
#include "wick/viz/gnuplot.h"

namespace wick::viz {
namespace {

using test::message_of;

using Values = std::vector<double>;

Figure sample() {
  Figure figure;
  figure.axes().title("Training loss").line(Values{1, 2, 3}, Values{3, 1, 0.5}, {.label = "train"});
  return figure;
}

unsigned big_endian(const std::string& bytes, std::size_t at) {
  unsigned value = 0;
  for (std::size_t i = at; i < at + 4; ++i) value = value << 8 | static_cast<unsigned char>(bytes.at(i));
  return value;
}

// A program that stands in for gnuplot: PATH holds it alone.
class FakeGnuplot {
 public:
  explicit FakeGnuplot(const std::string& commands) : path_("PATH", folder_ / "") {
    write_file(folder_ / "gnuplot", "#!/bin/sh\n" + commands + "\n");
    chmod((folder_ / "gnuplot").c_str(), 0755);
  }

 private:
  TestFolder folder_;
  ScopedVariable path_;
};

class FigureDrawn : public testing::Test {
 protected:
  void SetUp() override {
    if (!gnuplot_available()) GTEST_SKIP() << "no gnuplot";
  }
  TestFolder folder_;
};

TEST_F(FigureDrawn, PngHasTheSizeAskedFor) {
  sample().size(5, 3).dpi(100).save(folder_ / "loss.png");
  const std::string bytes = read_file(folder_ / "loss.png");
  ASSERT_GT(bytes.size(), 1000u);
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  EXPECT_EQ(big_endian(bytes, 16), 500u);
  EXPECT_EQ(big_endian(bytes, 20), 300u);
  EXPECT_EQ(folder_.names(), (Names{"loss.png"}));
}

TEST_F(FigureDrawn, SvgAndPdf) {
  sample().save(folder_ / "loss.svg");
  sample().save(folder_ / "loss.pdf");
  EXPECT_TRUE(contains(read_file(folder_ / "loss.svg"), "Training loss"));
  EXPECT_EQ(read_file(folder_ / "loss.pdf").substr(0, 5), "%PDF-");
  EXPECT_EQ(folder_.names(), (Names{"loss.pdf", "loss.svg"}));
}

TEST_F(FigureDrawn, TextAppearsAsWrittenAndRunsNothing) {
  const std::string marker = folder_ / "marker";
  const std::string hostile = "`touch " + marker + "` \"; system \"touch " + marker + "\"; # @x _y_ {z}^2 \\n 100% <a&b>";
  Figure figure(1, 2);
  figure.title(hostile);
  figure.axes(0, 0).title(hostile).x_label(hostile).y_label(hostile).rule(1.5, hostile);
  figure.axes(0, 0).line(Values{1, 2}, Values{1, 2}, {.label = hostile});
  figure.axes(0, 1).bars({"5% `touch x`", "EN\nD"}, Values{1, 2}, {.label = "END\n$x << END"});
  figure.save(folder_ / "hostile.svg");
  EXPECT_EQ(folder_.names(), (Names{"hostile.svg"}));
  const std::string svg = read_file(folder_ / "hostile.svg");
  std::size_t count = 0;
  const std::string shown = "# @x _y_ {z}^2 \\n 100% &lt;a&amp;b>";
  for (std::size_t at = svg.find(shown); at != std::string::npos; at = svg.find(shown, at + 1)) ++count;
  EXPECT_GE(count, 6u) << svg;
  EXPECT_TRUE(contains(svg, "5% `touch x`"));
}

TEST_F(FigureDrawn, Utf8AndLatin1) {
  Figure figure;
  figure.axes().title("训练损失 µ\xe9").line(Values{1, 2}, Values{1, 2});
  figure.save(folder_ / "utf8.svg");
  EXPECT_TRUE(contains(read_file(folder_ / "utf8.svg"), "训练损失 µ\uFFFD"));
}

TEST_F(FigureDrawn, ChineseNeedsAFontButNotInSvg) {
  Figure figure;
  figure.axes().title("训练损失").line(Values{1, 2}, Values{2, 1});
  figure.save(folder_ / "a.svg");
  EXPECT_TRUE(contains(read_file(folder_ / "a.svg"), "训练损失"));
  const bool has_font = std::system("fc-list :lang=zh family 2>/dev/null | grep -q .") == 0;
  const std::string error = message_of([&] { figure.save(folder_ / "a.png"); });
  if (has_font) EXPECT_EQ(error, "(no error)");
  else EXPECT_TRUE(contains(error, "fonts-noto-cjk"));
}

TEST_F(FigureDrawn, DegenerateDataIsNoError) {
  const double nan = std::nan("");
  Figure figure(2, 3);
  figure.axes(0, 1).line({}, {}, {.label = "empty"}).rule(3, "alone");
  figure.axes(0, 2).points(Values{1}, Values{1}).log_x().log_y();
  figure.axes(1, 0).line(Values{nan, 1}, Values{1, nan}).log_y();
  figure.axes(1, 1).line(Values{-1e299, -1e249, 1, 1e249, 1e308}, Values{1, 1e-310, 1e-250, 1e250, 1e308}).log_y().rule(1e-320);
  figure.axes(1, 2).bars({}, {}, {.label = "no bars"}).log_y();
  figure.save(folder_ / "degenerate.png");
  EXPECT_GT(read_file(folder_ / "degenerate.png").size(), 1000u);
}

TEST_F(FigureDrawn, GapsSplitTheCurve) {
  Figure figure;
  figure.axes().line(Values{0, 1, 2, 3, 4}, Values{1, 2, std::nan(""), 2, 1}, {.color = "#abcdef"});
  figure.save(folder_ / "gap.svg");
  const std::string point = "[0-9.]+,[0-9.]+ ";
  const std::string path = "M" + point + "L" + point + "M" + point + "L" + point;
  EXPECT_TRUE(matches(read_file(folder_ / "gap.svg"), "stroke='rgb\\(171, 205, 239\\)'  d='" + path + " *'"));
}

TEST_F(FigureDrawn, ReplacesAFileAndKeepsALink) {
  write_file(folder_ / "real.svg", "old");
  ASSERT_EQ(symlink("real.svg", (folder_ / "link.svg").c_str()), 0);
  sample().save(folder_ / "link.svg");
  EXPECT_TRUE(contains(read_file(folder_ / "real.svg"), "Training loss"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder_ / "link.svg"));
  EXPECT_EQ(folder_.names(), (Names{"link.svg", "real.svg"}));
}

TEST_F(FigureDrawn, SaveOrCsvDraws) {
  const Figure::Saved saved = sample().save_or_csv(folder_ / "loss.png");
  EXPECT_EQ(saved.path, folder_ / "loss.png");
  EXPECT_EQ(saved.message, "chart written to " + saved.path);
  EXPECT_EQ(folder_.names(), (Names{"loss.png"}));
}

TEST(FigureSave, NamesTheKnownExtensions) {
  TestFolder folder;
  for (const char* name : {"loss.jpg", "loss", "loss.PNG", ".png", ""}) {
    const std::string path = *name == '\0' ? "" : folder / name;
    const std::string message = message_of([&] { sample().save(path); });
    EXPECT_TRUE(contains(message, "cannot write " + path));
    EXPECT_TRUE(contains(message, ".png, .svg or .pdf"));
    EXPECT_THROW(Figure::check_path(path), ValueError);
    EXPECT_THROW(sample().save_or_csv(path), ValueError);
  }
  EXPECT_EQ(folder.names(), Names{});
}

TEST(FigureSave, UnwritablePathsLeaveNothing) {
  TestFolder folder;
  FakeGnuplot fake("exit 0");
  mkdir((folder / "folder.png").c_str(), 0755);
  ASSERT_EQ(symlink("/dev/null", (folder / "device.png").c_str()), 0);
  for (const char* name : {"missing/loss.png", "folder.png", "device.png"}) {
    const std::string path = folder / name;
    EXPECT_TRUE(contains(message_of([&] { sample().save(path); }), "cannot write " + path));
    EXPECT_TRUE(contains(message_of([&] { Figure::check_path(path); }), "cannot write " + path));
  }
  EXPECT_EQ(folder.names(), (Names{"device.png", "folder.png"}));
}

// Root may write everywhere, so as root the test becomes somebody else for a while.
class WithoutPrivileges {
 public:
  WithoutPrivileges() : user_(geteuid()) {
    constexpr uid_t kNobody = 65534;
    if (user_ == 0 && seteuid(kNobody) != 0) ADD_FAILURE() << "cannot become another user";
  }
  ~WithoutPrivileges() {
    if (seteuid(user_) != 0) ADD_FAILURE() << "cannot become root again";
  }

 private:
  uid_t user_;
};

TEST(FigureSave, RespectsPermissions) {
  TestFolder folder;
  write_file(folder / "fixed.png", "old");
  chmod((folder / "fixed.png").c_str(), 0444);
  mkdir((folder / "closed").c_str(), 0555);
  chmod((folder / "").c_str(), 0777);
  {
    const WithoutPrivileges nobody;
    for (const char* name : {"fixed.png", "closed/loss.png"}) {
      EXPECT_EQ(message_of([&] { sample().save(folder / name); }), "cannot write " + (folder / name) + ": Permission denied");
      EXPECT_EQ(message_of([&] { Figure::check_path(folder / name); }), "cannot write " + (folder / name) + ": Permission denied");
    }
  }
  EXPECT_EQ(read_file(folder / "fixed.png"), "old");
  EXPECT_EQ(folder.names(), (Names{"closed", "fixed.png"}));
}

TEST(FigureSave, CheckPathLeavesNothing) {
  TestFolder folder;
  write_file(folder / "old.png", "old");
  Figure::check_path(folder / "new.png");
  Figure::check_path(folder / "old.png");
  EXPECT_EQ(folder.names(), (Names{"old.png"}));
  EXPECT_EQ(read_file(folder / "old.png"), "old");
}

TEST(FigureSave, AFailingGnuplotLeavesTheOldFile) {
  struct Case {
    const char* commands;
    const char* message;
  };
  const Case cases[] = {
      {"echo partial; echo 'line 7: out of ink' >&2; exit 3", "exit status 3:\nline 7: out of ink"},
      {"echo partial; kill -9 $$", "ended by signal 9"},
      {"echo partial; exit 0", "incomplete"},
      {"exit 0", "incomplete"},
  };
  for (const Case& each : cases) {
    TestFolder folder;
    FakeGnuplot fake(each.commands);
    write_file(folder / "loss.png", "old");
    const std::string message = message_of([&] { sample().save(folder / "loss.png"); });
    EXPECT_TRUE(contains(message, "cannot write " + (folder / "loss.png")));
    EXPECT_TRUE(contains(message, each.message));
    EXPECT_EQ(read_file(folder / "loss.png"), "old");
    EXPECT_EQ(folder.names(), (Names{"loss.png"}));
  }
}

TEST(FigureSave, WithoutGnuplot) {
  TestFolder folder;
  const ScopedVariable path("PATH", folder / "");
  EXPECT_FALSE(gnuplot_available());
  EXPECT_TRUE(contains(message_of([&] { sample().save(folder / "loss.png"); }), "gnuplot is not installed"));
  EXPECT_EQ(folder.names(), Names{});

  const Figure::Saved saved = sample().save_or_csv(folder / "loss.png");
  EXPECT_EQ(saved.path, folder / "loss.csv");
  EXPECT_TRUE(contains(saved.message, "no gnuplot"));
  EXPECT_TRUE(contains(saved.message, saved.path));
  EXPECT_FALSE(contains(saved.message, "\n"));
  EXPECT_EQ(read_file(saved.path), "series,x,y\ntrain,1,3\ntrain,2,1\ntrain,3,0.5\n");
  EXPECT_EQ(folder.names(), (Names{"loss.csv"}));
}

TEST(GnuplotAvailable, PassesOverEmptyEntriesOfPath) {
  FakeGnuplot fake("exit 0");
  EXPECT_TRUE(gnuplot_available());
  const std::string folder = std::getenv("PATH");
  const std::string before = std::filesystem::current_path().string();
  std::filesystem::current_path(folder);
  {
    const ScopedVariable path("PATH", "::");
    EXPECT_FALSE(gnuplot_available());
  }
  {
    const ScopedVariable path("PATH", "/nowhere::" + folder);
    EXPECT_TRUE(gnuplot_available());
  }
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace wick::viz
