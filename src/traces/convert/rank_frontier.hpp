// What a rank has done last, and what comes next has to wait for.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "goal/schedule_builder.hpp"

namespace heddle::traces {

/// Of the rank that `out` is building: the next operation follows the ends of some, and the starts
/// of others.
class RankFrontier {
 public:
  explicit RankFrontier(goal::ScheduleBuilder& out) : out_(out) {}

  /// `op` waits for all of it.
  void hold_up(std::uint32_t op) const {
    for (const std::uint32_t earlier : ends_) out_.requires_end(op, earlier);
    for (const std::uint32_t earlier : starts_) out_.requires_start(op, earlier);
  }
  /// What comes next waits for the end of these and nothing else,
  void only_ends(std::vector<std::uint32_t> ops) {
    ends_ = std::move(ops);
    starts_.clear();
  }
  void only_end(std::uint32_t op) {
    ends_.assign(1, op);
    starts_.clear();
  }
  /// or for the start of this one.
  void only_start(std::uint32_t op) {
    starts_.assign(1, op);
    ends_.clear();
  }
  /// It waits for this as well.
  void add_end(std::uint32_t op) { ends_.push_back(op); }
  void add_start(std::uint32_t op) { starts_.push_back(op); }
  /// Whether it is one operation, or none.
  bool single() const { return ends_.size() + starts_.size() <= 1; }

  /// A calc that follows all of it, and stands for it from now on.
  std::uint32_t calc(std::uint64_t duration) {
    const std::uint32_t op = out_.calc(duration);
    hold_up(op);
    only_end(op);
    return op;
  }

 private:
  goal::ScheduleBuilder& out_;
  std::vector<std::uint32_t> ends_;
  std::vector<std::uint32_t> starts_;
};

}  // namespace heddle::traces
