// Runs of traffic as a whole: the same again, from files, with several seeds, in several processes.
#include <gmock/gmock.h>

#include <algorithm>

#include "temporary_file.hpp"
#include "traffic/support.hpp"

namespace heddle::traffic {
namespace {

using ::testing::HasSubstr;

// The same seed gives the same events, another seed others; watching changes nothing.
TEST(TrafficRun, IsDeterministic) {
  const auto platform = star(8);
  TrafficConfig c = open("uniform", "0.3,0.7");
  c.size = SizeDistribution::parse("log-uniform:64B:64KiB").value();
  c.duration = Time::us(100);
  const std::uint64_t first = combined_fingerprint(run_all(c, *platform));
  EXPECT_EQ(combined_fingerprint(run_all(c, *platform)), first);
  Collected collected;
  int reports = 0;
  const TrafficWatch watch{0, &collected, [&](const RunProgress&) { ++reports; }};
  EXPECT_EQ(combined_fingerprint(run_all(c, *platform, watch)), first);
  EXPECT_FALSE(collected.records.empty());
  EXPECT_GE(reports, 2);
  c.seed = 2;
  EXPECT_NE(combined_fingerprint(run_all(c, *platform)), first);
}

// By hand: message 0 is alone on its cable up and first at the target: 400 ns. Message 1 waits for
// it there: 500 ns. Message 2, at half the rate, needs 200 ns of transmission: 1000 + 500 ns. The
// lines are not in the order of time; ids are the places in the file.
TEST(TrafficRun, FileFinishTimesAreExact) {
  const TemporaryFile file(
      "start source destination bytes rate\n"
      "0us 0 1 1250\n"
      "1us 0 1 1250 50Gbps\n"
      "0us n2 n1 1250\n");
  TrafficConfig c = config_of_run("file");
  c.file = file.path;
  Collected collected;
  const TrafficResult result = run(c, *star(4), {5, &collected, nullptr});
  EXPECT_EQ(result.messages, 3U);
  ASSERT_EQ(collected.records.size(), 3U);
  EXPECT_EQ(collected.records[0].id, 0U);
  EXPECT_EQ(collected.records[0].finished, Time::ns(400));
  EXPECT_EQ(collected.records[1].id, 2U);
  EXPECT_EQ(collected.records[1].finished, Time::ns(500));
  EXPECT_EQ(collected.records[2].id, 1U);
  EXPECT_EQ(collected.records[2].created, Time::us(1));
  EXPECT_EQ(collected.records[2].finished, Time::ns(1500));
}

// Nobody means a file without messages.
TEST(TrafficRun, EmptyFileIsAnError) {
  const TemporaryFile file("# nothing\n");
  TrafficConfig c = config_of_run("file");
  c.file = file.path;
  EXPECT_THAT([&] { run(c, *star(4)); },
              testing::ThrowsMessage<InputError>(HasSubstr("has no messages")));
}

TEST(TrafficRun, FractionOfNoLimitIsAnError) {
  auto platform = star(2);
  platform::LinkParams link = platform::link_table().defaults();
  link.bandwidth = Bandwidth::unlimited();
  for (std::uint32_t cable = 0; cable < 2; ++cable) platform->set_cable(cable, link);
  EXPECT_THAT([&] { run(open("uniform", "0.5"), *platform); },
              testing::ThrowsMessage<InputError>(HasSubstr("accepted here is a rate")));
}

// Three seeds of one load: the counts are the sums of those of each seed alone, the mean latency is
// the mean of theirs, and the interval is Student's of the three means.
TEST(Seeds, SeveralAreOneResult) {
  const auto platform = star(8);
  TrafficConfig c = open("uniform", "0.5");
  c.duration = Time::us(100);
  std::uint64_t messages = 0;
  std::vector<double> means;
  for (c.seed = 1; c.seed <= 3; ++c.seed) {
    const TrafficResult one = run(c, *platform);
    messages += one.messages;
    means.push_back(static_cast<double>(one.latency.mean.ps()));
    EXPECT_TRUE(one.mean_latency.known());
  }
  c.seed = 1;
  c.seeds = 3;
  const TrafficResult all = run(c, *platform);
  EXPECT_EQ(all.seeds, 3);
  EXPECT_EQ(all.messages, messages);
  EXPECT_NEAR(static_cast<double>(all.latency.mean.ps()), estimate(means).mean, 1);
  EXPECT_DOUBLE_EQ(all.mean_latency.half_width, estimate(means).half_width);
  EXPECT_EQ(all.accepted_rate.samples, 3U);
}

// A switch with a shift pattern is an M/D/1 queue per node: at half load a message waits half of
// its 100 ns, and is there after 450 ns. The interval by batches of one seed is narrow, and five
// seeds' contains that.
TEST(Seeds, TheIntervalContainsTheTruth) {
  const auto platform = star(8);
  TrafficConfig c = open("shift", "0.5");
  EXPECT_LT(run(c, *platform).mean_latency.half_width, 0.02 * 450'000);
  c.seeds = 5;
  const TrafficResult all = run(c, *platform);
  EXPECT_NEAR(static_cast<double>(all.latency.mean.ps()), 450'000, 2 * all.mean_latency.half_width);
  EXPECT_NEAR(all.fraction(all.accepted_rate.mean), 0.5,
              2 * all.fraction(all.accepted_rate.half_width));
}

// Three senders to one node: a load is carried as long as the three together do not offer more than
// one cable takes, a third of theirs each; a load is saturated once 5 % do not arrive, at 0.35.
// Runs come in ascending order, those below it not saturated and those above it saturated.
TEST(FindSaturation, HalvesTheIntervalOfLoads) {
  TrafficConfig c = open("incast", "0.5");
  c.fan_in = 3;
  c.find_saturation = true;
  const std::vector<TrafficResult> results = run_all(c, *star(8));
  ASSERT_EQ(results.size(), 8U);
  double last_carried = 0;
  double first_saturated = 2;
  for (const TrafficResult& result : results) {
    const double load = static_cast<double>(result.load->parts) / Load::kWhole;
    if (result.saturated) {
      first_saturated = std::min(first_saturated, load);
    } else {
      last_carried = std::max(last_carried, load);
    }
  }
  EXPECT_NEAR(first_saturated - last_carried, 1.0 / 128, 1e-9);
  EXPECT_GE(first_saturated, 0.333);
  EXPECT_LE(last_carried, 0.36);
}

/// What processes pass to each other must be all there is.
void expect_equal(const TrafficResult& a, const TrafficResult& b) {
  EXPECT_EQ(a.load, b.load);
  EXPECT_EQ(a.messages, b.messages);
  EXPECT_EQ(a.unfinished, b.unfinished);
  EXPECT_EQ(a.bytes, b.bytes);
  EXPECT_EQ(a.latency.mean, b.latency.mean);
  EXPECT_EQ(a.latency.p99, b.latency.p99);
  EXPECT_EQ(a.measured, b.measured);
  EXPECT_EQ(a.warm_up, b.warm_up);
  EXPECT_EQ(a.last_finish, b.last_finish);
  EXPECT_EQ(a.senders, b.senders);
  EXPECT_EQ(a.offered, b.offered);
  EXPECT_EQ(a.accepted, b.accepted);
  EXPECT_EQ(a.injection, b.injection);
  EXPECT_EQ(a.saturated, b.saturated);
  EXPECT_EQ(a.mean_latency.half_width, b.mean_latency.half_width);
  EXPECT_EQ(a.accepted_rate.half_width, b.accepted_rate.half_width);
  EXPECT_EQ(a.seeds, b.seeds);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.fingerprint, b.fingerprint);
  ASSERT_EQ(a.busiest.size(), b.busiest.size());
  for (std::size_t i = 0; i < a.busiest.size(); ++i) {
    EXPECT_EQ(a.busiest[i].link, b.busiest[i].link);
    EXPECT_EQ(a.busiest[i].bytes, b.busiest[i].bytes);
    EXPECT_EQ(a.busiest[i].utilisation, b.busiest[i].utilisation);
    ASSERT_EQ(a.busiest[i].more.size(), b.busiest[i].more.size());
    for (std::size_t k = 0; k < a.busiest[i].more.size(); ++k) {
      EXPECT_EQ(a.busiest[i].more[k].name, b.busiest[i].more[k].name);
      EXPECT_EQ(a.busiest[i].more[k].value, b.busiest[i].more[k].value);
    }
  }
}

// Three loads with two seeds each, one run after another and four at once: the same results in the
// same order, to the bit.
TEST(Jobs, ChangeNoResult) {
  const auto platform = star(4);
  TrafficConfig c = open("uniform", "0.2,0.5,1.5");
  c.duration = Time::us(50);
  c.seeds = 2;
  TrafficWatch several;
  several.jobs = 4;
  const std::vector<TrafficResult> one = run_all(c, *platform, {}, "packet");
  const std::vector<TrafficResult> four = run_all(c, *platform, several, "packet");
  ASSERT_EQ(one.size(), 3U);
  ASSERT_EQ(four.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) expect_equal(one[i], four[i]);
}

// A node that sends less than a message per hour is an error of the load, in a process of its own
// as well; a stop asked for by whoever watches keeps its meaning.
TEST(Jobs, FailAsOneRunDoes) {
  const auto platform = star(4);
  TrafficWatch several;
  several.jobs = 2;
  EXPECT_THROW(run_all(open("uniform", "1bps,2bps"), *platform, several), InputError);
  several.progress = [](const RunProgress&) { throw RunError("stopped"); };
  // More loads than can all be done when they are looked at for the first time.
  EXPECT_THROW(run_all(open("uniform", "0.1:0.9:0.1"), *platform, several), RunError);
}

}  // namespace
}  // namespace heddle::traffic
