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

TEST_F(PlotCommandTest, MistakesAreNamed) {
  const Outcome column = plot("--x size --y rate -o x.svg");
  EXPECT_EQ(column.status, 2);
  EXPECT_THAT(column.err, HasSubstr("t.txt: no column 'size' (did you mean 'size_B'?)"));
  EXPECT_THAT(plot("--x style --y rate -o x.svg").err,
              HasSubstr("t.txt:2:1: 'put' in column 'style' is not a number"));
  EXPECT_THAT(plot("--x size_B --y rate --by style --dashed got -o x.svg").err,
              HasSubstr("--dashed: no curve 'got' (did you mean 'get'?)"));
  EXPECT_THAT(plot("--x size_B --y rate --x-scale lag -o x.svg").err, HasSubstr("--x-scale"));
  EXPECT_EQ(folder_.entries(), 1U) << "no SVG is left behind";
}

}  // namespace
}  // namespace heddle::cli
