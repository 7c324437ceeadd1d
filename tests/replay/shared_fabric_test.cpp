// Replays over the queue model by several threads: every bit is that of one thread.
#include <gmock/gmock.h>

#include "goal/formats/formats.hpp"
#include "replay/engine/fabric_parts.hpp"
#include "replay/shared_fabric.hpp"

namespace heddle::replay {
namespace {

using testing::HasSubstr;

const std::vector<Fabric>& divisible_fabrics() {
  static const std::vector<Fabric> fabrics = {
      {"fat-tree-64"},
      {"torus-512"},
      {"dragonfly-72"},
      {"hyperx-256"},
      {"fat-tree-64", {"link.duplex=half"}},
      {"fat-tree-64", {"queue.forwarding=store-and-forward"}},
      {"torus-512", {"link.latency=37ns", "switch.latency=0ns"}},
      {"dragonfly-72",
       {"node.pcie_bandwidth=50Gbps", "node.limiter_bandwidth=60Gbps", "node.pcie_duplex=half"}},
      {"dragonfly-72", {"node.loopback_bandwidth=10Gbps", "node.loopback_latency=5ns"}},
  };
  return fabrics;
}

// In these nearly everything is simultaneous, or nearly nothing is: the order of what is decides
// who gets a link first.
TEST_F(SharedFabricReplay, ThreadsGiveTheBitsOfOne) {
  constexpr const char* kPatterns[] = {"nearest-neighbour", "random-dag", "linear-alltoall"};
  std::size_t turn = 0;
  for (const Fabric& fabric : divisible_fabrics()) {
    for (const char* pattern : {"dissemination", kPatterns[turn++ % 3]}) {
      EXPECT_GT(expect_same(pattern_over_fabric(pattern, 64), fabric), 2U)
          << fabric.machine << " " << pattern;
    }
  }
}

// Ends that cost nothing: a message enters the network, arrives and sets off the next in the same
// instant.
TEST_F(SharedFabricReplay, ThreadsGiveTheBitsOfOneWhereTheEndsCostNothing) {
  overhead_ = Time::zero();
  for (const char* pattern : {"dissemination", "linear-alltoall", "binomial-bcast"}) {
    expect_same(pattern_over_fabric(pattern, 61, 8), {"fat-tree-64"});
    expect_same(pattern_over_fabric(pattern, 70, 8), {"torus-512"});
  }
}

// Ranks of one node stay together, in blocks: their messages take no time at all.
TEST_F(SharedFabricReplay, RanksOfANodeShareItsThread) {
  replay_.ranks_per_node = 3;
  overhead_ = Time::zero();
  EXPECT_EQ(expect_same(pattern_over_fabric("linear-alltoall", 60, 100), {"fat-tree-64"}), 8U);
  overhead_ = Time::ns(11);
  gap_ = Time::ns(5);
  EXPECT_EQ(expect_same(pattern_over_fabric("random-dag", 60), {"dragonfly-72"}), 8U);
  EXPECT_EQ(expect_same(pattern_over_fabric("random-dag", 60), divisible_fabrics().back()), 8U);
}

TEST_F(SharedFabricReplay, RandomSchedulesGiveTheBitsOfOneThread) {
  for (std::uint64_t seed = 0; seed < 18; ++seed) {
    overhead_ = Time::ns(static_cast<std::int64_t>(seed % 3) * 50);
    gap_ = Time::ns(static_cast<std::int64_t>(seed % 2) * 70);
    const auto& fabrics = divisible_fabrics();
    expect_same(random_over_fabric(seed, 48), fabrics[seed % fabrics.size()]);
  }
}

// A receive that never gets its message is told of in the same words.
TEST_F(SharedFabricReplay, AStallIsToldInTheSameWords) {
  std::string text = "num_ranks 16\n";
  for (int r = 0; r < 16; ++r) {
    text += "rank " + std::to_string(r) + " {\n";
    text += "send 8b to " + std::to_string((r + 1) % 16) + "\n";
    text += "recv 8b from " + std::to_string((r + 15) % 16) + "\n";
    if (r == 11) text += "lost: recv 8b from 2\n";
    text += "}\n";
  }
  const goal::Schedule schedule = goal::parse_schedule(text, "app.goal");
  expect_same(schedule, {"fat-tree-64"});
  EXPECT_THAT(run(schedule, {"fat-tree-64"}, 3).text, HasSubstr("lost: recv 8b from 2"));
}

// One thread where the next link depends on loads or chance, where routes are kept as they are
// found, where cables take no time, and where a thread would have too few ranks: 64 of which each
// has 30 or more are two threads' work.
TEST_F(SharedFabricReplay, FewerThreadsSayWhy) {
  const goal::Schedule schedule = pattern_over_fabric("dissemination", 64);
  const auto why = [&](const Fabric& fabric, unsigned threads = 4) {
    const FabricOutcome outcome = run(schedule, fabric, threads);
    return std::to_string(outcome.threads) + ": " + outcome.why_fewer;
  };
  EXPECT_THAT(why({"fat-tree-64", {"topology.routing=adaptive"}}), HasSubstr("1: routes that"));
  EXPECT_THAT(why({"dragonfly-72", {"topology.routing=valiant"}}), HasSubstr("1: routes that"));
  EXPECT_THAT(why({"graphene"}), HasSubstr("1: routes that are worked out"));
  EXPECT_THAT(why({"fat-tree-64", {"link.latency=0ns", "switch.latency=0ns"}}),
              HasSubstr("1: cables between parts have no latency"));
  EXPECT_EQ(why({"fat-tree-64"}), "4: ");
  least_ranks_ = 30;
  EXPECT_EQ(why({"fat-tree-64"}), "2: a thread should have 30 ranks or more");
  EXPECT_EQ(why({"fat-tree-64"}, 2), "2: ");
}

// fat-tree-64 has cables and switches of 100 ns. Cut between leaf switches, what goes from one part
// to another comes out of a switch: 200 ns. With one switch for all, it goes over its nodes' cables
// alone: 100 ns.
TEST_F(SharedFabricReplay, TheLookaheadIsThatOfTheCablesBetweenParts) {
  const goal::Schedule schedule = pattern_over_fabric("dissemination", 64);
  const auto lookahead = [&](const char* machine, std::vector<std::string> set) {
    Settings settings(network::fabric_sections());
    const auto description = platform::read_machine(machine, settings);
    for (const std::string& setting : set) settings.assign(setting, {"test"});
    const auto platform = platform::build_platform(description, settings);
    const auto nodes = place_ranks(64, platform->nodes(), replay_);
    const FabricParts parts = divide_fabric(schedule, *platform, nodes, {4, 1, Bytes(65535)});
    return parts.cut ? parts.cut->lookahead() : Time::zero();
  };
  EXPECT_EQ(lookahead("fat-tree-64", {"link.latency=100ns", "switch.latency=100ns"}),
            Time::ns(200));
  EXPECT_EQ(lookahead("fat-tree-64", {"link.latency=70ns", "switch.latency=9ns"}), Time::ns(79));
  EXPECT_EQ(lookahead("fat-tree-64", {"fat-tree.levels=1", "fat-tree.arity=64"}), Time::ns(100));
}

}  // namespace
}  // namespace heddle::replay
