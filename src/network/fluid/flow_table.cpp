#include "network/fluid/flow_table.hpp"

#include <utility>

namespace heddle::network {

FlowTable::Variable FlowTable::new_variable() {
  shares_.emplace_back();
  bounds_.emplace_back();
  return static_cast<Variable>(shares_.size() - 1);
}

void FlowTable::use_more(Variable variable, const Element& element) {
  if (seats_[element.constraint].only == variable) {
    find_use(shares_[variable], element.constraint)->coefficient += element.coefficient;
    return;
  }
  User& user = users_[element.constraint].back();
  user.coefficient += element.coefficient;
  uses_[user.use].coefficient += element.coefficient;
}

FlowTable::Use* FlowTable::find_use(const Share& share, Constraint constraint) {
  Use* use = uses_.data() + share.first;
  while (use->constraint != constraint) ++use;
  return use;
}

void FlowTable::forget_left() {
  for (const Constraint constraint : left_) seats_[constraint].left = false;
  left_.clear();
}

const FlowTable::Use& FlowTable::make_shared_use(Constraint constraint) {
  const Variable variable = std::exchange(seats_[constraint].only, kNobody);
  Share& share = shares_[variable];
  Use& use = *find_use(share, constraint);
  std::vector<User>& users = users_[constraint];
  use.place = static_cast<std::uint32_t>(users.size());
  users.push_back(
      {variable, static_cast<std::uint32_t>(&use - uses_.data()), use.coefficient, share.held_by});
  share.lone = false;
  return use;
}

void FlowTable::swap_users(Constraint constraint, std::uint32_t a, std::uint32_t b) {
  std::vector<User>& users = users_[constraint];
  std::swap(users[a], users[b]);
  uses_[users[a].use].place = a;
  uses_[users[b].use].place = b;
}

}  // namespace heddle::network
