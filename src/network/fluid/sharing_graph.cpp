#include "network/fluid/sharing_graph.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::network {

SharingGraph::SharingGraph(const std::vector<double>& capacities)
    : links_(capacities.size()),
      capacities_(capacities),
      seats_(capacities.size()),
      users_(capacities.size()),
      held_loads_(capacities.size()),
      ceilings_(capacities.size()) {
  for (Constraint c = 0; c < capacities.size(); ++c) set_capacity(c, capacities[c]);
}

SharingGraph::Variable SharingGraph::add(std::span<const Element> elements, double rise,
                                         double bound, std::int32_t flows) {
  const Variable variable = take_variable();
  Share& share = shares_[variable];
  share = {rise, bound};
  share.lone = true;
  bounds_[variable] = bound;
  take_uses(share, elements.size());
  for (const Element& element : elements) store_use(variable, element, flows);
  return variable;
}

SharingGraph::Variable SharingGraph::take_variable() {
  if (free_variables_.empty()) {
    shares_.emplace_back();
    bounds_.emplace_back();
    return static_cast<Variable>(shares_.size() - 1);
  }
  const Variable variable = free_variables_.back();
  free_variables_.pop_back();
  return variable;
}

/// Runs of uses are powers of two long, so that a freed one fits the next variable of its class.
void SharingGraph::take_uses(Share& share, std::size_t count) {
  share.run = static_cast<std::uint8_t>(std::bit_width(std::max<std::size_t>(count, 1) - 1));
  auto& free = free_uses_[share.run];
  if (free.empty()) {
    share.first = static_cast<std::uint32_t>(uses_.size());
    uses_.resize(uses_.size() + (std::size_t{1} << share.run));
  } else {
    share.first = free.back();
    free.pop_back();
  }
}

/// A constraint that comes again is private, or the variable is the last of its users.
void SharingGraph::store_use(Variable variable, const Element& element, std::int32_t flows) {
  Share& share = shares_[variable];
  Seat& seat = seats_[element.constraint];
  std::vector<User>& users = users_[element.constraint];
  if (seat.only == variable) {
    find_use(share, element.constraint)->coefficient += element.coefficient;
    return;
  }
  if (!users.empty() && users.back().variable == variable) {
    users.back().coefficient += element.coefficient;
    uses_[users.back().use].coefficient += element.coefficient;
    return;
  }
  Use& use = uses_[share.first + share.count++];
  use = {element.constraint, kPrivate, element.coefficient};
  if (seat.flows == 0 && !links_[element.constraint].due) {
    seat.only = variable;
  } else {
    add_user(variable, use);
  }
  seat.flows += flows;
}

SharingGraph::Use* SharingGraph::find_use(const Share& share, Constraint constraint) {
  Use* use = uses_.data() + share.first;
  while (use->constraint != constraint) ++use;
  return use;
}

void SharingGraph::add_user(Variable variable, Use& use) {
  std::vector<User>& users = users_[use.constraint];
  use.place = static_cast<std::uint32_t>(users.size());
  users.push_back({variable, static_cast<std::uint32_t>(&use - uses_.data()), use.coefficient,
                   shares_[variable].held_by});
  shares_[variable].lone = false;
}

void SharingGraph::find_limit(Variable variable, bool by_number) {
  Share& share = shares_[variable];
  share.limit = bounds_[variable];
  share.limited_by = kBound;
  for (const Use& use : uses(share)) {
    if (use.is_shared()) continue;
    const double level = private_level(share, use);
    if (level > share.limit ||
        (level == share.limit && !(by_number && use.constraint < share.limited_by)))
      continue;
    share.limit = level;
    share.limited_by = use.constraint;
  }
}

void SharingGraph::make_shared(Constraint constraint) {
  const Variable variable = std::exchange(seats_[constraint].only, kNobody);
  Share& share = shares_[variable];
  Use& use = *find_use(share, constraint);
  add_user(variable, use);
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

void SharingGraph::remove(Variable variable, std::int32_t flows) {
  const Share& share = shares_[variable];
  for (const Use& use : uses(share)) {
    Seat& seat = seats_[use.constraint];
    seat.flows -= flows;
    if (!use.is_shared()) {
      seat.only = kNobody;
      continue;
    }
    std::vector<User>& users = users_[use.constraint];
    users[use.place] = users.back();
    uses_[users[use.place].use].place = use.place;
    users.pop_back();
    if (users.empty()) links_[use.constraint].gap = capacities_[use.constraint];
  }
  free_uses_[share.run].push_back(share.first);
  free_variables_.push_back(variable);
}

void SharingGraph::swap_users(Constraint constraint, std::uint32_t a, std::uint32_t b) {
  std::vector<User>& users = users_[constraint];
  std::swap(users[a], users[b]);
  uses_[users[a].use].place = a;
  uses_[users[b].use].place = b;
}

void SharingGraph::hold(Variable variable, double from, Constraint holder, double to) {
  Share& share = shares_[variable];
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
    users_[use.constraint][use.place].held_by = holder;
    link.gap += load * (link.asleep ? lower_ceiling : less);
    if (use.constraint == before) {
      give_up(use, share);
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

/// The shared constraint that has held the variable, or kNothing. A private one has no level then.
SharingGraph::Constraint SharingGraph::leave_holder(const Share& share) {
  if (share.is_held_by_link()) return share.held_by;
  if (share.held_by < kNothing) links_[share.held_by].level = kNoLevel;
  return kNothing;
}

void SharingGraph::release(Variable variable) {
  leave_holder(shares_[variable]);
  shares_[variable].held_by = kNothing;
}

/// What limits the variable holds it. The ceiling of a private constraint is its level.
void SharingGraph::note_limit(const Share& share, double level) {
  if (share.limited_by == kBound) return;
  links_[share.limited_by].level = level;
  ceilings_[share.limited_by] = level;
}

/// The constraint of the use no longer holds the variable; the gap is that of the new holder.
void SharingGraph::give_up(const Use& use, const Share& share) {
  Link& link = links_[use.constraint];
  swap_users(use.constraint, use.place, --link.held);
  link.slope -= use.coefficient * share.rise;
  if (link.held > 0) return;
  link.slope = 0;
  link.level = kNoLevel;
  link.least_limit = kUnbounded;
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
    if (use.is_shared()) users_[use.constraint][use.place].held_by = share.held_by;
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
  Share& share = shares_[variable];
  const double held_at = level(share);
  for (const Use& use : uses(share)) {
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
  for (const User& user : users_[constraint]) {
    const Share& share = shares_[user.variable];
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
  for (const User& user : users_[constraint]) {
    const Share& share = shares_[user.variable];
    taken += user.coefficient * share.rise * ceiling(share);
    if (share.is_held_by_link()) held_loads_[share.held_by].set_asleep(constraint, true);
  }
  link.gap = capacities_[constraint] - taken;
  link.asleep = true;
}

void SharingGraph::wake(Constraint constraint) {
  for (const User& user : users_[constraint]) {
    const Share& share = shares_[user.variable];
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
