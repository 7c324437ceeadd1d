// What a replay finds out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/time.hpp"
#include "goal/schedule.hpp"
#include "goal/value_limits.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// Where the time of a rank's processors went.
struct RankTimes {
  Time compute;
  Time overhead;  ///< o and (s-1) O, of sends and receives.
  Time gap;       ///< Held up by g and G: between messages, and while bytes come in.
  Time noise;
  Time busy() const { return compute + overhead + gap + noise; }
};

struct ReplayResult {
  std::vector<Time> finish;               ///< By rank: when its last processor is done.
  std::vector<Time> adapters_free;        ///< By rank: when g and G let its last adapter go on.
  std::vector<RankTimes> times;           ///< By rank.
  std::uint64_t events = 0;               ///< Operations and messages.
  std::uint64_t network_events = 0;       ///< Over a network.
  std::uint64_t network_fingerprint = 0;  ///< The same in all runs with the same input.
  unsigned cpus = 1;                      ///< Per rank.
  std::size_t threads = 1;                ///< That shared the ranks, over a network.
  std::uint64_t shared_windows = 0;       ///< Windows of time that several threads replayed.
  std::string why_fewer = {};  ///< Threads than were asked for, over a network; or empty.

  /// The rank that finishes last, the first of them if there are several.
  RankId last_rank() const;
  Time makespan() const { return finish[index(last_rank())]; }
  /// A hash of every finish and every share of time: equal runs have equal ones.
  std::uint64_t fingerprint() const;
  /// Time in which a rank's processors waited for messages or had nothing to do.
  Time waiting(RankId rank) const {
    return finish[index(rank)] * static_cast<std::int64_t>(cpus) - times[index(rank)].busy();
  }
};

/// Called from time to time with the events done and those known to come.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// What is left when nothing can happen any more.
struct Leftovers {
  std::vector<goal::OpRef> receives;  ///< Posted, but no message came.
  std::vector<goal::OpRef> sends;     ///< Their messages arrived, but nobody received them.
  std::vector<goal::OpRef> waiting;   ///< Wait for the end of others.
  bool empty() const { return receives.empty() && sends.empty() && waiting.empty(); }
};

/// The replay stalled: the message names the operations that are left, and says what the network
/// waits for if that is `stuck`.
class StallError : public RunError {
 public:
  StallError(const goal::Schedule& schedule, Leftovers leftovers, std::uint64_t events,
             const std::string& stuck = "");
  const Leftovers& leftovers() const { return leftovers_; }

 private:
  Leftovers leftovers_;
};

/// Throws that `rank` works beyond kLatest.
[[noreturn]] void throw_too_late(RankId rank);

}  // namespace heddle::replay
