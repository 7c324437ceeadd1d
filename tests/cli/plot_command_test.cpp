#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "cli/program.hpp"

namespace heddle::cli {
namespace {

using testing::HasSubstr;

class PlotCommandTest : public testing::Test {
 protected:
  PlotCommandTest() {
    std::ofstream(folder_ / "t.txt") << "style size_B latency_us rate\n"
                                        "put 8 2.5 4e5\nput 1024 3.5 3e5\nget 8 3.5 2e5\n"
                                        "get 1024 4.5 1e5\nlimit 8 1 1\nlimit 1024 1 1\n";
  }
  Outcome plot(const std::string& arguments) const {
    return heddle("plot t.txt " + arguments, folder_.path());
  }
  static std::size_t count(const std::string& svg, const char* xpath) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_string(svg.c_str()));
    return document.select_nodes(xpath).size();
  }
  TemporaryFolder folder_;
};

// Three styles, two plots: six curves, of which the two dashed ones have no marks; the others have
// one for each of their two points.
TEST_F(PlotCommandTest, DrawsACurvePerValueAndAPlotPerColumn) {
  const Outcome outcome = plot(
      "--x size_B --y latency_us,rate --by style --x-scale log2 --y-scale log --dashed limit "
      "-o -");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(count(outcome.out, "//g[@class='series']"), 6U);
  EXPECT_EQ(count(outcome.out, "//g[@class='series']/*[title]"), 8U);
  EXPECT_EQ(count(outcome.out, "//g[@class='series']/polyline[@stroke-dasharray='6 4']"), 2U);
}

// Labels in the place of column names; what lies outside the ranges is not drawn: of the four
// points of two styles, those of 1024 B are.
TEST_F(PlotCommandTest, TakesLabelsAndRanges) {
  const Outcome outcome = plot(
      "--x size_B --y latency_us --by style --dashed limit --x-label 'size [B]' "
      "--y-label 'latency [us]' --x-range 100:2000 --y-range 0:10 -o -");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("latency [us] over size [B]"));
  EXPECT_EQ(count(outcome.out, "//g[@class='series']/*[title]"), 2U);
  EXPECT_THAT(plot("--x size_B --y rate --x-range 5:1 -o x.svg").err,
              HasSubstr("--x-range: '5:1'"));
  EXPECT_THAT(plot("--x size_B --y rate --y-label a,b -o x.svg").err,
              HasSubstr("--y-label: 2 labels for 1 plots"));
}

// In black and white: the second curve has squares and long dashes, the third triangles.
TEST_F(PlotCommandTest, CurvesDifferInMarksAndDashes) {
  const std::string svg = plot("--x size_B --y latency_us --by style -o -").out;
  EXPECT_EQ(count(svg, "(//g[@class='series'])[1]/circle"), 2U);
  EXPECT_EQ(count(svg, "(//g[@class='series'])[2]/rect"), 2U);
  EXPECT_EQ(count(svg, "(//g[@class='series'])[3]/polyline[title]"), 2U);
  EXPECT_EQ(count(svg, "//g[@class='series']/polyline[@stroke-dasharray='10 3']"), 1U);
}

// A name that ends in .png asks for a picture, which rsvg-convert makes where it is installed.
TEST_F(PlotCommandTest, MakesPicturesOrSaysWhatIsMissing) {
  const Outcome outcome = plot("--x size_B --y latency_us --by style -o p.png");
  if (outcome.status == 0) {
    EXPECT_EQ(file_text(folder_ / "p.png").substr(1, 3), "PNG");
  } else {
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("librsvg2-bin"));
  }
}

// A logarithmic axis has no place for zero.
TEST_F(PlotCommandTest, PointsThatCannotBeShownAreTold) {
  std::ofstream(folder_ / "z.txt") << "a b\n0 1\n1 2\n";
  EXPECT_THAT(heddle("plot z.txt --x a --y b --x-scale log -o z.svg", folder_.path()).err,
              HasSubstr("1 point at or below 0 left out"));
}

TEST_F(PlotCommandTest, MistakesAreNamed) {
  const Outcome column = plot("--x size --y rate -o x.svg");
  EXPECT_EQ(column.status, 2);
  EXPECT_THAT(column.err, HasSubstr("t.txt: no column 'size': there are style, size_B"));
  EXPECT_THAT(plot("--x style --y rate -o x.svg").err,
              HasSubstr("t.txt:2:1: 'put' in column 'style' is not a number"));
  EXPECT_THAT(plot("--x size_B --y rate --by style --dashed got -o x.svg").err,
              HasSubstr("--dashed: no curve 'got' (did you mean 'get'?)"));
  EXPECT_THAT(plot("--x size_B --y rate --x-scale lag -o x.svg").err, HasSubstr("--x-scale"));
  EXPECT_EQ(folder_.entries(), 1U) << "no SVG is left behind";
}

}  // namespace
}  // namespace heddle::cli
