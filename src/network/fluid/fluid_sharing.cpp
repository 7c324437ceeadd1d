#include "network/fluid/fluid_sharing.hpp"

#include <algorithm>

#include "core/prefetch.hpp"
#include "network/fluid/solver_limit.hpp"

namespace heddle::network {
namespace {

std::vector<double> capacities(const platform::Platform& platform) {
  std::vector<double> result(platform.links().ids());
  for (std::uint32_t link = 0; link < platform.links().ids(); ++link) {
    result[link] = solver_limit(platform.links()[LinkId{link}].bandwidth);
  }
  return result;
}

}  // namespace

FluidSharing::FluidSharing(const Simulation& simulation, const platform::Platform& platform,
                           const FluidParams& params, double tolerance)
    : simulation_(simulation),
      params_(params),
      bound_clock_(static_cast<ServiceClocks::Clock>(platform.links().ids())),
      solver_(capacities(platform), tolerance),
      clocks_(platform.links().ids() + 1) {
  clocks_.set_pace(bound_clock_, 1, Time::zero());
}

void FluidSharing::join(FluidGroup& group, FluidMessage& message) {
  if (group.users == 0) group.service = group.last_mark = 0;
  const double now = service_now(group);
  const double from = params_.order == FluidOrder::by_pair ? std::max(now, group.last_mark) : now;
  group.last_mark = from + params_.service_of(message.transfer.size);
  group.add({group.last_mark, next_number_++, &message});
  if (group.users == 1) {
    add_variable(group);
  } else {
    solver_.set_multiplicity(group.variable, flows_of(group));
    if (clocks_.has_clock(group.number)) clocks_.expect(group.number, group.need());
  }
}

/// What a group that has users counts for.
std::uint32_t FluidSharing::flows_of(const FluidGroup& group) const {
  return params_.order == FluidOrder::by_pair ? 1 : group.users;
}

/// The group, which has users, takes part in the sharing.
void FluidSharing::add_variable(FluidGroup& group) {
  group.variable = solver_.add(group.elements, group.weight, group.bound, flows_of(group));
  if (group.variable >= group_of_.size()) group_of_.resize(group.variable + 1);
  group_of_[group.variable] = &group;
}

/// The first of the group, and others with it.
void FluidSharing::drain(FluidGroup& group, std::vector<FluidMessage*>& through) {
  do {
    through.push_back(group.first.message);
    group.remove_first();
  } while (group.users > 0 && clocks_.has_served(group.number, group.need(), simulation_.now()));
  if (group.users == 0) {
    solver_.remove(group.variable);
    clocks_.leave(group.number);
  } else {
    solver_.set_multiplicity(group.variable, flows_of(group));
    clocks_.expect(group.number, group.need());
  }
}

void FluidSharing::remove(const FluidGroup& group) {
  if (clocks_.has_clock(group.number)) clocks_.leave(group.number);
  solver_.remove(group.variable);
}

void FluidSharing::rejoin(FluidGroup& group) {
  group.service = service_now(group);
  remove(group);
  add_variable(group);
}

void FluidSharing::settle() {
  const MaxMinSolver::Changes changes = solver_.solve();
  if (changes.holders.size() == 1 && changes.levels.size() == 1 &&
      start_alone(*group_of_[changes.holders[0]], changes.levels[0])) {
    return;
  }
  set_paces(changes.levels);
  constexpr std::size_t kAhead = 4;
  for (std::size_t i = 0; i < changes.holders.size(); ++i) {
    if (i + kAhead < changes.holders.size()) prefetch(group_of_[changes.holders[i + kAhead]]);
    change_clock(*group_of_[changes.holders[i]]);
  }
}

/// The usual case: nothing has changed but that `link`, whose clock nobody is on, holds a new
/// group. False, and nothing happens, if it is another.
bool FluidSharing::start_alone(FluidGroup& group, MaxMinSolver::Constraint link) {
  if (solver_.holder(group.variable) != link || clocks_.has_clock(group.number) ||
      clocks_.is_busy(link)) {
    return false;
  }
  group.factor = params_.bandwidth_factor * group.weight;
  clocks_.start(group.number, link, solver_.level(link), group.need(), simulation_.now());
  return true;
}

void FluidSharing::set_paces(std::span<const MaxMinSolver::Constraint> links) {
  for (const MaxMinSolver::Constraint link : links) {
    // One that holds nobody any more keeps its pace for those that leave it now.
    const double level = solver_.level(link);
    if (level < MaxMinSolver::kNoLevel) clocks_.set_pace(link, level, simulation_.now());
  }
}

/// The clock that counts for what `holder` holds back.
ServiceClocks::Clock FluidSharing::clock_of(MaxMinSolver::Constraint holder) const {
  return holder == MaxMinSolver::kBound ? bound_clock_ : holder;
}

/// Something else holds the group back than before, or it is new.
void FluidSharing::change_clock(FluidGroup& group) {
  const MaxMinSolver::Constraint holder = solver_.holder(group.variable);
  if (clocks_.has_clock(group.number)) {
    group.service = service_now(group);
    clocks_.leave(group.number);
  }
  group.factor =
      params_.bandwidth_factor * (holder == MaxMinSolver::kBound ? group.bound : group.weight);
  clocks_.join(group.number, clock_of(holder), group.need(), simulation_.now());
}

double FluidSharing::service_now(const FluidGroup& group) const {
  if (!clocks_.has_clock(group.number)) return group.service;
  return group.service + group.factor * clocks_.served(group.number, simulation_.now());
}

/// What the messages that use bandwidth now have got of it so far.
Bytes FluidSharing::served(const FluidGroup& group) const {
  const double service = service_now(group);
  const auto part = [this, service](const FluidGroup::Entry& entry) {
    const Bytes bytes = entry.message->transfer.size;
    const auto size = static_cast<double>(bytes.count());
    const double need = params_.service_of(bytes);
    const double part_done = std::clamp((service - (entry.mark - need)) / need, 0.0, 1.0);
    return Bytes(static_cast<std::int64_t>(part_done * size + 0.5));
  };
  Bytes sum = part(group.first);
  for (const FluidGroup::Entry& entry : group.others) sum += part(entry);
  return sum;
}

}  // namespace heddle::network
