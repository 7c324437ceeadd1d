// Which links no longer have the level that their sums give.
#pragma once

#include "network/fluid/level_queue.hpp"
#include "network/fluid/sharing_graph.hpp"

namespace heddle::network {

/// Finds the constraints whose level has to be looked at, and keeps them in the order of levels.
///
/// A constraint is due when the gap between its capacity and its load is not what it was by more
/// than rounding or the tolerance. One that is due need not be told so again. One that is far from
/// full and often told so is put to sleep instead, and wakes up when it may be full.
class DueLinks {
 public:
  using Constraint = SharingGraph::Constraint;
  /// Levels that differ by less than this part are the same.
  static constexpr double kSameLevel = 1e-12;
  static constexpr double kMostTolerance = 0.1;

  /// The tolerance is from 0 to kMostTolerance: the part of its capacity by which the load of a
  /// constraint may be off.
  DueLinks(SharingGraph& graph, double tolerance);

  /// Between solutions: the sums of the constraint have changed.
  void note(Constraint constraint) {
    if (becomes_due(constraint)) noted_.push_back(constraint);
  }
  /// Those that are due because of it.
  std::span<const Constraint> noted() const { return noted_; }
  void forget_noted() { noted_.clear(); }

  /// A solution begins with what was noted.
  void begin();
  /// Within a solution: the sums of the constraint have changed.
  void touch(Constraint constraint) {
    if (becomes_due(constraint)) enqueue(constraint);
  }
  /// To be looked at in this solution; it is due. One that holds nobody comes last: if it shares
  /// variables with another that is too full, they need not move from there to here.
  void enqueue(Constraint constraint) {
    const SharingGraph::Link& link = graph_.link(constraint);
    queue_.push(link.held > 0 ? std::min(link.level, link.full_level()) : SharingGraph::kNoLevel,
                constraint);
  }
  bool empty() const { return queue_.empty(); }
  /// The one with the lowest level, which stays due until it is cleared.
  Constraint pop() {
    const Constraint first = queue_.pop();
    if (!queue_.empty()) prefetch(graph_.held_loads(queue_.top()).awake().data());
    return first;
  }

  /// It is due; so it need not be told so.
  static void set(SharingGraph::Link& link) {
    link.due = true;
    link.least_gap = -SharingGraph::kUnbounded;
    link.most_gap = SharingGraph::kUnbounded;
  }
  /// It has been looked at.
  void clear(Constraint constraint) {
    graph_.link(constraint).due = false;
    is_out_of_date(constraint);
  }
  /// Finds the gaps that are rounding or within the tolerance, and whether the constraint has
  /// another. One that holds nobody may have any gap but a negative one.
  bool is_out_of_date(Constraint constraint) {
    SharingGraph::Link& link = graph_.link(constraint);
    link.most_gap =
        same_level_ * link.slope * link.level + same_load_ * graph_.capacity(constraint);
    link.least_gap = -link.most_gap;
    if (link.held == 0) link.most_gap = SharingGraph::kUnbounded;
    return (link.gap < link.least_gap) | (link.gap > link.most_gap);
  }
  /// Whether a constraint that is awake and holds nobody is far from full.
  bool has_room_to_sleep(Constraint constraint) const;
  /// A level that differs from the exact one by less than this part stays.
  double same_level() const { return same_level_; }

  /// Users and sums looked at in this solution.
  std::size_t work() const { return work_; }
  void count_work(std::size_t steps) { work_ += steps; }

 private:
  bool becomes_due(Constraint constraint);
  bool wakes_up(Constraint constraint);
  void let_sleep(Constraint constraint);

  SharingGraph& graph_;
  LevelQueue queue_;
  std::vector<Constraint> noted_;
  double same_level_;
  double same_load_;  ///< So does a load that differs by less than this part of the capacity.
  std::size_t work_ = 0;
};

}  // namespace heddle::network
