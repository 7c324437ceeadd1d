#include "report/plot.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <pugixml.hpp>

namespace heddle::report {
namespace {

using testing::ElementsAre;

std::vector<std::string> labels(const std::vector<double>& ticks) {
  std::vector<std::string> texts;
  for (const double tick : ticks) texts.push_back(tick_label(tick));
  return texts;
}

// Six steps over 0..1 would be 0.167 each; the next of 1, 2, 5 times a power of ten is 0.2.
TEST(NiceTicks, StepIsOneTwoOrFiveTimesAPowerOfTen) {
  EXPECT_THAT(labels(nice_ticks(0, 1, Scale::linear)),
              ElementsAre("0", "0.2", "0.4", "0.6", "0.8", "1"));
  EXPECT_THAT(labels(nice_ticks(0, 47, Scale::linear)),
              ElementsAre("0", "10", "20", "30", "40", "50"));
  EXPECT_THAT(labels(nice_ticks(-0.3, 0.3, Scale::linear)),
              ElementsAre("-0.3", "-0.2", "-0.1", "0", "0.1", "0.2", "0.3"));
}

// 13 to 27: the step is 14/6 rounded up to 5, and the ticks reach below 13 and above 27.
TEST(NiceTicks, CoverTheRange) {
  EXPECT_THAT(labels(nice_ticks(13, 27, Scale::linear)), ElementsAre("10", "15", "20", "25", "30"));
}

// Two decades with six ticks have room for 1, 2 and 5; five decades only for the powers of ten;
// twelve decades for every second power.
TEST(NiceTicks, LogarithmicTicksThinOut) {
  EXPECT_THAT(labels(nice_ticks(1, 100, Scale::log)),
              ElementsAre("1", "2", "5", "10", "20", "50", "100"));
  EXPECT_THAT(labels(nice_ticks(0.03, 2000, Scale::log)),
              ElementsAre("0.01", "0.1", "1", "10", "100", "1000", "10000"));
  EXPECT_THAT(labels(nice_ticks(1, 1e12, Scale::log)),
              ElementsAre("1", "100", "10000", "1e+06", "1e+08", "1e+10", "1e+12"));
}

// 1 to 4 Mi is 22 octaves: with about six ticks every fourth power of two, up to the first beyond.
// Within 64 to 1024 every power has its tick.
TEST(NiceTicks, PowersOfTwo) {
  const auto texts = [](double low, double high) {
    std::vector<std::string> all;
    for (const double tick : nice_ticks(low, high, Scale::log2)) {
      all.push_back(tick_label(tick, Scale::log2));
    }
    return all;
  };
  EXPECT_THAT(texts(1, 4 << 20), ElementsAre("1", "16", "256", "4Ki", "64Ki", "1Mi", "16Mi"));
  EXPECT_THAT(texts(65, 1000), ElementsAre("64", "128", "256", "512", "1Ki"));
  EXPECT_THAT(texts(0.5, 1), ElementsAre("0.5", "1"));
}

Plot two_series() {
  Plot plot{.title = "latency < load & more",
            .x = {.label = "load"},
            .y = {.label = "latency [us]", .scale = Scale::log},
            .series = {{"a", {0.1, 0.5, 0.9}, {1, 2, 100}}, {"b", {0.1, 0.5, 0.9}, {1, 3, 7}}}};
  return plot;
}

std::size_t count(const std::string& svg, const char* xpath) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str()));
  return document.select_nodes(xpath).size();
}

// Each of the two series of three points is one line of three marks and has a line in the legend.
TEST(PlotSvg, DrawsEverySeries) {
  const std::string svg = plot_svg(two_series());
  EXPECT_EQ(count(svg, "//g[@class='series']/polyline"), 2U);
  EXPECT_EQ(count(svg, "//g[@class='series']/*[title]"), 6U);
  EXPECT_EQ(count(svg, "//g[@class='legend']"), 2U);
}

// A shade from the middle of the axis on covers the right half of the 650 units between its ends;
// one that begins outside of the axis is not drawn.
TEST(PlotSvg, ShadesAnotherRegime) {
  Plot plot = two_series();
  plot.x.min = 0;
  plot.x.max = 1;
  plot.shade = {0.5, "saturated"};
  EXPECT_EQ(count(plot_svg(plot), "//g[@class='shade']/rect[@x='405' and @width='325']"), 1U);
  plot.shade->from = 2;
  EXPECT_EQ(count(plot_svg(plot), "//g[@class='shade']"), 0U);
}

// Without its middle point a series of five is two lines; zero has no place on a logarithmic axis.
TEST(PlotSvg, UnusablePointsBreakTheLine) {
  Plot plot = two_series();
  plot.series = {{"a", {1, 2, 3, 4, 5}, {1, 2, 0, 4, 5}}};
  EXPECT_EQ(count(plot_svg(plot), "//g[@class='series']/polyline"), 2U);
  plot.series[0].y[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(count(plot_svg(plot), "//g[@class='series']/polyline"), 2U);
}

// Nothing, one point, or the same value everywhere: still a drawing without "nan" or "inf".
TEST(PlotSvg, DegenerateDataIsDrawn) {
  for (const auto& values : std::vector<std::vector<double>>{{}, {0}, {5}, {5, 5}}) {
    for (const Scale scale : {Scale::linear, Scale::log}) {
      Plot plot{
          .title = "t", .x = {.label = "x"}, .y = {.label = "y", .scale = scale}, .series = {}};
      plot.series = {{"a", values, values}};
      const std::string svg = plot_svg(plot);
      EXPECT_EQ(svg.find("nan"), std::string::npos);
      EXPECT_EQ(svg.find("inf"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace heddle::report
