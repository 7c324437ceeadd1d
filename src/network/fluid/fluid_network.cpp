#include "network/fluid/fluid_network.hpp"

namespace heddle::network {
namespace {

/// To the nearest picosecond; `ps` is not negative.
Time rounded(double ps) {
  return Time::whole_ps(ps + 0.5);
}

/// So many changes in a row at which nothing goes on and nothing else will happen mean that a
/// periodic profile never lets the messages pass.
constexpr std::uint32_t kMostIdleChanges = 100'000;

/// Has what the groups of the next of many messages that are through will need to forget them
/// fetched from memory.
void look_ahead_to_groups(const std::vector<FluidMessage*>& through, std::size_t current) {
  constexpr std::size_t kFar = 8;
  constexpr std::size_t kNear = 4;
  if (current + kFar < through.size()) prefetch_lines(through[current + kFar], 2);
  if (current + kNear < through.size()) through[current + kNear]->group->foresee_end();
}

/// The same for those who wait for the messages.
void look_ahead(const std::vector<FluidMessage*>& through, std::size_t current) {
  constexpr std::size_t kFar = 9;
  constexpr std::size_t kNear = 6;
  constexpr std::size_t kNext = 3;
  const auto ask = [&](std::size_t ahead, auto question) {
    if (current + ahead >= through.size()) return;
    const FluidMessage& message = *through[current + ahead];
    if (message.awaited()) question(message.transfer);
  };
  ask(kFar, [](const Transfer& t) { t.client->glimpse(t.cookie); });
  ask(kNear, [](const Transfer& t) { t.client->foresee(Instant::tail, t.cookie); });
  ask(kNext, [](const Transfer& t) { t.client->expect(Instant::tail, t.cookie); });
}

std::optional<LinkChanges> changes_of(const platform::Platform& platform) {
  if (platform.profiles().links.empty() && !platform.outages().any()) return std::nullopt;
  return std::optional<LinkChanges>(std::in_place, platform);
}

}  // namespace

FluidNetwork::FluidNetwork(Simulation& simulation, const platform::Platform& platform,
                           const FluidConfig& config)
    : simulation_(simulation),
      platform_(platform),
      params_(params_of(config)),
      source_(simulation.new_source()),
      changes_(changes_of(platform)),
      routes_(platform, params_, changes_ ? &*changes_ : nullptr, *this, first_salt(simulation)),
      sharing_(simulation, platform, params_, config.tolerance),
      notes_(platform.routing().new_notes()) {
  link_bytes_ = LinkBytes(platform.links().ids());
}

FluidNetwork::~FluidNetwork() = default;

std::int64_t FluidNetwork::load(LinkId link) const {
  return sharing_.flows(platform_.links().capacity(link));
}

/// Finds the group that the message will be of, so that its route is looked for once.
std::optional<Time> FluidNetwork::route_latency(platform::Endpoint source,
                                                platform::Endpoint destination) {
  if (changes_ || !routes_.are_fixed() || platform_.adapters() > 1) return std::nullopt;
  Transfer transfer;
  transfer.source = source;
  transfer.destination = destination;
  return routes_.group_for(transfer).latency;
}

// --- The life of a message -----------------------------------------------------------------------

void FluidNetwork::start(const Transfer& transfer) {
  if (changes_) follow_profiles();
  FluidMessage& message = messages_.take(static_cast<FluidMessageOwner&>(*this));
  FluidGroup& group = routes_.group_for(transfer);
  message.transfer = transfer;
  message.group = &group;
  message.step = FluidMessage::Step::entering;
  message.latency =
      rounded(params_.latency_factor_of(transfer.size) * static_cast<double>(group.latency.ps()));
  ++group.messages;
  const bool wants_head = transfer.wants_instant(Instant::head);
  if (params_.occupancy == Occupancy::after_latency &&
      (wants_head || message.latency > Time::zero())) {
    return simulation_.schedule_in(message, message.latency, source_);
  }
  if (wants_head) {
    simulation_.schedule_in(message.head, message.latency, source_);
  }
  enter(message);
}

void FluidNetwork::advance(FluidMessage& message) {
  switch (message.step) {
    case FluidMessage::Step::entering:
      message.transfer.report(Instant::head);
      return enter(message);
    case FluidMessage::Step::draining:
      leave(message);
      return drained(message);
    case FluidMessage::Step::landing:
      return arrive(message);
    case FluidMessage::Step::lost:
      return lost(message);
  }
}

/// From here on the message uses bandwidth, unless it needs none.
void FluidNetwork::enter(FluidMessage& message) {
  if (changes_) {
    if (const LinkId link = routes_.losing_link(*message.group, simulation_.now());
        link != kNoLink) {
      return lose_later(message, link);
    }
  }
  message.step = FluidMessage::Step::draining;
  FluidGroup& group = *message.group;
  const bool waits = params_.order == FluidOrder::by_pair && group.users > 0;
  if ((message.transfer.size == Bytes(0) && !waits) || group.unlimited) {
    return simulation_.schedule_in(message, Time::zero(), source_);
  }
  if (group.users == 0) routes_.prepare(group);
  sharing_.join(group, message);
  changed();
}

/// The message is through: its group and its links forget it.
void FluidNetwork::leave(FluidMessage& message) {
  FluidGroup& group = *message.group;
  group.bytes += message.transfer.size.count();
  delivered_ += message.transfer.size;
  message.group = nullptr;
  if (--group.messages == 0 && !group.kept) forget(group);
}

void FluidNetwork::forget(FluidGroup& group) {
  for (const LinkId link : group.route) link_bytes_[index(link)] += group.bytes;
  group.bytes = 0;
  routes_.groups().erase(group);
}

void FluidNetwork::drained(FluidMessage& message) {
  message.step = FluidMessage::Step::landing;
  message.transfer.report(Instant::injected);
  if (params_.occupancy == Occupancy::after_latency) return arrive(message);
  simulation_.schedule_in(message, message.latency, source_);
}

void FluidNetwork::arrive(FluidMessage& message) {
  // The client may start transfers from within the report: the record is free for them by then.
  const Transfer transfer = message.transfer;
  messages_.give_back(message);
  if (changes_ && messages_.in_use() == 0) simulation_.cancel(changing_);
  transfer.report(Instant::tail);
}

// --- Rates over time -----------------------------------------------------------------------------

void FluidNetwork::complete() {
  through_.clear();
  while (sharing_.next() <= simulation_.now().ps()) {
    sharing_.drain(routes_.groups()[sharing_.next_group()], through_);
  }
  changed();
  for (std::size_t i = 0; i < through_.size(); ++i) {
    look_ahead_to_groups(through_, i);
    leave(*through_[i]);
  }
  for (std::size_t i = 0; i < through_.size(); ++i) {
    look_ahead(through_, i);
    drained(*through_[i]);
  }
}

void FluidNetwork::changed() {
  if (!settling_.scheduled()) simulation_.schedule_in(settling_, Time::zero(), source_);
}

void FluidNetwork::settle() {
  sharing_.settle();
  simulation_.cancel(completion_);
  const std::int64_t next = sharing_.next();
  if (next == MinTree::kNone) return;
  // Its links may get more bandwidth again.
  if (next == ServiceClocks::kBeyond && changes_) return;
  // Others may make room for one that is beyond; if none is left that could, this is an error.
  const Time end = next == ServiceClocks::kBeyond ? Time::never() : Time::ps(next);
  simulation_.schedule(completion_, end, source_);
}

LinkBytes FluidNetwork::carried() const {
  const FluidGroups& groups = routes_.groups();
  LinkBytes carried = link_bytes_;
  for (std::size_t number = 0; number < groups.size(); ++number) {
    const FluidGroup& group = groups[number];
    const std::int64_t part = group.bytes + (group.users > 0 ? sharing_.served(group).count() : 0);
    if (part == 0) continue;
    for (const LinkId link : group.route) carried[index(link)] += part;
  }
  return carried;
}

Bytes FluidNetwork::delivered() const {
  const FluidGroups& groups = routes_.groups();
  Bytes sum = delivered_;
  for (std::size_t number = 0; number < groups.size(); ++number) {
    if (const FluidGroup& group = groups[number]; group.users > 0) sum += sharing_.served(group);
  }
  return sum;
}

// --- Links that change ---------------------------------------------------------------------------

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
    routes_.bandwidth_changed();
    const double capacity = routes_.capacity(change.link);
    if (capacity == MaxMinSolver::kUnbounded) continue;
    sharing_.set_capacity(change.link, capacity);
  }
  FluidGroups& groups = routes_.groups();
  for (std::size_t i = 0; i < groups.size(); ++i) {
    FluidGroup& group = groups[i];
    const bool other = routes_.renew(group, all);
    if (group.users == 0) continue;
    if (other) sharing_.rejoin(group);
    const LinkId link = routes_.losing_link(group, simulation_.now());
    if (link == kNoLink) continue;
    sharing_.remove(group);
    for (; group.users > 0; group.remove_first()) lose_later(*group.first.message, link);
  }
  changed();
}

