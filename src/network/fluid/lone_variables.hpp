// Variables that share no constraint with others: their levels need no search.
#pragma once

#include "network/fluid/sharing_graph.hpp"

namespace heddle::network {

/// Finds the levels of lone variables: the least that one of their constraints or their bound
/// allows.
///
/// Such a variable is not among the users of its constraints, and their sums do not know of it. Of
/// a constraint only the level, if it holds the variable, and what outlasts the variable are kept
/// up: all of that is as if the variable had been placed or filled with others around, so that
/// nothing depends on whether anybody was alone.
class LoneVariables {
 public:
  using Variable = SharingGraph::Variable;
  using Constraint = SharingGraph::Constraint;

  explicit LoneVariables(SharingGraph& graph) : graph_(graph) {}

  /// Gives a new variable its level; of equal constraints the first holds it.
  void place(Variable variable);
  /// Likewise, as a part of a filling; of equal constraints the one with the least number.
  void fill(Variable variable);
  /// Nothing holds the variable any more.
  void release(Variable variable);
  /// The variable, which has a level, is no longer lone: its constraints learn of it.
  void connect(Variable variable);

 private:
  using Share = SharingGraph::Share;
  using Link = SharingGraph::Link;
  using Use = SharingGraph::Use;

  double full_level(const Share& share, const Use& use) const {
    return graph_.capacity(use.constraint) / (use.coefficient * share.rise);
  }
  void hold_first(Constraint holder, double level);
  void load(const Share& share, const Use& use, double level, double ceiling);

  SharingGraph& graph_;
};

}  // namespace heddle::network
