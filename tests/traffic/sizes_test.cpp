#include "traffic/sizes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "traffic/load.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::traffic {
namespace {

struct Drawn {
  std::int64_t least = INT64_MAX;
  std::int64_t largest = 0;
  double mean = 0;
};

Drawn draw(const std::string& text, int count = 200'000) {
  const SizeDistribution sizes = SizeDistribution::parse(text).value();
  RandomStream random(42);
  Drawn drawn;
  for (int i = 0; i < count; ++i) {
    const std::int64_t size = sizes.draw(random).count();
    drawn.least = std::min(drawn.least, size);
    drawn.largest = std::max(drawn.largest, size);
    drawn.mean += static_cast<double>(size) / count;
  }
  return drawn;
}

double mean_of(const std::string& text) {
  return SizeDistribution::parse(text).value().mean();
}

TEST(Sizes, FixedIsAlwaysTheSame) {
  const Drawn drawn = draw("4KiB", 100);
  EXPECT_EQ(drawn.least, 4096);
  EXPECT_EQ(drawn.largest, 4096);
  EXPECT_EQ(mean_of("4KiB"), 4096);
}

// Uniform over 10 .. 20: both ends occur, the mean is 15.
TEST(Sizes, UniformIncludesBothEnds) {
  const Drawn drawn = draw("uniform:10B:20B");
  EXPECT_EQ(drawn.least, 10);
  EXPECT_EQ(drawn.largest, 20);
  EXPECT_NEAR(drawn.mean, 15, 0.05);
  EXPECT_EQ(mean_of("uniform:10B:20B"), 15);
}

// Log-uniform over 1 .. 64: each doubling is as likely, so half of the sizes lie below
// sqrt(0.5 * 64.5) = 5.7; the mean of the continuous distribution is 64 / ln 129 = 13.17.
TEST(Sizes, LogUniformFavoursNoScale) {
  const SizeDistribution sizes = SizeDistribution::parse("log-uniform:1B:64B").value();
  RandomStream random(1);
  int below = 0;
  for (int i = 0; i < 100'000; ++i) below += sizes.draw(random).count() <= 5;
  // 5.5 against 5.68: ln(5.5/0.5) / ln(64.5/0.5) = 0.493.
  EXPECT_NEAR(below, 49'340, 800);
  const Drawn drawn = draw("log-uniform:1B:64B");
  EXPECT_EQ(drawn.least, 1);
  EXPECT_EQ(drawn.largest, 64);
  EXPECT_NEAR(sizes.mean(), 13.17, 0.01);
  EXPECT_NEAR(drawn.mean, 13.17, 0.15);
}

// Whole bytes of at least 1 with the mean asked for, even where rounding would matter: the standard
// error of 200 000 draws is below 0.3 %.
TEST(Sizes, ExponentialHasItsMean) {
  EXPECT_NEAR(draw("exponential:3B").mean, 3, 0.03);
  EXPECT_NEAR(draw("exponential:4KiB").mean, 4096, 40);
  EXPECT_EQ(draw("exponential:3B").least, 1);
  EXPECT_EQ(draw("exponential:1B", 100).largest, 1);
}

// 90 % of 64 B and 10 % of 1 MiB: the mean is 0.9 * 64 + 0.1 * 1048576 = 104915.2.
TEST(Sizes, MixHasItsWeights) {
  EXPECT_NEAR(mean_of("mix:90%:64B,10%:1MiB"), 104915.2, 1e-6);
  EXPECT_NEAR(mean_of("mix:9:64B,1:1MiB"), 104915.2, 1e-6);
  EXPECT_NEAR(draw("mix:90%:64B,10%:1MiB").mean, 104915.2, 3500);
}

TEST(Sizes, TextReadsBack) {
  for (const char* text : {"4KiB", "uniform:64B:64KiB", "log-uniform:1B:1MiB", "exponential:4KiB",
                           "mix:0.9:64B,0.1:1MiB"}) {
    EXPECT_EQ(SizeDistribution::parse(text).value().text(), text);
  }
}

TEST(Sizes, RejectsWhatItDoesNotUnderstand) {
  for (const char* text :
       {"", "0", "0B", "-1", "x", "uniform", "uniform:", "uniform:1B", "uniform:2B:1B",
        "uniform:1B:2B:3B", "gamma:1B:2B", "exponential:0B", "mix:", "mix:1B", "mix:0:1B",
        "mix:1:1B,", "mix:50%:1B,60%:2B", "mix:110%:1B", "99999999TiB"}) {
    EXPECT_FALSE(SizeDistribution::parse(text)) << text;
  }
}

// A range is exact: 0.1 to 0.9 in steps of 0.1 are nine loads, among them 0.3 and not
// 0.30000000000000004.
TEST(Loads, RangesAreExact) {
  EXPECT_EQ(Loads::parse("0.1:0.9:0.1").value().text(), "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9");
  EXPECT_EQ(Loads::parse("50%,0.9").value().text(), "0.5,0.9");
  EXPECT_EQ(Loads::parse("1GB/s:2GB/s:500MB/s").value().text(), "8Gbps,12Gbps,16Gbps");
  // In ascending order, each once.
  EXPECT_EQ(Loads::parse("0.5,0.1:0.3:0.1,0.2").value().text(), "0.1,0.2,0.3,0.5");
  EXPECT_EQ(Loads::parse("10Gbps,500Mbps").value().text(), "500Mbps,10Gbps");
}

TEST(Loads, RejectsWhatItDoesNotUnderstand) {
  for (const char* text : {"", "0", "x", "0.1:0.9", "0.9:0.1:0.1", "0.1:0.9:0", "0.1:1Gbps:0.1",
                           "unlimited", "0.1,,0.2", "101", "0.000001:100:0.000001"}) {
    EXPECT_FALSE(Loads::parse(text)) << text;
  }
}

// Half of 100 Gb/s are 6.25 GB/s; a rate is itself, whatever the node could inject.
TEST(Loads, BytesPerSecond) {
  EXPECT_DOUBLE_EQ(Load::fraction(0.5).bytes_per_second(Bandwidth::gbps(100)), 6.25e9);
  EXPECT_DOUBLE_EQ((Load{0, Bandwidth::gbps(8)}).bytes_per_second(Bandwidth::gbps(100)), 1e9);
}

// The table's defaults are accepted by its own ranges and read back as themselves.
TEST(TrafficConfig, DefaultsReadBack) {
  const auto& table = traffic_table();
  TrafficConfig config = table.defaults();
  for (std::size_t i = 0; i < table.params().size(); ++i) {
    const std::string text = table.get(config, i);
    table.set(config, i, text, {});
    EXPECT_EQ(table.get(config, i), text);
  }
}

}  // namespace
}  // namespace heddle::traffic
