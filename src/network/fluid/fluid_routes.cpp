#include "network/fluid/fluid_routes.hpp"

#include <algorithm>

#include "network/fluid/solver_limit.hpp"

namespace heddle::network {
namespace {

/// Groups may be kept without messages, unless each is of one state of the links. Where links
/// change, messages go on from there in the order of their groups' records, which is that of the
/// first messages.
KeptGroups kept_groups(bool fixed, const FluidParams& params, const LinkChanges* changes) {
  if (!fixed || (changes != nullptr && params.start_cap == StartCap::route)) {
    return KeptGroups::none;
  }
  return changes != nullptr ? KeptGroups::first : KeptGroups::repeated;
}

}  // namespace

FluidRoutes::FluidRoutes(const platform::Platform& platform, const FluidParams& params,
                         const LinkChanges* changes, const platform::LoadView& loads,
                         std::uint32_t first_salt)
    : platform_(platform),
      params_(params),
      changes_(changes),
      loads_(loads),
      fixed_(platform.routing().choice() == platform::RouteChoice::fixed),
      next_salt_(first_salt),
      groups_(fixed_, kept_groups(fixed_, params, changes)) {}

/// What links that do not change allow is looked at once for several alike in a row.
[[gnu::always_inline]] inline void FluidRoutes::note_allowance(LinkId link,
                                                               const platform::Link& l) {
  if (!changes_ && &l == facts_.last) return;
  facts_.last = &l;
  const Allowance now = allowance(link, l);
  facts_.flow_cap = std::min(facts_.flow_cap, now.each);
  facts_.bandwidth = std::min(facts_.bandwidth, now.together);
}

[[gnu::always_inline]] inline void FluidRoutes::add_element(LinkId link, const platform::Link& l,
                                                            double coefficient) {
  if (l.bandwidth.is_unlimited()) return;
  elements_.push_back({static_cast<MaxMinSolver::Constraint>(link), coefficient});
}

/// A part of who reads a route.
[[gnu::always_inline]] inline void FluidRoutes::pass(LinkId link, Time latency) {
  const platform::Link& l = platform_.links()[link];
  route_.push_back(link);
  add_element(link, l, 1);
  note_allowance(link, l);
  facts_.latency += latency;
  if (changes_) facts_.latency += changes_->more_latency(link);
}

void FluidRoutes::read_route(const Transfer& transfer) {
  route_.clear();
  elements_.clear();
  platform::Walk walk =
      platform_.routes().walk(transfer.source, transfer.destination, next_salt_++);
  facts_ = {};
  for (LinkId link; (link = platform_.routes().next(walk, loads_)) != kNoLink;) {
    pass(link, platform_.routes().latency(walk, link));
  }
}

/// As above, with room made for all links before.
void FluidRoutes::read_fixed_route(const Transfer& transfer) {
  facts_ = {};
  platform_.routes().find_fixed(transfer.source, transfer.destination, steps_, fabric_);
  const std::size_t length = steps_.size() - 1;
  route_.resize(length);
  elements_.resize(length);
  std::size_t elements = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const auto [link, latency] = steps_[i];
    const platform::Link& l = platform_.links()[link];
    route_[i] = link;
    elements_[elements] = {static_cast<MaxMinSolver::Constraint>(link), 1};
    elements += static_cast<std::size_t>(!l.bandwidth.is_unlimited());
    note_allowance(link, l);
    facts_.latency += latency;
    if (changes_) facts_.latency += changes_->more_latency(link);
  }
  elements_.resize(elements);
}

/// Most links of a route are alike, and equal ones are one object of the platform.
FluidRoutes::Allowance FluidRoutes::allowance(LinkId link, const platform::Link& l) const {
  if (&l != last_link_) {
    last_link_ = &l;
    last_allowance_ = {solver_limit(l.bandwidth), solver_limit(l.flow_cap)};
  }
  return changes_ ? allowance_now(link, l, last_allowance_) : last_allowance_;
}

FluidRoutes::Allowance FluidRoutes::allowance_now(LinkId link, const platform::Link& l,
                                                  Allowance result) const {
  double& changing = l.bandwidth.is_unlimited() ? result.each : result.together;
  changing = changes_->bandwidth(link, changing);
  result.each = std::max(result.each, kStopped);
  return result;
}

