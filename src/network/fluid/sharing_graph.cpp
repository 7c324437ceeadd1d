#include "network/fluid/sharing_graph.hpp"

#include <algorithm>

namespace heddle::network {

SharingGraph::SharingGraph(const std::vector<double>& capacities)
    : FlowTable(capacities.size()),
      links_(capacities.size()),
      capacities_(capacities),
      held_loads_(capacities.size()),
      ceilings_(capacities.size()) {
  for (Constraint c = 0; c < capacities.size(); ++c) set_capacity(c, capacities[c]);
}

/// Most links of a route are alike: what the one before allows is not worked out again.
void SharingGraph::find_limit(Variable variable, bool by_number) {
  Share& share = this->share(variable);
  share.limit = bound(variable);
  share.limited_by = kBound;
  double capacity = 0;
  double coefficient = 0;
  double level = 0;
  for (const Use& use : uses(share)) {
    if (use.is_shared()) continue;
    if (capacities_[use.constraint] != capacity || use.coefficient != coefficient) {
      capacity = capacities_[use.constraint];
      coefficient = use.coefficient;
      level = capacity / (coefficient * share.rise);
    }
    const bool earlier = by_number && use.constraint < share.limited_by;
    if (level > share.limit || (level == share.limit && !earlier)) continue;
    share.limit = level;
    share.limited_by = use.constraint;
  }
}

/// A constraint without users has all of its capacity left, but for rounding.
void SharingGraph::remove(Variable variable, std::int32_t flows) {
  for (const Constraint constraint : FlowTable::remove(variable, flows)) {
    links_[constraint].gap = capacities_[constraint];
  }
}

void SharingGraph::make_shared(Constraint constraint) {
  const Variable variable = seat(constraint).only;
  const Use& use = make_shared_use(constraint);
  const Share& share = this->share(variable);
  Link& link = links_[constraint];
  const bool holds = share.held_by == constraint;
  const double load = use.coefficient * share.rise;
  link.gap = capacities_[constraint] - load * level(share);
  link.highest = holds ? 0 : level(share);
  link.changes = 0;
  link.asleep = false;
  if (share.is_held_by_link()) held_loads_[share.held_by].add(constraint, load, false);
  if (share.limited_by == constraint) find_limit(variable, false);
  if (!holds) return;
  take_in(constraint, use.place);
  link.slope = load;
  link.least_limit = share.limit;
  for (const Use& other : uses(share)) {
    if (!other.is_shared() || other.constraint == constraint) continue;
    held_loads_[constraint].add(other.constraint, other.coefficient * share.rise,
                                links_[other.constraint].asleep);
  }
}

void SharingGraph::hold(Variable variable, double from, Constraint holder, double to) {
  Share& share = this->share(variable);
  const double ceiling_before = ceiling(share);
  const Constraint before = leave_holder(share);
  const bool by_link = holder < kNothing && holder != share.limited_by;
  const double less = from - to;
  const double lower_ceiling = ceiling_before - (by_link ? ceilings_[holder] : to);
  for (const Use& use : uses(share)) {
    if (!use.is_shared()) continue;
    Link& link = links_[use.constraint];
    const double load = use.coefficient * share.rise;
    ++link.changes;
    user(use).held_by = holder;
    link.gap += load * (link.asleep ? lower_ceiling : less);
    if (use.constraint == before) {
      swap_users(before, use.place, link.held - 1);
      link.give_up(load);
    } else if (before < kNothing) {
      held_loads_[before].remove(use.constraint, load);
    }
    if (use.constraint == holder) {
      take_in(holder, use.place);
      link.slope += load;
      link.least_limit = std::min(link.least_limit, share.limit);
      continue;
    }
    if (by_link) held_loads_[holder].add(use.constraint, load, link.asleep);
    link.highest = std::max(link.highest, to);
  }
  share.held_by = holder;
  if (holder == share.limited_by) note_limit(share, to);
}

void SharingGraph::let_go(Constraint constraint) {
  Link& link = links_[constraint];
  const bool reported = link.reported;
  const bool due = link.due;
  const bool closed = link.closed;
  link = {};
  link.gap = capacities_[constraint];
  link.reported = reported;
  link.due = due;
  link.closed = closed;
  held_loads_[constraint].clear();
}

void SharingGraph::note_holder(const Share& share) {
  for (const Use& use : uses(share)) {
    if (use.is_shared()) user(use).held_by = share.held_by;
  }
  if (!share.is_held_by_link()) return;
  Link& holder = links_[share.held_by];
  holder.least_limit = std::min(holder.least_limit, share.limit);
  const double to_ceiling = ceilings_[share.held_by] - holder.level;
  HeldLoads& loads = held_loads_[share.held_by];
  for (const Use& use : uses(share)) {
    if (!use.is_shared() || use.constraint == share.held_by) continue;
    Link& link = links_[use.constraint];
    const double load = use.coefficient * share.rise;
    loads.add(use.constraint, load, link.asleep);
    if (link.asleep) link.gap -= load * to_ceiling;
  }
}

void SharingGraph::set_capacity(Constraint constraint, double capacity) {
  capacities_[constraint] = capacity;
  links_[constraint].closed = capacity == 0;
  if (links_[constraint].asleep) return wake(constraint);
  sum_up(constraint);
}

void SharingGraph::set_rise(Variable variable, double rise) {
  Share& share = this->share(variable);
  const double held_at = level(share);
  for (const Use& use : uses(share)) {
    if (!use.is_shared()) continue;
    Link& link = links_[use.constraint];
    const double more = use.coefficient * (rise - share.rise);
    ++link.changes;
    link.gap -= more * (link.asleep ? ceiling(share) : held_at);
    if (use.constraint == share.held_by) {
      link.slope += more;
    } else if (share.is_held_by_link()) {
      held_loads_[share.held_by].change(use.constraint, more);
    }
  }
  share.rise = rise;
}

void SharingGraph::sum_up(Constraint constraint) {
  Link& link = links_[constraint];
  double taken = 0;
  link.changes = 0;
  link.slope = 0;
  link.highest = 0;
  std::uint32_t place = 0;
  for (const User& user : users(constraint)) {
    const Share& share = this->share(user.variable);
    const double load = user.coefficient * share.rise;
    if (place++ < link.held) {
      link.slope += load;
    } else {
      taken += load * level(share);
      link.highest = std::max(link.highest, level(share));
    }
  }
  link.gap = capacities_[constraint] - taken - link.slope * link.level;
}

// --- Sleep ---------------------------------------------------------------------------------------

void SharingGraph::sleep(Constraint constraint) {
  Link& link = links_[constraint];
  double taken = 0;
  for (const User& user : users(constraint)) {
    const Share& share = this->share(user.variable);
    taken += user.coefficient * share.rise * ceiling(share);
    if (share.is_held_by_link()) held_loads_[share.held_by].set_asleep(constraint, true);
  }
  link.gap = capacities_[constraint] - taken;
  link.asleep = true;
}

void SharingGraph::wake(Constraint constraint) {
  for (const User& user : users(constraint)) {
    const Share& share = this->share(user.variable);
    if (share.is_held_by_link()) held_loads_[share.held_by].set_asleep(constraint, false);
  }
  links_[constraint].asleep = false;
  sum_up(constraint);
}

std::size_t SharingGraph::set_ceiling(Constraint constraint, double ceiling,
                                      std::span<Constraint> overfull) {
  const double more = ceiling - ceilings_[constraint];
  ceilings_[constraint] = ceiling;
  std::size_t count = 0;
  for (const HeldLoads::Sum& sum : held_loads_[constraint].asleep()) {
    Link& link = links_[sum.constraint];
    link.gap -= sum.load * more;
    overfull[count] = sum.constraint;
    count += static_cast<std::size_t>(link.gap < 0);
  }
  return count;
}

}  // namespace heddle::network
