// Max-min fair levels found from nothing.
#pragma once

#include "core/containers/min_heap.hpp"
#include "network/fluid/sharing_graph.hpp"

namespace heddle::network {

/// Progressive filling: a level rises from zero, and each variable rises with it until one of its
/// constraints is full or its bound is reached; there it is held.
class ProgressiveFilling {
 public:
  using Variable = SharingGraph::Variable;
  using Constraint = SharingGraph::Constraint;

  explicit ProgressiveFilling(SharingGraph& graph)
      : graph_(graph), reached_in_(graph.constraints()), open_(graph.constraints()) {}

  /// Takes the variable out of what holds it, for run() to find its level anew, together with
  /// everything connected to it.
  void open(Variable variable);
  void reach(Constraint constraint);
  /// Finds the levels of all that has been reached.
  void run();
  /// Those whose level was found by the last run, until the next is prepared.
  std::span<const Variable> variables() const { return opened_; }
  std::span<const Constraint> constraints() const { return reached_; }
  /// Forgets the last run.
  void clear();

 private:
  /// Something that may hold variables at a level.
  struct Candidate {
    double level;
    std::uint32_t id;  ///< A constraint, or the number of constraints plus a bounded variable.
    bool operator<(const Candidate& other) const {
      return is_lower(level, id, other.level, other.id);
    }
  };

  bool is_open(Variable variable) const {
    return graph_.share(variable).held_by == SharingGraph::kNothing;
  }
  /// While a constraint holds nobody, its gap is what those held elsewhere leave of it.
  double level_of(Constraint constraint) const {
    const SharingGraph::Link& link = graph_.link(constraint);
    return link.gap / link.slope;
  }
  void gather();
  void consider(const Candidate& top, double& level);
  void refill();
  void freeze(Constraint constraint, double level);
  void freeze(Variable variable, Constraint holder, double level);
  void freeze_at_limit(Variable variable, double level);
  Variable limited(std::uint32_t id) const;

  SharingGraph& graph_;
  std::uint32_t run_ = 1;
  std::vector<std::uint32_t> reached_in_;  ///< By constraint: the run that works on it.
  std::vector<std::uint32_t> open_;        ///< By constraint: how many of its users are open.
  std::vector<Constraint> reached_;
  std::vector<Variable> opened_;
  std::size_t still_open_ = 0;
  MinHeap<Candidate> heap_;         ///< The candidates up to some level.
  double heap_end_ = 0;             ///< That level.
  std::vector<Candidate> waiting_;  ///< Those above it, in no order.
};

}  // namespace heddle::network
