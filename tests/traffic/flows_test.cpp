// How long flows take against an idle network, and the model that simulates every link alone.
#include <gmock/gmock.h>

#include <cmath>
#include <map>

#include "error_of.hpp"
#include "platform/topology/fat_tree.hpp"
#include "platform/topology/torus.hpp"
#include "temporary_file.hpp"
#include "traffic/support.hpp"

namespace heddle::traffic {
namespace {

using ::testing::HasSubstr;

// A message of 1250 B takes 400 ns alone, one of 125 kB 10.3 us. Two of the latter from different
// nodes to one, at the same time: the second waits for the first. Slowdowns are 1 and 20.3 / 10.3.
TEST(Slowdown, IsAgainstTheIdleNetwork) {
  for (const char* network : {"queue", "links"}) {
    const TemporaryFile file("0us 0 2 1250\n5us 0 2 125000\n5us 1 2 125000\n");
    TrafficConfig c = config_of_run("file");
    c.file = file.path;
    c.slowdown = Slowdown::yes;
    Settings settings(network::network_sections());
    settings.assign("links.like=queue", {});
    const TrafficResult r = run_traffic(c, *star(3), network, settings).front();
    ASSERT_EQ(r.flows.size(), 3U) << network;
    EXPECT_EQ(r.flows[1].slowdown_p50, 1) << network;
    EXPECT_EQ(r.flows[1].p50, Time::ns(400)) << network;
    EXPECT_EQ(r.flows[2].slowdown_p50, 1) << network;
    EXPECT_NEAR(r.flows[2].slowdown_p99, 20.3 / 10.3, 1e-6) << network;
  }
}

// Alone, no flow is slower than alone, over any network and of any size, exactly up to 64 KiB and
// to a thousandth above.
TEST(Slowdown, OfFlowsThatNeverMeetIsOne) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += std::to_string(i * 1000) + "us 0 1 " + std::to_string(1 + i * i * i * 37) + "\n";
  }
  const TemporaryFile file(text);
  TrafficConfig c = config_of_run("file");
  c.file = file.path;
  c.slowdown = Slowdown::yes;
  for (const char* network : {"loggops", "queue", "fluid", "packet", "links"}) {
    const TrafficResult result = run_all(c, *star(2), {}, network).front();
    for (const FlowGroup& group : result.flows) {
      EXPECT_NEAR(group.slowdown_mean, 1, 1e-3) << network;
      EXPECT_NEAR(group.slowdown_p999, 1, 2e-3) << network << " " << group.from.count();
    }
  }
}

// Where nobody asks and sizes are not measured ones, slowdowns cost nothing.
TEST(Slowdown, IsMeasuredWhereItIsWanted) {
  TrafficConfig c = open("uniform", "0.3");
  c.duration = Time::us(50);
  EXPECT_TRUE(run(c, *star(4)).flows.empty());
  c.size = SizeDistribution::parse("rpc").value();
  EXPECT_FALSE(run(c, *star(4)).flows.empty());
  c.slowdown = Slowdown::no;
  EXPECT_TRUE(run(c, *star(4)).flows.empty());
}

/// When messages finish, by source and creation.
class Finishes final : public MessageSink {
 public:
  void message_finished(const MessageRecord& r) override {
    times[{index(r.source), r.created.ps()}] = r.finished.ps();
  }
  std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> times;
};

std::map<std::pair<std::size_t, std::int64_t>, std::int64_t> finishes(
    const TrafficConfig& c, const platform::Platform& platform, const std::string& network,
    const std::vector<std::string>& assignments) {
  Settings settings(network::network_sections());
  for (const std::string& assignment : assignments) settings.assign(assignment, {});
  Finishes finishes;
  run_traffic(c, platform, network, settings, {0, &finishes});
  return finishes.times;
}

TrafficConfig flows_at(double load) {
  TrafficConfig c = open("uniform", "0.5");
  c.load.list = {Load::fraction(load)};
  c.size = SizeDistribution::parse("storage").value();
  c.warm_up = Time::zero();
  c.duration = Time::us(400);
  return c;
}

std::unique_ptr<platform::Platform> tree_of_64() {
  auto topology = std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(8, 2));
  auto routing = platform::make_routing("minimal", *topology);
  return std::make_unique<platform::Platform>(
      "tree", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(),
      platform::nic_table().defaults());
}

