#include "study/charts.hpp"

#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "error_of.hpp"

namespace heddle::study {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

StoredPoint point(Json parameters, Json result) {
  StoredPoint point;
  point.parameters = std::move(parameters);
  point.result = std::move(result);
  point.status = "done";
  return point;
}

/// Two loads, two networks, two seeds: the time is 100 us times the load, more by 10 us on b, and
/// plus or minus 1 us by seed.
ResultView small_study() {
  std::vector<StoredPoint> points;
  for (const double load : {0.1, 0.2}) {
    for (const char* network : {"a", "b"}) {
      for (const int seed : {1, 2}) {
        const double us = 100 * load + (*network == 'b' ? 10 : 0) + (seed == 1 ? 1 : -1);
        points.push_back(point({{"load", load == 0.1 ? "0.1" : "0.2"},
                                {"network", network},
                                {"seed", std::to_string(seed)}},
                               {{"time_ps", static_cast<std::int64_t>(us * 1e6)}}));
      }
    }
  }
  return ResultView(points);
}

std::size_t count(const std::string& svg, const char* xpath) {
  pugi::xml_document document;
  EXPECT_TRUE(document.load_string(svg.c_str()));
  return document.select_nodes(xpath).size();
}

// A curve per network; means over the seeds are 10 and 20 us on a, 20 and 30 us on b. Of two
// samples 2 us apart the 95 % interval is 12.7 times 1 us wide to each side.
TEST(Charts, DrawCurvesWithIntervals) {
  const report::Plot plot = curves(
      small_study(), parse_chart("x=load,y=time_us,by=network", "--plot", {"x", "y", "by?"}));
  ASSERT_EQ(plot.series.size(), 2U);
  EXPECT_EQ(plot.series[0].name, "a");
  EXPECT_THAT(plot.series[0].x, ElementsAre(0.1, 0.2));
  EXPECT_THAT(plot.series[0].y, ElementsAre(10, 20));
  EXPECT_THAT(plot.series[1].y, ElementsAre(20, 30));
  EXPECT_NEAR(plot.series[0].error[0], 12.706, 0.001);
  EXPECT_EQ(plot.y.label, "time [us]");
  EXPECT_EQ(count(report::plot_svg(plot), "//g[@class='series']/line"), 12U);
}

// Means over networks would mislead: they have to be named, or one of them to be chosen.
TEST(Charts, DoNotMixPoints) {
  ResultView view = small_study();
  const ChartRequest request = parse_chart("x=load,y=time_us", "--plot", {"x", "y", "by?"});
  EXPECT_THAT(error_of<InputError>([&] { curves(view, request); }),
              HasSubstr("--plot: 'network' differs, too: accepted is by=network"));
  view.keep("network=b", "--where");
  EXPECT_EQ(curves(view, request).series.size(), 1U);
}

TEST(Charts, SayWhatTheyWant) {
  EXPECT_THAT(error_of<InputError>([] {
                parse_chart("x=a,z=b", "--plot", {"x", "y", "by?"});
              }),
              HasSubstr("accepted is x=COLUMN,y=COLUMN,by=COLUMN"));
  EXPECT_THAT(error_of<InputError>([] { small_study().find("tim_us", "--plot"); }),
              HasSubstr("there is no column 'tim_us' (did you mean 'time_us'?)"));
}

// Two by two cells, and 40 steps of colour beside them.
TEST(Charts, DrawAHeatMap) {
  const std::string svg = heat_map(
      small_study(), parse_chart("x=load,y=network,z=time_us", "--heat-map", {"x", "y", "z"}));
  EXPECT_EQ(count(svg, "//g[@class='cells']/rect"), 4U);
  EXPECT_EQ(count(svg, "//g[@class='legend']/rect"), 40U);
}

// Both move the mean by 10 us: the load from 15 to 25 us, the network likewise. With four loads,
// the load moves it by 30 us and comes first.
TEST(Charts, TellWhatMatters) {
  const ResultView view = small_study();
  const auto list = influences(view, view.find("time_us", ""), "--tornado");
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].parameter, "load");
  EXPECT_NEAR(list[0].low, 15, 1e-9);
  EXPECT_NEAR(list[0].high, 25, 1e-9);
  EXPECT_EQ(list[1].low_value, "a");
  EXPECT_EQ(count(tornado(view, parse_chart("y=time_us", "--tornado", {"y"})), "//g[@class='bar']"),
            2U);
}

// Thirty values of L count by thirds: of the lower ten, 1 to 10 us, the mean of 2 L is 11 us, of
// the upper ten, 21 to 30 us, it is 51 us.
TEST(Charts, TakeManyValuesByThirds) {
  std::vector<StoredPoint> points;
  for (int i = 1; i <= 30; ++i) {
    points.push_back(
        point({{"loggops.L", std::to_string(i) + "us"}}, {{"time_ps", 2'000'000 * i}}));
  }
  const ResultView view(points);
  const auto list = influences(view, view.find("time_us", ""), "--tornado");
  EXPECT_NEAR(list[0].low, 11, 1e-6);
  EXPECT_NEAR(list[0].high, 51, 1e-6);
  EXPECT_EQ(list[0].low_value, "1us to 10us");
}

// The same quantity in different units is the same number; a word is none.
TEST(Charts, KnowQuantities) {
  EXPECT_EQ(plain_quantity("500ns")->value, plain_quantity("0.5us")->value);
  EXPECT_EQ(plain_quantity("4KiB")->value, 4096);
  EXPECT_EQ(plain_quantity("100Gbps")->unit, "Gb/s");
  EXPECT_FALSE(plain_quantity("uniform"));
}

}  // namespace
}  // namespace heddle::study
