#include "network/fluid/lone_variables.hpp"

#include <algorithm>

namespace heddle::network {

void LoneVariables::place(Variable variable) {
  Share& share = graph_.share(variable);
  double least = share.limit;
  Constraint holder = SharingGraph::kBound;
  for (const Use& use : graph_.uses(share)) {
    const double level = full_level(share, use);
    if (level >= least) continue;
    if (graph_.link(use.constraint).asleep) graph_.wake(use.constraint);
    least = level;
    holder = use.constraint;
  }
  share.held_by = holder;
  if (holder < SharingGraph::kNothing) hold_first(holder, least);
  const double ceiling = holder < SharingGraph::kNothing ? graph_.ceiling(holder) : least;
  for (const Use& use : graph_.uses(share)) {
    ++graph_.link(use.constraint).changes;
    if (use.constraint != holder) load(share, use, least, ceiling);
  }
}

/// The constraint holds somebody, and has not before.
void LoneVariables::hold_first(Constraint holder, double level) {
  Link& link = graph_.link(holder);
  link.level = level;
  if (level < link.highest) link.highest = 0;
  const double ceiling = graph_.ceiling(holder);
  if (level > ceiling || level * SharingGraph::kTooHighCeiling < ceiling) {
    graph_.set_ceiling(holder, SharingGraph::kCeiling * level, {});
  }
}

/// The constraint of the use is loaded by a variable that is held elsewhere.
void LoneVariables::load(const Share& share, const Use& use, double level, double ceiling) {
  Link& link = graph_.link(use.constraint);
  link.highest = std::max(link.highest, level);
  if (!link.asleep) return;
  if (graph_.capacity(use.constraint) >= use.coefficient * share.rise * ceiling) return;
  graph_.wake(use.constraint);
  link.highest = level;
}

void LoneVariables::fill(Variable variable) {
  Share& share = graph_.share(variable);
  double least = share.limit;
  Constraint holder = SharingGraph::kBound;
  for (const Use& use : graph_.uses(share)) {
    const double level = full_level(share, use);
    if (level > least || (level == least && use.constraint > holder)) continue;
    least = level;
    holder = use.constraint;
  }
  share.held_by = holder;
  for (const Use& use : graph_.uses(share)) {
    Link& link = graph_.link(use.constraint);
    const double capacity = graph_.capacity(use.constraint);
    const bool holds = use.constraint == holder;
    const double left = capacity - use.coefficient * share.rise * least;
    link.level = holds ? least : SharingGraph::kNoLevel;
    link.highest = holds ? 0 : least;
    link.changes = 0;
    link.asleep = !holds && left > SharingGraph::kRoomToSleep * capacity;
    if (holds) graph_.set_ceiling(holder, SharingGraph::kCeiling * least, {});
  }
}

void LoneVariables::release(Variable variable) {
  Share& share = graph_.share(variable);
  if (share.held_by < SharingGraph::kNothing) {
    graph_.link(share.held_by).level = SharingGraph::kNoLevel;
  }
  for (const Use& use : graph_.uses(share)) ++graph_.link(use.constraint).changes;
  share.held_by = SharingGraph::kNothing;
}

/// What has been counted already is not counted again.
void LoneVariables::connect(Variable variable) {
  Share& share = graph_.share(variable);
  const Constraint holder = share.held_by;
  const double level = graph_.level(share);
  graph_.connect(variable);
  share.held_by = SharingGraph::kNothing;
  for (const Use& use : graph_.uses(share)) --graph_.link(use.constraint).changes;
  graph_.hold(variable, 0, holder, level);
}

}  // namespace heddle::network
