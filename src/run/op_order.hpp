// What of a schedule a rank may do next.
#pragma once

#include <cstdint>
#include <vector>

#include "goal/schedule.hpp"

namespace heddle::run {

/// Which operations of a rank may begin, and which are under way.
class OpOrder {
 public:
  explicit OpOrder(goal::RankView ops)
      : ops_(ops),
        waiting_(ops.in_degrees()),
        begun_(ops.size()),
        waited_(ops.size()),
        left_(ops.size()) {}

  /// Calls `free` with those that wait for nothing.
  template <class Free>
  void first(Free free) {
    const std::vector<std::uint32_t> degrees = waiting_;
    for (const goal::OpKind kind : {goal::OpKind::send, goal::OpKind::recv, goal::OpKind::calc}) {
      for (std::uint32_t op = 0; op < ops_.size(); ++op) {
        if (degrees[op] == 0 && ops_.packed(op).kind() == kind) free(op);
      }
    }
  }
  void begin(std::uint32_t op) { begun_[op] = true; }
  /// Calls `free` with those for which it was the last to start.
  template <class Free>
  void started(std::uint32_t op, Free free) {
    if (ops_.packed(op).start_awaited()) release(op, true, free);
  }
  /// Calls `free` with those for which it was the last to end.
  template <class Free>
  void ended(std::uint32_t op, Free free) {
    begun_[op] = false;
    --left_;
    release(op, false, free);
  }

  /// Whether it has begun, and not ended.
  bool under_way(std::uint32_t op) const { return begun_[op]; }
  /// Whether it comes after the end of messages.
  bool after_messages(std::uint32_t op) const { return waited_[op]; }
  /// How many have not ended.
  std::uint32_t left() const { return left_; }

 private:
  /// What becomes free together starts by kind, else as it stands in the schedule.
  template <class Free>
  void release(std::uint32_t op, bool from_start, Free free) {
    const bool waits = !from_start && ops_.packed(op).kind() != goal::OpKind::calc;
    for (const goal::OpKind kind : {goal::OpKind::send, goal::OpKind::recv, goal::OpKind::calc}) {
      for (const goal::Edge edge : ops_.successors(op)) {
        if (edge.from_start != from_start || ops_.packed(edge.target).kind() != kind) continue;
        if (waits) waited_[edge.target] = true;
        if (--waiting_[edge.target] == 0) free(edge.target);
      }
    }
  }

  goal::RankView ops_;
  std::vector<std::uint32_t> waiting_;  ///< By operation: for how many others.
  std::vector<bool> begun_;
  std::vector<bool> waited_;
  std::uint32_t left_;
};

}  // namespace heddle::run
