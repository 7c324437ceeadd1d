// The replay of a schedule over the LogGOPS model.
//
// A send occupies its processor for o + (s-1) O and its adapter for g + (s-1) G; the first byte is
// at the receiver o + L after the send began. There the message needs processor and adapter: it
// occupies them for o + (s-1) max(O, G) and g + (s-1) G, whether a receive was posted or not. A
// receive itself costs nothing. An eager send ends with its processor time, a larger one when its
// message is matched; a receive ends when its message was handled, a calc after its duration.
//
// Operations that wait for the same processor or adapter are served in the order they became ready,
// messages in the order they were sent. Simultaneous events happen in the order they were caused.
#pragma once

#include "goal/schedule.hpp"
#include "platform/noise.hpp"
#include "record/run_recorder.hpp"
#include "replay/idle_times.hpp"
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

  std::int64_t slowed(std::uint32_t rank, std::int64_t duration) const {
    if (slowdown.empty()) return duration;
    const double longer = static_cast<double>(duration) * slowdown[rank] + 0.5;
    return longer < static_cast<double>(goal::kLatest) ? static_cast<std::int64_t>(longer)
                                                       : goal::kLatest + 1;
  }
};

/// Replays the schedule; throws StallError if operations are left that can never happen.
ReplayResult loggops_replay(const goal::Schedule& schedule, const ReplayOptions& options);

/// The same by one queue of all events, entered again and again until their resource is free:
/// simple, slow, and the only way to keep the accidents of LogGOPSim 2023 (parameter
/// loggopsim_2023): successors on another processor start too early, messages use the sender's
/// processor number, 0 bytes cost less than nothing, and simultaneous operations are shuffled.
ReplayResult single_queue_replay(const goal::Schedule& schedule, const ReplayOptions& options);

}  // namespace heddle::replay
