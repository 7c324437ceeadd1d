// How a change of one link's level reaches the others.
#pragma once

#include "network/fluid/due_links.hpp"
#include "network/fluid/solver_changes.hpp"

namespace heddle::network {

/// Brings levels up to date after changes, starting from the constraints that are due and from new
/// variables.
///
/// The constraint with the lowest level comes first. Where its level rises, variables may go over
/// to another of their constraints that now holds them lower; where it falls, the constraint takes
/// over variables that others held higher; in both cases the other constraints of its variables may
/// become due. The levels are right when none is due.
class LevelPropagation {
 public:
  using Variable = SharingGraph::Variable;
  using Constraint = SharingGraph::Constraint;

  LevelPropagation(SharingGraph& graph, DueLinks& due, SolverChanges& changes)
      : graph_(graph), due_(due), changes_(changes) {}

  /// Places the newcomers, which nothing holds, and looks at what is due. False if that takes more
  /// work: the levels are not right then, and some constraints are still due.
  bool run(std::span<const Variable> newcomers, std::size_t most_work);
  /// Places a newcomer that has all its constraints to itself.
  void place_alone(Variable variable) {
    graph_.find_limit(variable, false);
    hold_at_limit(variable);
  }
  /// Puts the ceiling of a constraint that holds variables somewhat above its level.
  void set_ceiling(Constraint constraint);

 private:
  using Link = SharingGraph::Link;
  using Share = SharingGraph::Share;
  using Use = SharingGraph::Use;
  using User = SharingGraph::User;
  /// What would hold a variable if not the constraint that is looked at.
  struct Other {
    double level;
    Constraint holder;
  };
  /// A variable that a constraint may take over.
  struct Joiner {
    Variable variable;
    double load;   ///< Per level.
    double level;  ///< Where it is held.
  };

  void place(Variable variable);
  void hold_at_limit(Variable variable) {
    graph_.hold_at_limit(variable);
    changes_.note_holder(variable);
    const Constraint holder = graph_.share(variable).held_by;
    if (holder != SharingGraph::kBound) changes_.note_level(holder);
  }
  void look_at(Constraint constraint);
  void rise(Constraint constraint, double level);
  void drop_those_held_lower(Constraint constraint);
  Other elsewhere(const Share& share, Constraint constraint) const;
  void fall(Constraint constraint, double level, Joiner newcomer);
  void add_those_held_higher(Constraint constraint, double level);
  double find_joiners(Constraint constraint, double level, const Joiner& newcomer);
  double set_level(Constraint constraint, double level);
  double raise(std::span<const HeldLoads::Sum> loads, double level, double more);
  void lower(std::span<const HeldLoads::Sum> loads, double less);
  void touch_stale();
  void find_least_limit(Constraint constraint);
  void move(Variable variable, double from, Constraint holder, double to);

  SharingGraph& graph_;
  DueLinks& due_;
  SolverChanges& changes_;
  std::vector<Joiner> joiners_;
  std::vector<Constraint> stale_;  ///< Room for those to be looked at for a change of level.
  std::size_t stale_count_ = 0;
};

}  // namespace heddle::network
