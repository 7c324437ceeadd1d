// What a solution has changed.
#pragma once

#include "network/fluid/sharing_graph.hpp"

namespace heddle::network {

/// The levels and the holders that are others than before a solution.
class SolverChanges {
 public:
  using Variable = SharingGraph::Variable;
  using Constraint = SharingGraph::Constraint;

  explicit SolverChanges(SharingGraph& graph) : graph_(graph) {}

  void clear() {
    for (const Constraint constraint : levels()) graph_.link(constraint).reported = false;
    level_count_ = 0;
    holders_.clear();
  }
  /// For a filling, which finds the holders of all.
  void clear_holders() { holders_.clear(); }
  /// The constraint has another level; noted once.
  void note_level(Constraint constraint) {
    SharingGraph::Link& link = graph_.link(constraint);
    if (link.reported) return;
    link.reported = true;
    if (level_count_ == levels_.size()) make_room();
    levels_[level_count_++] = constraint;
  }
  /// Something else holds the variable, or it is new.
  void note_holder(Variable variable) { holders_.push_back(variable); }

  /// In the order in which they were noted.
  std::span<const Constraint> levels() const { return {levels_.data(), level_count_}; }
  std::span<const Variable> holders() const { return holders_; }

 private:
  [[gnu::noinline]] void make_room() {
    constexpr std::size_t kFew = 16;
    levels_.resize(2 * level_count_ + kFew);
  }

  SharingGraph& graph_;
  std::vector<Constraint> levels_;  ///< With room for more behind them.
  std::size_t level_count_ = 0;
  std::vector<Variable> holders_;
};

}  // namespace heddle::network
