// How messages under way follow links that change.
#include <algorithm>
#include <utility>

#include "network/fluid/fluid_message.hpp"

namespace heddle::network {
namespace {

/// So many changes in a row at which nothing goes on and nothing else will happen mean that a
/// periodic profile never lets the messages pass.
constexpr std::uint32_t kMostIdleChanges = 100'000;

}  // namespace

/// A message begins: the links are what the profiles say of this instant.
void FluidNetwork::follow_profiles() {
  if (changes_->next() <= simulation_.now()) apply_changes();
  if (changing_.scheduled() || changes_->next() == Time::never()) return;
  simulation_.schedule(changing_, changes_->next(), source_);
}

/// An instant at which links change. Those after the last message are not waited for, so that the
/// simulation can end.
void FluidNetwork::change() {
  idle_changes_ = simulation_.pending() == 0 ? idle_changes_ + 1 : 0;
  if (idle_changes_ <= kMostIdleChanges) return follow_profiles();
  apply_changes();
}

void FluidNetwork::apply_changes() {
  const std::span<const LinkChanges::Change> all = changes_->advance(simulation_.now());
  for (const LinkChanges::Change& change : all) {
    if (!change.bandwidth) continue;
    ++bandwidth_changes_;
    const double capacity = allowance(change.link).together;
    if (capacity == MaxMinSolver::kUnbounded) continue;
    solver_.set_capacity(static_cast<MaxMinSolver::Constraint>(change.link), capacity);
  }
  for (std::size_t i = 0; i < groups_->size(); ++i) {
    Group& group = (*groups_)[i];
    renew(group, all);
    if (group.users == 0) continue;
    if (const LinkId link = losing_link(group); link != kNoLink) lose_users(group, link);
  }
  changed();
}

/// The first link of a group's route that has failed and loses what is on it; none, if all work or
/// hold what is on them.
LinkId FluidNetwork::losing_link(const Group& group) const {
  const Time now = simulation_.now();
  const bool all_lost = platform_.failures().under_way == platform::UnderWay::lost;
  for (const LinkId link : group.route) {
    const platform::CableHistory* const history = platform_.history(link);
    if (history == nullptr || !history->is_down(now)) continue;
    if (all_lost || history->up_from(now) == Time::never()) return link;
  }
  return kNoLink;
}

void FluidNetwork::lose_users(Group& group, LinkId link) {
  if (clocks_.has_clock(group.number)) clocks_.leave(group.number);
  solver_.remove(group.variable);
  while (group.users > 0) {
    lose_later(*group.first.message, link);
    group.remove_first();
  }
}

/// At this instant, but nothing is reported from within start().
void FluidNetwork::lose_later(Message& message, LinkId link) {
  message.step = Message::Step::lost;
  message.lost_on = link;
  simulation_.cancel(message.head);
  simulation_.schedule_in(message, Time::zero(), source_);
}

void FluidNetwork::lost(Message& message) {
  Group& group = *message.group;
  message.group = nullptr;
  if (--group.messages == 0 && !group.kept) {
    count_bytes(group);
    groups_->erase(group);
  }
  const Transfer transfer = message.transfer;
  const LinkId link = message.lost_on;
  messages_.give_back(message);
  if (messages_.in_use() == 0) simulation_.cancel(changing_);
  transfer.report(Instant::injected);
  lose(transfer, link);
}

/// What follows from its route for a group, once more; its messages go on from where they are.
void FluidNetwork::renew(Group& group, std::span<const LinkChanges::Change> changes) {
  if (!group.known) return;
  facts_ = {};
  facts_.latency = group.latency;
  bool touched = false;
  for (const LinkId link : group.route) {
    note_allowance(link);
    for (const LinkChanges::Change& change : changes) {
      if (change.link != link) continue;
      touched = true;
      facts_.latency += change.more_latency;
    }
  }
  if (!touched) return;
  const double weight = group.weight;
  const double bound = group.bound;
  describe(group);
  if (group.users > 0 && (group.weight != weight || group.bound != bound)) rejoin(group);
}

void FluidNetwork::rejoin(Group& group) {
  group.service = service_now(group);
  if (clocks_.has_clock(group.number)) clocks_.leave(group.number);
  solver_.remove(group.variable);
  add_variable(group);
}

std::string FluidNetwork::stuck() const {
  const std::size_t waiting = messages_.in_use();
  if (waiting == 0 || !changes_) return "";
  std::size_t held = 0;
  while (held < groups_->size() && (*groups_)[held].users == 0) ++held;
  if (held == groups_->size()) return "";
  std::string text = std::to_string(waiting) +
                     (waiting == 1 ? " message waits" : " messages wait") +
                     " for bandwidth that nothing gives them any more";
  for (const LinkId link : std::as_const(*groups_)[held].route) {
    const Allowance now = allowance(link);
    if (std::min(now.together, now.each) > kStopped) continue;
    return text + ": link '" + platform_.link_name(link) + "' has none left";
  }
  return text;
}

}  // namespace heddle::network