FluidGroup& FluidRoutes::group_for(const Transfer& transfer) {
  if (!fixed_) read_route(transfer);
  const bool by_start = params_.start_cap == StartCap::route;
  FluidGroup& group = groups_.find(transfer, route_, by_start ? bandwidth_changes_ : 0);
  if (group.known) return group;
  if (fixed_) read_fixed_route(transfer);
  group.route.assign(route_);
  group.start_bound =
      by_start && changes_ ? std::min(facts_.flow_cap, facts_.bandwidth) : MaxMinSolver::kUnbounded;
  describe(group);
  group.ahead = static_cast<std::uint32_t>(elements_.size());
  if (fixed_ && params_.cross_traffic != 0) add_way_back(group);
  group.elements.assign(elements_);
  group.known = true;
  return group;
}

void FluidRoutes::describe(FluidGroup& group) {
  const double capacity = facts_.bandwidth;
  group.latency = facts_.latency;
  group.weight = 1 / penalty(group);
  group.bound = bound(group);
  group.unlimited = group.bound == MaxMinSolver::kUnbounded && capacity == MaxMinSolver::kUnbounded;
  // A bound that the shared links keep anyway is none, unless they may grow.
  if (group.bound >= capacity && !changes_) group.bound = MaxMinSolver::kUnbounded;
}

/// In seconds, as SimGrid counts it: so are weights comparable to its own.
double FluidRoutes::penalty(const FluidGroup& group) const {
  if (params_.weighting == Weighting::none || group.latency == Time::zero()) return 1;
  double seconds = group.latency.seconds();
  if (params_.weight_s == Bytes(0)) return seconds;
  for (const LinkId link : group.route) {
    const Allowance now = allowance(link);
    const double bandwidth = std::min(now.together, now.each);
    if (bandwidth == MaxMinSolver::kUnbounded || bandwidth <= kStopped) continue;
    seconds += static_cast<double>(params_.weight_s.count()) / (bandwidth * 1e12);
  }
  return seconds;
}

/// The least of the links' caps per message, the group's own and that of the window. Where SimGrid
/// has latency and no window, it forgets what it would hold a message to from its start.
double FluidRoutes::bound(const FluidGroup& group) const {
  double result = facts_.flow_cap;
  if (params_.tcp_gamma > Bytes(0) || group.latency == Time::zero()) {
    result = std::min(result, group.start_bound);
  }
  if (!group.cap.is_unlimited()) {
    result = std::min(result, group.cap.bytes_per_ps() / params_.bandwidth_factor);
  }
  if (params_.tcp_gamma > Bytes(0) && group.latency > Time::zero()) {
    result = std::min(result, static_cast<double>(params_.tcp_gamma.count()) /
                                  (2 * static_cast<double>(group.latency.ps())));
  }
  return result;
}

/// The next message of the group may be answered along another way.
void FluidRoutes::renew_way_back(FluidGroup& group) {
  elements_.assign(group.elements.begin(), group.elements.begin() + group.ahead);
  add_way_back(group);
  group.elements.assign(elements_);
}

/// Acknowledgements load it.
void FluidRoutes::add_way_back(const FluidGroup& group) {
  platform::Walk back = platform_.routes().walk(group.destination, group.source, next_salt_++);
  for (LinkId link; (link = platform_.routes().next(back, loads_)) != kNoLink;) {
    add_element(link, platform_.links()[link], params_.cross_traffic);
  }
}

bool FluidRoutes::stopped(LinkId link) const {
  const Allowance now = allowance(link);
  return std::min(now.together, now.each) <= kStopped;
}

LinkId FluidRoutes::losing_link(const FluidGroup& group, Time now) const {
  const bool all_lost = platform_.failures().under_way == platform::UnderWay::lost;
  for (const LinkId link : group.route) {
    const platform::CableHistory* const history = platform_.history(link);
    if (history == nullptr || !history->is_down(now)) continue;
    if (all_lost || history->up_from(now) == Time::never()) return link;
  }
  return kNoLink;
}

bool FluidRoutes::renew(FluidGroup& group, std::span<const LinkChanges::Change> changes) {
  if (!group.known) return false;
  facts_ = {};
  facts_.latency = group.latency;
  bool touched = false;
  for (const LinkId link : group.route) {
    note_allowance(link, platform_.links()[link]);
    for (const LinkChanges::Change& change : changes) {
      if (change.link != link) continue;
      touched = true;
      facts_.latency += change.more_latency;
    }
  }
  if (!touched) return false;
  const double weight = group.weight;
  const double bound = group.bound;
  describe(group);
  return group.weight != weight || group.bound != bound;
}

}  // namespace heddle::network
