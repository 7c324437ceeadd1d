// Replays over links by several threads, and all that they give.
#pragma once

#include <gtest/gtest.h>

#include "core/random.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/schedule_builder.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "replay/network_replay.hpp"

namespace heddle::replay {

/// A machine in a few words: its name or description, and what is set of it.
struct Fabric {
  const char* machine;
  std::vector<std::string> settings = {};
  const char* model = "queue";
};

/// What a replay gave, as text, so that a difference can be read.
struct FabricOutcome {
  std::string text;
  std::size_t threads = 1;
  std::string why_fewer;
};

class SharedFabricReplay : public testing::Test {
 protected:
  FabricOutcome run(const goal::Schedule& schedule, const Fabric& fabric, unsigned threads) {
    Settings settings(network::fabric_sections());
    const auto description = platform::read_machine(fabric.machine, settings);
    for (const std::string& setting : fabric.settings) settings.assign(setting, {"test"});
    const auto platform = platform::build_platform(description, settings);
    Simulation simulation;
    const auto network = network::make_network(fabric.model, simulation, *platform, settings);
    Carrier carrier{simulation, *network,
                    place_ranks(schedule.ranks(), platform->nodes(), replay_)};
    network::LogGopsConfig loggops;
    loggops.overhead = overhead_;
    loggops.gap = gap_;
    ReplayOptions options;
    options.parameters = combine_for_network(loggops, replay_);
    options.threads = threads;
    options.least_ranks = least_ranks_;
    options.least_events = least_events_;
    FabricOutcome outcome;
    try {
      const ReplayResult result = network_replay(schedule, options, carrier);
      outcome = {told(result, *network, *platform), result.threads, result.why_fewer};
    } catch (const RunError& error) {
      outcome.text = error.what();
    }
    return outcome;
  }

  static std::string told(const ReplayResult& result, const network::Network& network,
                          const platform::Platform& platform) {
    std::uint64_t bytes = 0;
    for (const std::int64_t carried : network.carried()) {
      bytes = bytes * 1'000'003 + static_cast<std::uint64_t>(carried);
    }
    for (std::uint32_t l = 0; l < platform.links().ids(); ++l) {
      for (const network::LinkStatistic& statistic : network.link_statistics(LinkId{l})) {
        bytes = bytes * 1'000'003 + static_cast<std::uint64_t>(statistic.value);
      }
    }
    return "ends " + std::to_string(result.makespan().ps()) + " ranks " +
           std::to_string(result.fingerprint()) + " links " +
           std::to_string(result.network_fingerprint) + " events " + std::to_string(result.events) +
           " hops " + std::to_string(result.network_events) + " bytes " + std::to_string(bytes);
  }

  /// With 2, 3 and 8 threads; how many there were with 8.
  std::size_t expect_same(const goal::Schedule& schedule, const Fabric& fabric) {
    const std::string one = run(schedule, fabric, 1).text;
    std::size_t most = 1;
    for (const unsigned threads : {2U, 3U, 8U}) {
      const FabricOutcome outcome = run(schedule, fabric, threads);
      EXPECT_EQ(outcome.text, one) << fabric.machine << ", threads: " << threads;
      most = outcome.threads;
    }
    return most;
  }

  ReplayConfig replay_ = replay_table().defaults();
  Time overhead_ = Time::ns(300);
  Time gap_;
  std::uint32_t least_ranks_ = 1;
  std::uint64_t least_events_ = 0;
};

inline goal::Schedule pattern_over_fabric(const char* pattern, std::int64_t ranks,
                                          std::int64_t bytes = 3000) {
  goal::PatternConfig config = goal::pattern_table().defaults();
  config.ranks = ranks;
  config.iterations = 2;
  config.compute = 700;
  config.size = Bytes(bytes);
  return generate(pattern, config);
}

/// Random programs: some with messages of more than S, several processors, and nothing but ties.
inline goal::Schedule random_over_fabric(std::uint64_t seed, std::uint32_t ranks) {
  RandomStream random = RandomStream(seed).split("shared fabric");
  goal::ScheduleBuilder builder(ranks);
  const std::uint32_t unit = random.below(2) == 0 ? 1 : 100;
  for (std::uint32_t r = 0; r < ranks; ++r) {
    builder.begin_rank(r);
    std::uint32_t before = builder.calc(unit * (r % 4));
    for (std::uint32_t k = 1; k < 7; ++k) {
      const std::uint64_t size = 8 + ((seed + k) % 3) * 500;
      const std::uint32_t distance = k * k;
      const std::uint32_t recv = builder.recv(size, (r + ranks - distance % ranks) % ranks, k);
      const std::uint32_t send = builder.send(size, (r + distance) % ranks, k);
      builder.requires_end(send, before);
      if ((seed + k) % 2 == 0) builder.requires_end(recv, before);
      before = (seed + r) % 2 == 0 ? recv : send;
      if (k % 3 == 0) before = builder.calc(unit * ((seed + r) % 5));
    }
    builder.end_rank();
  }
  return builder.finish();
}

}  // namespace heddle::replay
