#include "network/fluid/sharing_graph.hpp"

#include <algorithm>
#include <bit>

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
                                         double limit, std::int32_t flows, bool lone) {
  Variable variable = static_cast<Variable>(shares_.size());
  if (free_variables_.empty()) {
    shares_.emplace_back();
  } else {
    variable = free_variables_.back();
    free_variables_.pop_back();
  }
  Share& share = shares_[variable];
  share = {rise, limit};
  share.lone = lone;
  store_uses(variable, elements, flows);
  if (!lone) connect(variable);
  return variable;
}

bool SharingGraph::are_free(std::span<const Element> elements) const {
  return std::ranges::all_of(elements, [this](const Element& element) {
    return seats_[element.constraint].flows == 0 && !links_[element.constraint].due;
  });
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

/// The seats say which constraints have come already.
void SharingGraph::store_uses(Variable variable, std::span<const Element> elements,
                              std::int32_t flows) {
  Share& share = shares_[variable];
  take_uses(share, elements.size());
  for (const Element& element : elements) {
    Seat& seat = seats_[element.constraint];
    if (seat.lone == variable) {
      const auto again = std::ranges::find(uses_.begin() + share.first, uses_.end(),
                                           element.constraint, &Use::constraint);
      again->coefficient += element.coefficient;
      continue;
    }
    seat.lone = variable;
    seat.flows += flows;
    uses_[share.first + share.count++] = {element.constraint, 0, element.coefficient};
  }
}

void SharingGraph::connect(Variable variable) {
  Share& share = shares_[variable];
  share.lone = false;
  for (std::uint32_t use = share.first; use < share.first + share.count; ++use) {
    const Constraint constraint = uses_[use].constraint;
    seats_[constraint].lone = kNobody;
    std::vector<User>& users = users_[constraint];
    uses_[use].place = static_cast<std::uint32_t>(users.size());
    users.push_back({variable, use, uses_[use].coefficient, kNothing});
  }
}

void SharingGraph::remove(Variable variable, std::int32_t flows) {
  const Share& share = shares_[variable];
  for (const Use& use : uses(share)) {
    Seat& seat = seats_[use.constraint];
    seat.lone = kNobody;
    seat.flows -= flows;
    if (share.lone) continue;
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
  const Constraint before = share.held_by;
  const double less = from - to;
  const double lower_ceiling = ceiling(share) - (holder < kNothing ? ceilings_[holder] : to);
  for (const Use& use : uses(share)) {
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
      link.bounded += share.limit < kUnbounded;
      continue;
    }
    if (holder < kNothing) held_loads_[holder].add(use.constraint, load, link.asleep);
    link.highest = std::max(link.highest, to);
  }
  share.held_by = holder;
}

/// The constraint of the use no longer holds the variable; the gap is that of the new holder.
void SharingGraph::give_up(const Use& use, const Share& share) {
  Link& link = links_[use.constraint];
  swap_users(use.constraint, use.place, --link.held);
  link.slope -= use.coefficient * share.rise;
  link.bounded -= share.limit < kUnbounded;
  if (link.held > 0) return;
  link.slope = 0;
  link.level = kNoLevel;
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
  for (const Use& use : uses(share)) users_[use.constraint][use.place].held_by = share.held_by;
  if (share.held_by >= kNothing) return;
  Link& holder = links_[share.held_by];
  holder.bounded += share.limit < kUnbounded;
  const double to_ceiling = ceilings_[share.held_by] - holder.level;
  HeldLoads& loads = held_loads_[share.held_by];
  for (const Use& use : uses(share)) {
    if (use.constraint == share.held_by) continue;
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
    } else if (share.held_by < kNothing) {
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
    if (share.held_by < kNothing) held_loads_[share.held_by].set_asleep(constraint, true);
  }
  link.gap = capacities_[constraint] - taken;
  link.asleep = true;
}

void SharingGraph::wake(Constraint constraint) {
  for (const User& user : users_[constraint]) {
    const Share& share = shares_[user.variable];
    if (share.held_by < kNothing) held_loads_[share.held_by].set_asleep(constraint, false);
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
