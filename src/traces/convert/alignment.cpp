#include "traces/convert/alignment.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <utility>

namespace heddle::traces {
namespace {

constexpr std::int64_t kNotYet = -1;

class Aligner {
 public:
  Aligner(const Trace& trace, const Communicators& communicators,
          const std::vector<RankPosts>& ranks, const std::vector<std::vector<Counterpart>>& pairs)
      : trace_(trace),
        communicators_(communicators),
        ranks_(ranks),
        pairs_(pairs),
        states_(trace.ranks.size()) {
    for (std::size_t r = 0; r < states_.size(); ++r) {
      State& state = states_[r];
      state.completions = ranks[r].completions;
      std::stable_sort(state.completions.begin(), state.completions.end(),
                       [](const auto& a, const auto& b) { return a.call < b.call; });
      state.entry.assign(trace.ranks[r].calls.size(), kNotYet);
      result_.before.emplace_back(trace.ranks[r].calls.size(), 0);
    }
  }

  Alignment run() {
    for (std::uint32_t r = 0; r < states_.size(); ++r) ready_.push_back(r);
    while (true) {
      drain();
      if (!force_one()) break;
    }
    for (std::uint32_t r = 0; r < states_.size(); ++r) place_sends(r);
    return std::move(result_);
  }

 private:
  struct State {
    std::vector<Completion> completions;
    std::size_t next_completion = 0;
    std::vector<std::int64_t> entry;  ///< By call: when it is entered, or kNotYet.
    std::int64_t shift = 0;           ///< How much later than in the trace the rank is.
    std::uint32_t next = 0;           ///< The next call.
    bool force = false;
    std::vector<std::uint32_t> waiters;  ///< Ranks that wait for this one to go on.
    std::map<std::uint32_t, std::uint32_t> collective_numbers;
  };
  struct Meeting {
    std::uint32_t arrived = 0;
    std::int64_t latest = 0;
    std::vector<std::uint32_t> waiters;
  };

  void drain() {
    while (!ready_.empty()) {
      const std::uint32_t rank = ready_.front();
      ready_.pop_front();
      const std::uint32_t before = states_[rank].next;
      while (step(rank)) {
      }
      if (states_[rank].next == before) continue;
      for (const std::uint32_t other : std::exchange(states_[rank].waiters, {})) {
        ready_.push_back(other);
      }
    }
  }

  /// Lets the first rank that is stuck go on without its counterpart.
  bool force_one() {
    for (std::uint32_t r = 0; r < states_.size(); ++r) {
      if (states_[r].next == trace_.ranks[r].calls.size()) continue;
      ++result_.forced;
      states_[r].force = true;
      ready_.push_back(r);
      return true;
    }
    return false;
  }

  /// One call further; false if the rank has to wait or is done.
  bool step(std::uint32_t rank) {
    State& state = states_[rank];
    if (state.next == trace_.ranks[rank].calls.size()) return false;
    const Call& call = trace_.ranks[rank].calls[state.next];
    std::int64_t& entry = state.entry[state.next];
    if (entry == kNotYet) {
      entry = std::max<std::int64_t>(0, call.start + state.shift);
      enter(rank, call, entry);
    }
    std::int64_t instant = entry;
    if (!others_are_there(rank, call, instant) && !state.force) return false;
    state.force = false;
    finish(rank, call, instant);
    return true;
  }

  void enter(std::uint32_t rank, const Call& call, std::int64_t entry) {
    if (!is_collective(call.kind)) return;
    Meeting& meeting = meeting_of(rank, call);
    ++meeting.arrived;
    meeting.latest = std::max(meeting.latest, entry);
    for (const std::uint32_t other : std::exchange(meeting.waiters, {})) ready_.push_back(other);
  }

  Meeting& meeting_of(std::uint32_t rank, const Call& call) {
    const std::uint32_t comm = communicators_.id(rank, call.comm);
    return meetings_[{comm, states_[rank].collective_numbers[comm]}];
  }

  /// Raises `instant` to when the last of those that the call needs has come.
  bool others_are_there(std::uint32_t rank, const Call& call, std::int64_t& instant) {
    if (is_collective(call.kind) && !call.nonblocking) {
      Meeting& meeting = meeting_of(rank, call);
      const auto& members = communicators_.members(communicators_.id(rank, call.comm));
      instant = std::max(instant, meeting.latest);
      if (meeting.arrived == members.size()) return true;
      meeting.waiters.push_back(rank);
      return false;
    }
    State& state = states_[rank];
    for (std::size_t i = state.next_completion;
         i < state.completions.size() && state.completions[i].call == state.next; ++i) {
      const std::uint32_t post = state.completions[i].post;
      const Counterpart& other = pairs_[rank][post];
      if (ranks_[rank].posts[post].sends || other.post == kNoPost) continue;
      const std::int64_t sent = entry_of(other);
      if (sent == kNotYet) {
        states_[other.rank].waiters.push_back(rank);
        return false;
      }
      instant = std::max(instant, sent);
    }
    return true;
  }

  std::int64_t entry_of(const Counterpart& c) const {
    return states_[c.rank].entry[ranks_[c.rank].posts[c.post].call];
  }

  void finish(std::uint32_t rank, const Call& call, std::int64_t instant) {
    State& state = states_[rank];
    const std::int64_t entry = state.entry[state.next];
    const std::int64_t late = instant - (entry + call.duration());
    result_.before[rank][state.next] =
        std::clamp<std::int64_t>(instant - entry, 0, call.duration());
    if (late > 0) {
      state.shift += late;
      result_.waited += late;
    }
    if (is_collective(call.kind)) ++state.collective_numbers[communicators_.id(rank, call.comm)];
    while (state.next_completion < state.completions.size() &&
           state.completions[state.next_completion].call == state.next) {
      ++state.next_completion;
    }
    ++state.next;
  }

  /// A call that completes a send may have waited for the receive to be posted.
  void place_sends(std::uint32_t rank) {
    const State& state = states_[rank];
    for (const Completion& c : state.completions) {
      const Counterpart& other = pairs_[rank][c.post];
      if (!ranks_[rank].posts[c.post].sends || other.post == kNoPost) continue;
      const Call& call = trace_.ranks[rank].calls[c.call];
      std::int64_t& before = result_.before[rank][c.call];
      before = std::clamp<std::int64_t>(entry_of(other) - state.entry[c.call], before,
                                        std::max(before, call.duration()));
    }
  }

  const Trace& trace_;
  const Communicators& communicators_;
  const std::vector<RankPosts>& ranks_;
  const std::vector<std::vector<Counterpart>>& pairs_;
  std::vector<State> states_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Meeting> meetings_;
  std::deque<std::uint32_t> ready_;
  Alignment result_;
};

}  // namespace

Alignment align(const Trace& trace, const Communicators& communicators,
                const std::vector<RankPosts>& ranks,
                const std::vector<std::vector<Counterpart>>& pairs) {
  return Aligner(trace, communicators, ranks, pairs).run();
}

}  // namespace heddle::traces
