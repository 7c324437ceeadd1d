// Which operations of a schedule may start, as others start and end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"

namespace heddle::goal {

/// Counts what every operation still waits for. Knows nothing of time but what it is told.
class Dependencies {
 public:
  /// With `keep_times` it remembers when the last thing an operation waits for happened.
  Dependencies(const Schedule& schedule, bool keep_times);

  /// Adds to `freed` the operations of `rank` that wait for nothing, as they were given.
  void roots(std::uint32_t rank, std::vector<std::uint32_t>& freed) const;

  /// Operation `op` started at `when`: adds what this sets free.
  void started(std::uint32_t rank, std::uint32_t op, std::int64_t when,
               std::vector<std::uint32_t>& freed) {
    if (schedule_->rank(rank).packed(op).start_awaited()) release(rank, op, true, when, freed);
  }
  /// Operation `op` ended (or will end) at `when`: adds what this sets free.
  void ended(std::uint32_t rank, std::uint32_t op, std::int64_t when,
             std::vector<std::uint32_t>& freed) {
    ++ended_;
    release(rank, op, false, when, freed);
  }

  /// When the last thing that `op` waited for happened; 0 if times are not kept.
  std::int64_t ready(std::uint32_t rank, std::uint32_t op) const {
    return ready_.empty() ? 0 : ready_[schedule_->first_op(rank) + op];
  }
  /// How many operations have ended.
  std::uint64_t ended() const { return ended_; }
  bool waits(std::uint32_t rank, std::uint32_t op) const {
    return waiting_[schedule_->first_op(rank) + op] != 0;
  }

  /// Puts operations that became free together in the order they start: by kind, else as they came.
  void sort_by_kind(std::uint32_t rank, std::vector<std::uint32_t>& freed) const;

 private:
  void release(std::uint32_t rank, std::uint32_t op, bool from_start, std::int64_t when,
               std::vector<std::uint32_t>& freed);

  const Schedule* schedule_;
  std::vector<std::uint32_t> waiting_;  ///< By operation of all ranks.
  std::vector<std::int64_t> ready_;     ///< The same, or empty.
  std::uint64_t ended_ = 0;
};

inline void Dependencies::release(std::uint32_t rank, std::uint32_t op, bool from_start,
                                  std::int64_t when, std::vector<std::uint32_t>& freed) {
  const std::uint64_t first = schedule_->first_op(rank);
  std::uint32_t* const waiting = waiting_.data() + first;
  const RankView view = schedule_->rank(rank);
  for (const Edge edge : view.successors(op)) {
    if (edge.from_start != from_start) continue;
    if (!ready_.empty()) {
      std::int64_t& ready = ready_[first + edge.target];
      ready = std::max(ready, when);
    }
    if (--waiting[edge.target] == 0) freed.push_back(edge.target);
  }
}

}  // namespace heddle::goal
