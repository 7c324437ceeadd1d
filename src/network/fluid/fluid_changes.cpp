// How messages under way follow links that change.
#include <algorithm>
#include <utility>

#include "network/fluid/fluid_group.hpp"
#include "network/fluid/fluid_network.hpp"

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
  for (std::size_t i = 0; i < groups_->size(); ++i) renew((*groups_)[i], all);
  changed();
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
                     " for bandwidth that no profile gives any more";
  for (const LinkId link : std::as_const(*groups_)[held].route) {
    const Allowance now = allowance(link);
    if (std::min(now.together, now.each) > kStopped) continue;
    return text + ": link '" + platform_.link_name(link) + "' has none left";
  }
  return text;
}

}  // namespace heddle::network