// In a tree a message meets links in an order that no other message turns round, so that link by
// link is as good as all at once: whole messages one after another finish when they do over queue,
// but for the rounding of times at each link, even where many wait.
TEST(Links, AreQueueWhereMessagesGoOneAfterAnother) {
  const auto tree = tree_of_64();
  const auto queue = finishes(flows_at(0.7), *tree, "queue", {});
  const auto links = finishes(flows_at(0.7), *tree, "links", {"links.like=queue"});
  std::size_t both = 0;
  std::size_t alike = 0;
  for (const auto& [message, finish] : links) {
    const auto other = queue.find(message);
    if (other == queue.end()) continue;
    ++both;
    alike += std::abs(finish - other->second) <= 10;
  }
  EXPECT_GT(both, 3000U);
  EXPECT_EQ(alike, both);
}

// On one bottleneck, the cable to the only receiver, inputs take turns as in packet: slowdowns have
// the same distribution, but for the grain of packets: a small flow waits for whole packets of the
// others, which shows where waits are short.
TEST(Links, ArePacketOnOneBottleneck) {
  const auto switched = star(9);
  TrafficConfig c = flows_at(0.08);  // Of eight senders.
  c.pattern = "incast";
  c.duration = Time::ms(10);
  Settings settings(network::network_sections());
  settings.assign("packet.buffer=1M", {});
  const FlowGroup links = run_traffic(c, *switched, "links", settings).front().flows.front();
  const FlowGroup packet = run_traffic(c, *switched, "packet", settings).front().flows.front();
  EXPECT_EQ(links.flows, packet.flows);
  EXPECT_NEAR(links.slowdown_mean / packet.slowdown_mean, 1, 0.03);
  EXPECT_NEAR(links.slowdown_p50 / packet.slowdown_p50, 1, 0.1);
  EXPECT_NEAR(links.slowdown_p99 / packet.slowdown_p99, 1, 0.03);
}

// However many threads share the links, every message finishes at the same picosecond; on a torus,
// too, where links wait for each other in circles.
TEST(Links, DoNotDependOnThreads) {
  const auto tree = tree_of_64();
  auto topology = std::make_unique<platform::Torus>(std::vector<std::int64_t>{4, 4, 2}, 1,
                                                    platform::Torus::Edges::wrapped);
  auto routing = platform::make_routing("minimal", *topology);
  const platform::Platform torus(
      "torus", std::move(topology), std::move(routing), platform::link_table().defaults(),
      platform::switch_table().defaults(), platform::node_table().defaults(), {});
  for (const platform::Platform* platform :
       std::vector<const platform::Platform*>{tree.get(), &torus}) {
    const auto one = finishes(flows_at(0.3), *platform, "links", {"links.threads=1"});
    EXPECT_EQ(one, finishes(flows_at(0.3), *platform, "links", {"links.threads=4"}));
    EXPECT_GT(one.size(), 1000U);
  }
}

// Of links of which some are alike fewer are simulated, and all are accounted for; what flows draw
// for the others does not depend on threads. Alike to nothing are none of them, for random flows
// are never the same.
TEST(Links, ThatAreAlikeAreSimulatedOnce) {
  const auto tree = tree_of_64();
  const auto run = [&](const char* alike, const char* threads) {
    Settings settings(network::network_sections());
    settings.assign(alike, {});
    settings.assign(threads, {});
    TrafficConfig c = flows_at(0.5);
    c.size = SizeDistribution::parse("exponential:4KiB").value();
    c.slowdown = Slowdown::yes;
    c.duration = Time::us(300);
    return run_traffic(c, *tree, "links", settings).front();
  };
  const TrafficResult each = run("links.alike=0", "links.threads=1");
  const TrafficResult some = run("links.alike=0.1", "links.threads=1");
  EXPECT_EQ(each.links_alike, 0U);
  EXPECT_GT(some.links_alike, each.links_simulated / 8);
  EXPECT_EQ(some.links_simulated + some.links_alike, each.links_simulated);
  EXPECT_LT(some.events, each.events);
  EXPECT_EQ(some.messages, each.messages);
  EXPECT_NEAR(some.flows.front().slowdown_p99 / each.flows.front().slowdown_p99, 1, 0.15);
  EXPECT_EQ(run("links.alike=0.1", "links.threads=4").fingerprint, some.fingerprint);
}

// A closed loop sends when something has arrived, which nobody knows beforehand.
TEST(Links, RefuseClosedLoops) {
  EXPECT_THAT(heddle::error_of([] { run_all(closed("uniform", 10, 1), *star(4), {}, "links"); }),
              HasSubstr("accepted are loop open"));
}

}  // namespace
}  // namespace heddle::traffic
