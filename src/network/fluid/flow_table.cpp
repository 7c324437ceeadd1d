#include "network/fluid/flow_table.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::network {

FlowTable::Variable FlowTable::add(std::span<const Element> elements, double rise, double bound,
                                   std::int32_t flows) {
  const Variable variable = take_variable();
  Share& share = shares_[variable];
  share = {rise, bound};
  share.lone = true;
  bounds_[variable] = bound;
  take_uses(share, elements.size());
  for (const Element& element : elements) store_use(variable, element, flows);
  return variable;
}

FlowTable::Variable FlowTable::take_variable() {
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
void FlowTable::take_uses(Share& share, std::size_t count) {
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

void FlowTable::store_use(Variable variable, const Element& element, std::int32_t flows) {
  Share& share = shares_[variable];
  Seat& seat = seats_[element.constraint];
  if (seat.flows != 0 && use_again(variable, element)) return;
  Use& use = uses_[share.first + share.count++];
  use = {element.constraint, kPrivate, element.coefficient};
  if (seat.flows == 0 && !seat.left) {
    seat.only = variable;
  } else {
    add_user(variable, use);
  }
  seat.flows += flows;
}

/// Whether the constraint has come before: then it is private, or the variable its last user.
bool FlowTable::use_again(Variable variable, const Element& element) {
  if (seats_[element.constraint].only == variable) {
    find_use(shares_[variable], element.constraint)->coefficient += element.coefficient;
    return true;
  }
  std::vector<User>& users = users_[element.constraint];
  if (users.back().variable != variable) return false;
  users.back().coefficient += element.coefficient;
  uses_[users.back().use].coefficient += element.coefficient;
  return true;
}

FlowTable::Use* FlowTable::find_use(const Share& share, Constraint constraint) {
  Use* use = uses_.data() + share.first;
  while (use->constraint != constraint) ++use;
  return use;
}

void FlowTable::add_user(Variable variable, Use& use) {
  std::vector<User>& users = users_[use.constraint];
  use.place = static_cast<std::uint32_t>(users.size());
  users.push_back({variable, static_cast<std::uint32_t>(&use - uses_.data()), use.coefficient,
                   shares_[variable].held_by});
  shares_[variable].lone = false;
}

void FlowTable::remove(Variable variable, std::int32_t flows) {
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
    if (!users.empty()) continue;
    seat.left = true;
    left_.push_back(use.constraint);
  }
  free_uses_[share.run].push_back(share.first);
  free_variables_.push_back(variable);
}

void FlowTable::settle() {
  for (const Constraint constraint : left_) seats_[constraint].left = false;
  left_.clear();
}

const FlowTable::Use& FlowTable::make_shared_use(Constraint constraint) {
  const Variable variable = std::exchange(seats_[constraint].only, kNobody);
  Use& use = *find_use(shares_[variable], constraint);
  add_user(variable, use);
  return use;
}

void FlowTable::swap_users(Constraint constraint, std::uint32_t a, std::uint32_t b) {
  std::vector<User>& users = users_[constraint];
  std::swap(users[a], users[b]);
  uses_[users[a].use].place = a;
  uses_[users[b].use].place = b;
}

}  // namespace heddle::network