/// At this instant, but nothing is reported from within start().
void FluidNetwork::lose_later(FluidMessage& message, LinkId link) {
  message.step = FluidMessage::Step::lost;
  message.lost_on = link;
  simulation_.cancel(message.head);
  simulation_.schedule_in(message, Time::zero(), source_);
}

void FluidNetwork::lost(FluidMessage& message) {
  FluidGroup& group = *message.group;
  message.group = nullptr;
  if (--group.messages == 0 && !group.kept) forget(group);
  const Transfer transfer = message.transfer;
  const LinkId link = message.lost_on;
  messages_.give_back(message);
  if (messages_.in_use() == 0) simulation_.cancel(changing_);
  transfer.report(Instant::injected);
  lose(transfer, link);
}

std::string FluidNetwork::stuck() const {
  const std::size_t waiting = messages_.in_use();
  if (waiting == 0 || !changes_) return "";
  std::size_t held = 0;
  const FluidGroups& groups = routes_.groups();
  while (held < groups.size() && groups[held].users == 0) ++held;
  if (held == groups.size()) return "";
  std::string text = std::to_string(waiting) +
                     (waiting == 1 ? " message waits" : " messages wait") +
                     " for bandwidth that nothing gives them any more";
  for (const LinkId link : groups[held].route) {
    if (!routes_.stopped(link)) continue;
    return text + ": link '" + platform_.links().name(link) + "' has none left";
  }
  return text;
}

}  // namespace heddle::network
