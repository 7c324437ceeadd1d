#include "network/packet/channel_graph.hpp"

#include <gtest/gtest.h>

#include "network/full_load.hpp"
#include "network/packet/rules.hpp"
#include "sanitized.hpp"

namespace heddle::network {
namespace {

TEST(ChannelGraph, FindsNoCircleWhereThereIsNone) {
  for (const LaneCase& c : safe_cases()) {
    const LaneCheck found = checked(c, machine_of(c));
    EXPECT_TRUE(found.circle.empty()) << text_of(c);
    EXPECT_GT(found.dependencies, found.channels / 2) << text_of(c);
  }
}

// Each channel of a circle ends where the next begins, and the last where the first does.
TEST(ChannelGraph, NamesACircleWhereThereIsOne) {
  for (const LaneCase& c : unsafe_cases()) {
    SCOPED_TRACE(text_of(c));
    const platform::Platform platform = machine_of(c);
    const LaneCheck found = checked(c, platform);
    ASSERT_GE(found.circle.size(), 2U);
    for (std::size_t i = 0; i < found.circle.size(); ++i) {
      const Channel& next = found.circle[(i + 1) % found.circle.size()];
      EXPECT_EQ(platform.links().ends(found.circle[i].link).to,
                platform.links().ends(next.link).from);
    }
  }
}

// Around a ring of five in one lane: each of the five links of a direction is followed by the next
// (routes have two links). 10 links of nodes and 10 of the ring are used, each link of the ring is
// followed by another and by that of a node, each link from a node by two: 10 + 10 + 10.
TEST(ChannelGraph, CountsARing) {
  const LaneCase c{"torus", kRing, "minimal", lanes("class", 1)};
  const LaneCheck found = checked(c, machine_of(c));
  EXPECT_EQ(found.lanes, 1U);
  EXPECT_EQ(found.channels, 20U);
  EXPECT_EQ(found.dependencies, 30U);
  EXPECT_EQ(found.circle.size(), 5U);
}

/// Every node sends three messages of four packets to every other, with room for one packet per
/// buffer; how many do not arrive.
std::size_t missing(const LaneCase& c, const std::vector<std::string>& more = {}) {
  const platform::Platform platform = machine_of(c);
  std::vector<std::string> settings = c.packet;
  settings.emplace_back("packet.buffer=34");
  settings.insert(settings.end(), more.begin(), more.end());
  Bed bed("packet", platform, settings);
  std::uint64_t cookie = 0;
  for (std::uint32_t round = 1; round < 3 * platform.nodes(); ++round) {
    for (std::uint32_t from = 0; from < platform.nodes(); ++from) {
      const std::uint32_t to = (from + round) % platform.nodes();
      if (from != to) bed.send(cookie++, from, to, 4 * 2'156);
    }
  }
  bed.simulation.run();
  EXPECT_EQ(bed.network->stuck().empty(), bed.recorder.count() == cookie);
  return cookie - bed.recorder.count();
}

// What has no circle never deadlocks.
TEST(ChannelGraph, PacketsWithoutCirclesAllArrive) {
  for (const LaneCase& c : safe_cases()) EXPECT_EQ(missing(c), 0U) << text_of(c);
}

// Nor does it with other switches: whatever allocates their crossbars, stored packets, shared
// buffers of which each lane keeps room for a packet, lanes that are one packet's at a time.
TEST(ChannelGraph, SwitchesOfAllKindsLetPacketsArrive) {
  const LaneCase cases[] = {{"torus", kTorus, "minimal", lanes("dateline", 2)},
                            {"torus", kTorus, "adaptive", lanes("escape", 3)},
                            {"dragonfly", kGroups, "par", lanes("group", 4)}};
  for (const LaneCase& c : cases) {
    for (const auto* rule : allocations()) {
      if (kSanitized && rule != allocations().front() && &c != cases) continue;
      std::vector<std::string> more = {"packet.allocation=" + std::string(rule->name),
                                       "packet.buffer=50", "packet.buffer_sharing=switch"};
      EXPECT_EQ(missing(c, more), 0U) << text_of(c) << " " << more.front();
      more.back() = "packet.buffer_sharing=port";
      more.emplace_back("packet.forwarding=store-and-forward");
      if (c.routing != "adaptive") more.emplace_back("packet.input_queue=fifo");
      EXPECT_EQ(missing(c, more), 0U) << text_of(c) << " " << more.front();
      if (c.routing == "adaptive" || rule->name == "none") continue;
      more.insert(more.end(), {"packet.route_time=10ns", "packet.lane_time=10ns"});
      EXPECT_EQ(missing(c, more), 0U) << text_of(c) << " " << more.front();
    }
  }
}

// What has one may, and at full load of random traffic does, sooner or later; but for progressive
// routing with three lanes, whose circle needs detours of many packets from one group at a time.
TEST(ChannelGraph, PacketsWithCirclesDeadlock) {
  for (const LaneCase& c : unsafe_cases()) {
    if (c.routing == "par") continue;
    EXPECT_GT(missing_at_full_load(c, 20'000), 0U) << text_of(c);
  }
}

// Every pair of shape and routing, with the lanes that it has by itself and with one: what is
// called safe lets everything arrive.
TEST(ChannelGraph, SafePairsOfShapeAndRoutingLetPacketsArrive) {
  std::size_t safe = 0;
  for (const LaneCase& c : all_pairs()) {
    if (!checked(c, machine_of(c)).circle.empty()) continue;
    ++safe;
    EXPECT_EQ(missing_at_full_load(c, kSanitized ? 20 : 200), 0U) << text_of(c);
  }
  EXPECT_GT(safe, 50U);
}

TEST(ChannelGraph, RulesSayWhatTheyAreFor) {
  const LaneCase fixed{"torus", kTorus, "minimal", lanes("escape", 3)};
  EXPECT_THROW(checked(fixed, machine_of(fixed)), ParamError);
  const LaneCase few{"torus", kTorus, "adaptive", lanes("escape", 2)};
  EXPECT_THROW(checked(few, machine_of(few)), ParamError);
  const LaneCase tree{"fat-tree", kTree, "minimal", lanes("dateline", 2)};
  EXPECT_THROW(checked(tree, machine_of(tree)), ParamError);
  const LaneCase torus{"torus", kTorus, "minimal", lanes("group", 2)};
  EXPECT_THROW(checked(torus, machine_of(torus)), ParamError);
}

}  // namespace
}  // namespace heddle::network
