// How a schedule is replayed.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"
#include "platform/noise.hpp"
#include "record/run_recorder.hpp"
#include "replay/idle_times.hpp"
#include "replay/ids.hpp"
#include "replay/loggops/parameters.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

struct ReplayOptions {
  LogGopsParameters parameters;
  platform::Noise noise = {};
  Progress progress = {};
  /// By rank: how many times longer its calcs take than the schedule says. Empty: once.
  std::vector<double> slowdown = {};
  /// How many threads share the ranks; at most, over a network. Results do not depend on it.
  unsigned threads = 1;
  /// Over a network: a thread with fewer ranks would rather wait for others than work.
  std::uint32_t least_ranks = 512;
  /// Windows of time with fewer events, on the average, are replayed by one thread for all.
  std::uint64_t least_events = 256;
  /// Who records what ranks do, or null; neither single_queue_replay nor several threads tell
  /// anything.
  record::RunRecorder* recorder = nullptr;
  /// Who is told what first processors wait for where ranks have several, or null.
  IdleTimes* idle = nullptr;

  Time slowed(RankId rank, Time duration) const {
    if (slowdown.empty()) return duration;
    const double longer = static_cast<double>(duration.ps()) * slowdown[index(rank)] + 0.5;
    return Time::ps(longer < static_cast<double>(goal::kLatest) ? static_cast<std::int64_t>(longer)
                                                                : goal::kLatest + 1);
  }
};

}  // namespace heddle::replay
