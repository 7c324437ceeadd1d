#include "network/fluid/flow_table.hpp"

#include <utility>

namespace heddle::network {

FlowTable::Variable FlowTable::new_variable() {
  shares_.emplace_back();
  bounds_.emplace_back();
  return static_cast<Variable>(shares_.size() - 1);
}

/// Of a constraint that somebody is on, or was since the last solution.
void FlowTable::store_use(Variable variable, const Element& element, std::int32_t flows) {
  Share& share = shares_[variable];
  Seat& seat = seats_[element.constraint];
  if (seat.flows != 0 && use_again(variable, element)) return;
  Use& use = uses_[share.first + share.count++];
  use = {element.constraint, kPrivate, element.coefficient};
  add_user(variable, use);
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

void FlowTable::leave_users(const Use& use) {
  std::vector<User>& users = users_[use.constraint];
  users[use.place] = users.back();
  uses_[users[use.place].use].place = use.place;
  users.pop_back();
  if (!users.empty()) return;
  seats_[use.constraint].left = true;
  left_.push_back(use.constraint);
}

void FlowTable::forget_left() {
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
