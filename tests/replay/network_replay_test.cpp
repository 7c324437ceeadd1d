// Schedules over networks with links.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/random.hpp"
#include "error_of.hpp"
#include "goal/formats/formats.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/schedule_builder.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "replay/network_replay.hpp"

namespace heddle::replay {
namespace {

using testing::HasSubstr;

/// What a test sets of the ends; everything else is the default.
struct Ends {
  Time o;
  Time g;
  std::int64_t G_ns = 0;
};

class NetworkReplay : public testing::Test {
 protected:
  ReplayOptions options(const Ends& ends) const {
    ReplayOptions options;
    network::LogGopsConfig loggops;
    loggops.overhead = ends.o;
    loggops.gap = ends.g;
    if (ends.G_ns != 0) loggops.gap_per_byte = TimePerByte::attoseconds(ends.G_ns * 1'000'000'000);
    options.parameters = combine_for_network(loggops, replay_);
    return options;
  }

  ReplayResult run(const goal::Schedule& schedule, const std::string& machine,
                   const std::string& model, const ReplayOptions& options) {
    Settings settings(network::fabric_sections());
    const auto description = platform::read_machine(machine, settings);
    const auto platform = platform::build_platform(description, settings);
    Simulation simulation;
    const auto network = network::make_network(model, simulation, *platform, settings);
    Carrier carrier{simulation, *network,
                    place_ranks(schedule.ranks(), platform->nodes(), replay_)};
    return network_replay(schedule, options, carrier);
  }

  ReplayConfig replay_ = replay_table().defaults();
};

goal::Schedule dissemination_of_8() {
  goal::PatternConfig config = goal::pattern_table().defaults();
  config.ranks = 8;
  config.size = Bytes(180);
  return generate("dissemination", config);
}

std::pair<std::int64_t, std::int64_t> latest_and_earliest(const std::vector<Time>& times) {
  const auto [low, high] = std::minmax_element(times.begin(), times.end());
  return {high->ps(), low->ps()};
}

using Pair = std::pair<std::int64_t, std::int64_t>;

// A dissemination of 180 B on 8 InfiniBand hosts, as published for a flit-level simulation coupled
// with LogGOPSim: the last and the first rank are done at 943.1 and 843.1 ns on four switches that
// are all joined, at 1261.85 and 1105.6 ns on a fat tree of six; the ends cost nothing.
TEST_F(NetworkReplay, DisseminationOverPacketsEndsAsPublished) {
  const goal::Schedule schedule = dissemination_of_8();
  const ReplayOptions free = options({});
  EXPECT_EQ(latest_and_earliest(run(schedule, "ib-h8-s4", "packet", free).finish),
            Pair(943'100, 843'100));
  EXPECT_EQ(latest_and_earliest(run(schedule, "ib-h8-s6", "packet", free).finish),
            Pair(1'261'850, 1'105'600));
}

// The same with o = 50 ns, g = 100 ns and G = 6 ns: a message enters the network at o, the next
// o + 179 G + o after an arrival. What was published is when the adapter is free, g + 179 G after
// the last arrival: 4577.25 and 4473.35 ns, 4860.85 and 4667.1 ns. The processor is done
// g - o = 50 ns sooner.
TEST_F(NetworkReplay, DisseminationWithCostlyEndsEndsAsPublished) {
  const goal::Schedule schedule = dissemination_of_8();
  const ReplayOptions costly = options({Time::ns(50), Time::ns(100), 6});
  const ReplayResult s4 = run(schedule, "ib-h8-s4", "packet", costly);
  EXPECT_EQ(latest_and_earliest(s4.adapters_free), Pair(4'577'250, 4'473'350));
  EXPECT_EQ(latest_and_earliest(s4.finish), Pair(4'527'250, 4'423'350));
  const ReplayResult s6 = run(schedule, "ib-h8-s6", "packet", costly);
  EXPECT_EQ(latest_and_earliest(s6.adapters_free), Pair(4'860'850, 4'667'100));
}

// fat-tree-64: nodes 0 and 1 share a switch. Its idle route is asked of the platform; a message of
// 1000 B then takes o + sum of latencies + 1000 B at the narrowest link + o in queue and fluid.
TEST_F(NetworkReplay, AnIdleMessageTakesTwoOverheadsAndTheWire) {
  const goal::Schedule schedule = goal::parse_schedule(
      "num_ranks 2\nrank 0 {\nsend 1000b to 1\n}\nrank 1 {\nrecv 1000b from 0\n}\n", "test");
  Settings settings(network::fabric_sections());
  const auto platform =
      platform::build_platform(platform::read_machine("fat-tree-64", settings), settings);
  Time latency;
  Bandwidth narrowest = Bandwidth::unlimited();
  auto walk = platform->routes().walk({NodeId{0}, platform::Port::memory},
                                      {NodeId{1}, platform::Port::memory}, 0);
  for (LinkId link; (link = platform->routes().next(walk, platform::NoLoads{})) != kNoLink;) {
    const platform::Link& l = platform->links()[link];
    latency += l.latency;
    narrowest = tighter(narrowest, tighter(l.bandwidth, l.flow_cap));
  }
  const Time expected = Time::ns(700) * 2 + latency + narrowest.time_for(Bytes(1000));
  for (const char* model : {"queue", "fluid"}) {
    const ReplayResult result = run(schedule, "fat-tree-64", model, options({Time::ns(700), {}}));
    EXPECT_EQ(result.finish[1], expected) << model;
    EXPECT_EQ(result.finish[0], Time::ns(700)) << model;
    EXPECT_EQ(result.times[1].overhead.ps(), 700'000) << model;
    EXPECT_EQ(result.waiting(RankId{1}), expected - Time::ns(700)) << model;
  }
}

// A send of more than S ends only when its receive is matched: rank 0's calc starts after rank 1
// has worked for 1 ms and posted its receive, not after o.
TEST_F(NetworkReplay, ARendezvousSendEndsWithItsMatch) {
  const goal::Schedule schedule = goal::parse_schedule(
      "num_ranks 2\n"
      "rank 0 {\na: send 100000b to 1\nb: calc 10\nb requires a\n}\n"
      "rank 1 {\nc: calc 1000000\nd: recv 100000b from 0\nd requires c\n}\n",
      "test");
  for (const char* model : {"queue", "fluid", "packet"}) {
    const ReplayResult result = run(schedule, "ib-h8-s1", model, options({}));
    EXPECT_EQ(result.finish[0], Time::ns(1'000'010)) << model;
  }
}

TEST_F(NetworkReplay, AStallNamesRankLabelAndLine) {
  const goal::Schedule schedule = goal::parse_schedule(
      "num_ranks 2\nrank 0 {\nlost: recv 8b from 1\n}\nrank 1 {\n}\n", "app.goal");
  EXPECT_THAT(error_of<StallError>([&] { run(schedule, "ib-h8-s1", "packet", options({})); }),
              HasSubstr("rank 0, lost: recv 8b from 1 tag 0 (app.goal:3)"));
}

// Rank r on node r modulo 4, or with 3 ranks per node on node r / 3, where 13 ranks need a fifth.
TEST_F(NetworkReplay, RanksArePlacedRoundOrInBlocks) {
  const auto numbers = [&](std::uint32_t ranks) {
    std::vector<std::uint32_t> list;
    for (const NodeId node : place_ranks(ranks, 4, replay_)) list.push_back(index(node));
    return list;
  };
  EXPECT_THAT(numbers(6), testing::ElementsAre(0, 1, 2, 3, 0, 1));
  replay_.ranks_per_node = 3;
  EXPECT_THAT(numbers(7), testing::ElementsAre(0, 0, 0, 1, 1, 1, 2));
  EXPECT_THROW(numbers(13), InputError);
}

// Ranks that share a node talk through its loopback: every model delivers.
TEST_F(NetworkReplay, RanksOfOneNodeTalk) {
  replay_.ranks_per_node = 8;
  for (const char* model : {"loggops", "queue", "fluid", "packet"}) {
    const ReplayResult result =
        run(dissemination_of_8(), "ib-h8-s1", model, options({Time::ns(50), {}}));
    EXPECT_EQ(result.events, 8U * 3 * 3) << model;
  }
}

// With a wire that takes nothing and ends that cost o, g, G and O, the replay over a network is the
// one over LogGOPS with L = 0: any difference would be a second meaning of the ends.
TEST_F(NetworkReplay, OverANetworkWithoutTimeItIsLogGopsWithoutLatency) {
  replay_.ranks_per_node = 1 << 20;  // all on one node without a loopback's cost
  RandomStream random = RandomStream(7).split("network replay");
  for (int round = 0; round < 200; ++round) {
    goal::ScheduleBuilder builder(6);
    for (std::uint32_t r = 0; r < 6; ++r) {
      builder.begin_rank(r);
      std::uint32_t before = builder.calc(random.below(5));
      for (std::uint32_t k = 1; k < 4; ++k) {
        const std::uint32_t recv = builder.recv(k * 10, (r + 6 - k) % 6, k);
        const std::uint32_t send = builder.send(k * 10, (r + k) % 6, k);
        builder.requires_end(send, before);
        if (random.below(2) == 0) builder.requires_end(recv, before);
        before = random.below(2) == 0 ? recv : send;
      }
      builder.end_rank();
    }
    const goal::Schedule schedule = builder.finish();
    const ReplayOptions o = options({Time::ns(3), Time::ns(4), 1});
    const ReplayResult wire = run(schedule, "ib-h8-s1", "queue", o);
    const ReplayResult plain = loggops_replay(schedule, o);
    EXPECT_EQ(wire.finish, plain.finish) << "round " << round;
    EXPECT_EQ(wire.fingerprint(), plain.fingerprint()) << "round " << round;
  }
}

}  // namespace
}  // namespace heddle::replay
