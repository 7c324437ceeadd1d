// Weighted max-min fair sharing: who gets which rate when links have capacities. No clock, no
// events.
#pragma once

#include "network/fluid/level_propagation.hpp"
#include "network/fluid/progressive_filling.hpp"

namespace heddle::network {

/// Finds the weighted max-min fair rates of variables that load constraints.
///
/// A variable stands for `multiplicity` equal flows; each of them gets the same rate, loads every
/// constraint of the variable by coefficient times that rate, and never exceeds the variable's
/// bound. The rates are those of progressive filling: a level rises from zero and each flow gets
/// weight times level until one of its constraints is full or its bound is reached, which then
/// holds it. So a variable's rate follows from the level of what holds it.
///
/// Changes are gathered and take effect in solve(). It looks at the constraints whose load changed,
/// lowest level first. Where a level comes out as it was, nothing else is touched. Where it rises,
/// variables may go over to another of their constraints that now holds them lower; where it falls,
/// the constraint takes over variables that others held higher; in both cases the other constraints
/// of its variables are looked at as well. The levels are right when none is left to look at. If
/// that takes more steps than filling anew, or most variables are new, the levels are found from
/// nothing. A constraint that only one variable loads takes no part in this but as its limit. All
/// results are the same bits for the same sequence of calls.
///
/// With a tolerance, a constraint that holds variables keeps its level while that fills it but for
/// this part of its capacity, and one that holds nobody may be too full by that part. What is
/// neglected stays in the sums and does not add up. Which constraint holds a variable is decided as
/// exactly as without: so the rates are at any time those of constraints whose capacities are
/// others, by no more than that part.
class MaxMinSolver {
 public:
  using Variable = SharingGraph::Variable;
  using Constraint = SharingGraph::Constraint;
  using Element = SharingGraph::Element;
  static constexpr double kUnbounded = SharingGraph::kUnbounded;
  static constexpr double kNoLevel = SharingGraph::kNoLevel;
  static constexpr Constraint kBound = SharingGraph::kBound;

  static constexpr double kMostTolerance = DueLinks::kMostTolerance;

  /// `capacities` are not negative, one per constraint. The tolerance is from 0 to kMostTolerance.
  explicit MaxMinSolver(const std::vector<double>& capacities, double tolerance = 0);

  /// Adds a variable; a constraint that occurs again in `elements` is loaded by the sum. Weight,
  /// bound and multiplicity are positive. Its rate is 0 until solve(). Numbers of removed variables
  /// are used again.
  Variable add(std::span<const Element> elements, double weight, double bound,
               std::uint32_t multiplicity);
  /// A variable with these elements is added soon: starts to read what that needs.
  void foresee(std::span<const Element> elements) const {
    for (const Element& element : elements) graph_.foresee(element.constraint);
  }
  void remove(Variable variable);
  /// `multiplicity` is positive.
  void set_multiplicity(Variable variable, std::uint32_t multiplicity);
  /// From the next solve on the constraint has another capacity, which is finite and not negative.
  /// With a capacity of 0 every variable on it has the rate 0, and stays. Takes a step per user.
  void set_capacity(Constraint constraint, double capacity);

  /// What a solve() changed. Valid until the next call of the solver.
  struct Changes {
    std::span<const Constraint> levels;  ///< Constraints whose level is another, each once.
    /// Variables that something else holds than before, or that are new; some more than once.
    std::span<const Variable> holders;
  };
  /// Brings all levels up to date.
  Changes solve() {
    graph_.settle();
    if (due_.noted().empty()) {
      if (new_.empty()) return {};
      if (new_.size() == 1 && graph_.share(new_[0]).lone) return place_alone();
    }
    return solve_all();
  }

  /// The constraint that holds the variable, or kBound. Only of variables that were solved.
  Constraint holder(Variable variable) const { return graph_.share(variable).held_by; }
  /// Of a constraint that holds a variable.
  double level(Constraint constraint) const { return graph_.link(constraint).level; }
  /// What each flow of the variable gets. One with neither constraint nor bound gets an infinite
  /// rate.
  double rate(Variable variable) const;
  /// How many flows load the constraint, changes since the last solve included.
  std::int64_t flows(Constraint constraint) const { return graph_.seat(constraint).flows; }

 private:
  using Link = SharingGraph::Link;
  using Share = SharingGraph::Share;
  using Use = SharingGraph::Use;
  struct Record {
    double weight = 1;
    double bound = kUnbounded;
    std::uint32_t multiplicity = 0;  ///< 0: the number is free.
    bool listed = false;             ///< Among the new ones.
  };

  static constexpr Variable kNobody = SharingGraph::kNobody;

  void make_shared(Constraint constraint);
  void release(Variable variable);
  Changes place_alone();
  Changes solve_all();
  void note_uses(const Share& share);
  bool fill_is_cheaper() const;
  void fill();
  void open(Variable variable);

  SharingGraph graph_;
  ProgressiveFilling filling_;
  SolverChanges changes_;
  DueLinks due_;
  LevelPropagation propagation_;
  std::vector<Record> records_;  ///< By variable.
  std::vector<Variable> new_;    ///< Variables added since the last solve.
  std::size_t live_ = 0;         ///< Variables.
  std::size_t uses_ = 0;         ///< Of all of them.
};

}  // namespace heddle::network
