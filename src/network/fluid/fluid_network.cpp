#include "network/fluid/fluid_network.hpp"

#include <algorithm>

#include "network/fluid/fluid_message.hpp"

namespace heddle::network {
namespace {

/// In bytes per ps, as the solver knows it.
double limit(Bandwidth bandwidth) {
  return bandwidth.is_unlimited() ? MaxMinSolver::kUnbounded : bandwidth.bytes_per_ps();
}

std::vector<double> capacities(const platform::Platform& platform) {
  std::vector<double> result(platform.link_ids());
  for (std::uint32_t link = 0; link < platform.link_ids(); ++link) {
    result[link] = limit(platform.link(LinkId{link}).bandwidth);
  }
  return result;
}

/// To the nearest picosecond; `ps` is not negative.
Time rounded(double ps) {
  return Time::whole_ps(ps + 0.5);
}

}  // namespace

/// SimGrid's flow models with its defaults. LV08's factors and weights are those of a TCP that was
/// measured (Velho and Legrand, 2009).
FluidParams preset_params(FluidPreset preset) {
  if (preset == FluidPreset::none) return {};
  FluidParams params{
      Weighting::simgrid,       Bytes(0),       Bytes(4 << 20), 0.05, 1, 1, SizeFactors::none,
      Occupancy::after_latency, StartCap::route};
  if (preset == FluidPreset::simgrid_lv08) {
    params.weight_s = Bytes(20537);
    params.latency_factor = 13.01;
    params.bandwidth_factor = 0.97;
  } else if (preset == FluidPreset::smpi) {
    params.weight_s = Bytes(8775);
    params.size_factors = SizeFactors::smpi;
  }
  return params;
}

template <class E>
E set_or(E value, E otherwise) {
  return value == E::automatic ? otherwise : value;
}

/// SMPI's factors of messages that are longer than so many bytes; shorter ones have the factor 1.
struct FactorsAbove {
  std::int64_t bytes;
  double latency;
  double bandwidth;
};
constexpr FactorsAbove kSmpiFactors[] = {
    {65472, 11.6436, 0.940694}, {15424, 3.48845, 0.697866}, {9376, 2.59299, 0.58729},
    {5776, 2.18796, 1.08739},   {3484, 1.88101, 0.77493},   {1426, 1.61075, 0.608902},
    {732, 1.9503, 0.341987},    {257, 1.95341, 0.338112},   {0, 2.01467, 0.812084}};

FactorsAbove factors_of(SizeFactors kind, Bytes size) {
  if (kind == SizeFactors::smpi) {
    for (const FactorsAbove& factors : kSmpiFactors) {
      if (size.count() > factors.bytes) return factors;
    }
  }
  return {0, 1, 1};
}

FluidParams params_of(const FluidConfig& config) {
  const FluidParams preset = preset_params(config.preset);
  return {set_or(config.weighting, preset.weighting),
          config.weight_s.value_or(preset.weight_s),
          config.tcp_gamma.value_or(preset.tcp_gamma),
          config.cross_traffic.value_or(preset.cross_traffic),
          config.latency_factor.value_or(preset.latency_factor),
          config.bandwidth_factor.value_or(preset.bandwidth_factor),
          set_or(config.size_factors, preset.size_factors),
          set_or(config.occupancy, preset.occupancy),
          set_or(config.start_cap, preset.start_cap),
          config.order};
}

const ParamTable<FluidConfig>& FluidNetwork::table() {
  static const auto table = [] {
    ParamTable<FluidConfig> t("fluid",
                              "network model 'fluid': max-min fair sharing of every link; "
                              "weighting=simgrid with occupancy=after-latency is SimGrid's CM02");
    t.add_choice(
        "preset", &FluidConfig::preset, "none",
        {{"none", FluidPreset::none},
         {"simgrid-cm02", FluidPreset::simgrid_cm02},
         {"simgrid-lv08", FluidPreset::simgrid_lv08},
         {"smpi", FluidPreset::smpi}},
        "what the other parameters are where they are auto: as in SimGrid's flow models CM02 "
        "or LV08 (its default) or in SMPI, or none: all alike, no factors");
    t.add_choice("weighting", &FluidConfig::weighting, "auto",
                 {{"auto", Weighting::automatic},
                  {"none", Weighting::none},
                  {"simgrid", Weighting::simgrid}},
                 "whether messages share alike, or in inverse proportion to route latency plus "
                 "weight_s over each link's bandwidth");
    t.add("weight_s", &FluidConfig::weight_s, "auto", {"", "1000TiB"},
          "bytes that a link's bandwidth counts for in the simgrid weighting");
    t.add("tcp_gamma", &FluidConfig::tcp_gamma, "auto", {"", "1000TiB"},
          "window that bounds a message's rate to window/(2*latency); 0: no window");
    t.add("cross_traffic", &FluidConfig::cross_traffic, "auto", {"0", "1"},
          "part of a message's rate that loads the way back (acknowledgements)");
    t.add("latency_factor", &FluidConfig::latency_factor, "auto", {"0", "1000000"},
          "times the route's latency a message is delayed");
    t.add("bandwidth_factor", &FluidConfig::bandwidth_factor, "auto", {"0.000001", "1000000"},
          "payload per byte of bandwidth used");
    t.add_choice("size_factors", &FluidConfig::size_factors, "auto",
                 {{"auto", SizeFactors::automatic},
                  {"none", SizeFactors::none},
                  {"smpi", SizeFactors::smpi}},
                 "factors of latency and bandwidth by the size of the message besides: none, or "
                 "those that SMPI measured");
    t.add_choice(
        "occupancy", &FluidConfig::occupancy, "auto",
        {{"auto", Occupancy::automatic},
         {"send", Occupancy::send},
         {"after-latency", Occupancy::after_latency}},
        "whether a message uses bandwidth as it is sent, one latency before it arrives, or "
        "only once its latency has passed");
    t.add_choice(
        "start_cap", &FluidConfig::start_cap, "auto",
        {{"auto", StartCap::automatic}, {"none", StartCap::none}, {"route", StartCap::route}},
        "where bandwidths change: whether a message never gets more than the least "
        "bandwidth of its route when it began (route), as in SimGrid 3.32");
    t.add_choice("order", &FluidConfig::order, "shared",
                 {{"shared", FluidOrder::shared}, {"by-pair", FluidOrder::by_pair}},
                 "whether messages under way from one node to another share bandwidth like any "
                 "others, or follow each other as in a stream (by-pair)");
    t.add("tolerance", &FluidConfig::tolerance, "0", {"0", "0.1"},
          "part of its bandwidth by which a link may be taken for another when rates are shared: "
          "0 is exact, 0.001 several times cheaper where thousands of messages share links");
    return t;
  }();
  return table;
}

FluidNetwork::FluidNetwork(Simulation& simulation, const platform::Platform& platform,
                           const FluidConfig& config)
    : simulation_(simulation),
      platform_(platform),
      config_(params_of(config)),
      source_(simulation.new_source()),
      next_salt_(first_salt(simulation)),
      solver_(capacities(platform), config.tolerance),
      clocks_(platform.link_ids() + 1),
      fixed_routes_(platform.routing().choice() == platform::RouteChoice::fixed),
      notes_(platform.routing().new_notes()) {
  if (!platform.profiles().links.empty() || platform.outages().any()) changes_.emplace(platform);
  const bool keep = fixed_routes_ && !(changes_ && config_.start_cap == StartCap::route);
  groups_ = std::make_unique<GroupTable>(fixed_routes_, keep);
  link_bytes_.resize(platform.link_ids());
  clocks_.set_pace(clock_of(MaxMinSolver::kBound), 1, Time::zero());
}

FluidNetwork::~FluidNetwork() = default;

std::int64_t FluidNetwork::load(LinkId link) const {
  return solver_.flows(static_cast<MaxMinSolver::Constraint>(platform_.capacity(link)));
}

// --- What a message's route means for its rate ---------------------------------------------------

void FluidNetwork::read_route(const Transfer& transfer) {
  route_.clear();
  platform::Walk walk = platform_.walk(transfer.source, transfer.destination, next_salt_++);
  facts_ = {};
  for (LinkId link; (link = platform_.next(walk, *this)) != kNoLink;) {
    pass(link, platform_.latency(walk, link));
  }
}

void FluidNetwork::read_fixed_route(const Transfer& transfer) {
  route_.clear();
  facts_ = {};
  platform_.fixed_route(transfer.source, transfer.destination, steps_, fabric_);
  for (std::size_t i = 0; steps_[i].link != kNoLink; ++i) pass(steps_[i].link, steps_[i].latency);
}

void FluidNetwork::pass(LinkId link, Time latency) {
  route_.push_back(link);
  note_allowance(link);
  facts_.latency += latency;
  if (changes_) facts_.latency += changes_->more_latency(link);
}

FluidNetwork::Allowance FluidNetwork::allowance(LinkId link) const {
  const platform::Link& l = platform_.link(link);
  Allowance result{limit(l.bandwidth), limit(l.flow_cap)};
  if (!changes_) return result;
  double& changing = l.bandwidth.is_unlimited() ? result.each : result.together;
  changing = changes_->bandwidth(link, changing);
  result.each = std::max(result.each, kStopped);
  return result;
}

void FluidNetwork::note_allowance(LinkId link) {
  const Allowance now = allowance(link);
  facts_.flow_cap = std::min(facts_.flow_cap, now.each);
  facts_.bandwidth = std::min(facts_.bandwidth, now.together);
}

FluidNetwork::Group& FluidNetwork::group_for(const Transfer& transfer) {
  if (!fixed_routes_) read_route(transfer);
  const bool by_start = config_.start_cap == StartCap::route;
  Group& group = groups_->find(transfer, route_, by_start ? bandwidth_changes_ : 0);
  if (group.known) return group;
  if (fixed_routes_) read_fixed_route(transfer);
  group.route = route_;
  group.start_bound =
      by_start && changes_ ? std::min(facts_.flow_cap, facts_.bandwidth) : MaxMinSolver::kUnbounded;
  describe(group);
  if (fixed_routes_) gather_elements(group);
  group.known = true;
  return group;
}

void FluidNetwork::describe(Group& group) {
  const double capacity = facts_.bandwidth;
  group.latency = facts_.latency;
  group.weight = 1 / penalty(group);
  group.bound = bound(group);
  group.unlimited = group.bound == MaxMinSolver::kUnbounded && capacity == MaxMinSolver::kUnbounded;
  // A bound that the shared links keep anyway is none, unless they may grow.
  if (group.bound >= capacity && !changes_) group.bound = MaxMinSolver::kUnbounded;
}

/// In seconds, as SimGrid counts it: so are weights comparable to its own.
double FluidNetwork::penalty(const Group& group) const {
  if (config_.weighting == Weighting::none || group.latency == Time::zero()) return 1;
  double seconds = group.latency.seconds();
  if (config_.weight_s == Bytes(0)) return seconds;
  for (const LinkId link : group.route) {
    const Allowance now = allowance(link);
    const double bandwidth = std::min(now.together, now.each);
    if (bandwidth == MaxMinSolver::kUnbounded || bandwidth <= kStopped) continue;
    seconds += static_cast<double>(config_.weight_s.count()) / (bandwidth * 1e12);
  }
  return seconds;
}

/// The least of the links' caps per message, the group's own and that of the window. Where SimGrid
/// has latency and no window, it forgets what it would hold a message to from its start.
double FluidNetwork::bound(const Group& group) const {
  double result = facts_.flow_cap;
  if (config_.tcp_gamma > Bytes(0) || group.latency == Time::zero()) {
    result = std::min(result, group.start_bound);
  }
  if (!group.cap.is_unlimited()) {
    result = std::min(result, group.cap.bytes_per_ps() / config_.bandwidth_factor);
  }
  if (config_.tcp_gamma > Bytes(0) && group.latency > Time::zero()) {
    result = std::min(result, static_cast<double>(config_.tcp_gamma.count()) /
                                  (2 * static_cast<double>(group.latency.ps())));
  }
  return result;
}

void FluidNetwork::gather_elements(Group& group) {
  group.elements.clear();
  group.elements.reserve(group.route.size());
  for (const LinkId link : group.route) add_element(group, link, 1);
  if (config_.cross_traffic == 0) return;
  platform::Walk back = platform_.walk(group.destination, group.source, next_salt_++);
  for (LinkId link; (link = platform_.next(back, *this)) != kNoLink;) {
    add_element(group, link, config_.cross_traffic);
  }
}

void FluidNetwork::add_element(Group& group, LinkId link, double coefficient) const {
  if (platform_.link(link).bandwidth.is_unlimited()) return;
  group.elements.push_back({static_cast<MaxMinSolver::Constraint>(link), coefficient});
}

// --- The life of a message
// ------------------------------------------------------------------------

void FluidNetwork::start(const Transfer& transfer) {
  if (changes_) follow_profiles();
  Message& message = messages_.take(*this);
  Group& group = group_for(transfer);
  message.transfer = transfer;
  message.group = &group;
  message.step = Message::Step::entering;
  message.latency =
      rounded(latency_factor(transfer.size) * static_cast<double>(group.latency.ps()));
  ++group.messages;
  const bool wants_head = transfer.wants_instant(Instant::head);
  if (config_.occupancy == Occupancy::after_latency &&
      (wants_head || message.latency > Time::zero())) {
    return simulation_.schedule_in(message, message.latency, source_);
  }
  if (wants_head) {
    simulation_.schedule_in(message.head, message.latency, source_);
  }
  enter(message);
}

void FluidNetwork::advance(Message& message) {
  switch (message.step) {
    case Message::Step::entering:
      message.transfer.report(Instant::head);
      return enter(message);
    case Message::Step::draining:
      leave(message);
      return drained(message);
    case Message::Step::landing:
      return arrive(message);
    case Message::Step::lost:
      return lost(message);
  }
}

/// From here on the message uses bandwidth, unless it needs none.
void FluidNetwork::enter(Message& message) {
  if (changes_) {
    if (const LinkId link = losing_link(*message.group); link != kNoLink) {
      return lose_later(message, link);
    }
  }
  message.step = Message::Step::draining;
  const bool waits = config_.order == FluidOrder::by_pair && message.group->users > 0;
  if ((message.transfer.size == Bytes(0) && !waits) || message.group->unlimited) {
    simulation_.schedule_in(message, Time::zero(), source_);
  } else {
    join(message);
  }
}

double FluidNetwork::latency_factor(Bytes size) const {
  return config_.latency_factor * factors_of(config_.size_factors, size).latency;
}

/// The service that makes the whole of the message.
double FluidNetwork::need_of(const Message& message) const {
  const Bytes size = message.transfer.size;
  return static_cast<double>(size.count()) / factors_of(config_.size_factors, size).bandwidth;
}

void FluidNetwork::join(Message& message) {
  Group& group = *message.group;
  if (group.users == 0) {
    if (!fixed_routes_) gather_elements(group);
    group.service = group.last_mark = 0;
  }
  const double now = service_now(group);
  const double from = config_.order == FluidOrder::by_pair ? std::max(now, group.last_mark) : now;
  group.last_mark = from + need_of(message);
  group.add({group.last_mark, next_number_++, &message});
  if (group.users == 1) {
    add_variable(group);
  } else {
    solver_.set_multiplicity(group.variable, flows_of(group));
    if (clocks_.has_clock(group.number)) clocks_.expect(group.number, group.need());
  }
  changed();
}

/// What a group that has users counts for.
std::uint32_t FluidNetwork::flows_of(const Group& group) const {
  return config_.order == FluidOrder::by_pair ? 1 : group.users;
}

/// The group, which has users, takes part in the sharing.
void FluidNetwork::add_variable(Group& group) {
  group.variable = solver_.add(group.elements, group.weight, group.bound, flows_of(group));
  if (group.variable >= group_of_.size()) group_of_.resize(group.variable + 1);
  group_of_[group.variable] = &group;
}

/// Takes out the messages of the group that are through now: the first, and others with it.
void FluidNetwork::drain(Group& group) {
  do {
    through_.push_back(group.first.message);
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

/// The message is through: its group and its links forget it.
void FluidNetwork::leave(Message& message) {
  Group& group = *message.group;
  group.bytes += message.transfer.size.count();
  delivered_ += message.transfer.size;
  message.group = nullptr;
  if (--group.messages > 0 || group.kept) return;
  count_bytes(group);
  groups_->erase(group);
}

void FluidNetwork::count_bytes(Group& group) {
  for (const LinkId link : group.route) link_bytes_[index(link)] += group.bytes;
  group.bytes = 0;
}

void FluidNetwork::drained(Message& message) {
  message.step = Message::Step::landing;
  message.transfer.report(Instant::injected);
  if (config_.occupancy == Occupancy::after_latency) return arrive(message);
  simulation_.schedule_in(message, message.latency, source_);
}

void FluidNetwork::arrive(Message& message) {
  // The client may start transfers from within the report: the record is free for them by then.
  const Transfer transfer = message.transfer;
  messages_.give_back(message);
  if (changes_ && messages_.in_use() == 0) simulation_.cancel(changing_);
  transfer.report(Instant::tail);
}

// --- Rates over time
// ------------------------------------------------------------------------------

void FluidNetwork::complete() {
  through_.clear();
  while (clocks_.next() <= simulation_.now().ps()) drain((*groups_)[clocks_.next_member()]);
  changed();
  for (Message* message : through_) leave(*message);
  for (std::size_t i = 0; i < through_.size(); ++i) {
    look_ahead(i);
    drained(*through_[i]);
  }
}

/// Has what the next of many messages that are through will need fetched from memory.
void FluidNetwork::look_ahead(std::size_t current) const {
  constexpr std::size_t kFar = 9;
  constexpr std::size_t kNear = 6;
  constexpr std::size_t kNext = 3;
  const auto ask = [&](std::size_t ahead, auto question) {
    if (current + ahead >= through_.size()) return;
    const Message& message = *through_[current + ahead];
    if (message.awaited()) question(message.transfer);
  };
  ask(kFar, [](const Transfer& t) { t.client->glimpse(t.cookie); });
  ask(kNear, [](const Transfer& t) { t.client->foresee(Instant::tail, t.cookie); });
  ask(kNext, [](const Transfer& t) { t.client->expect(Instant::tail, t.cookie); });
}

void FluidNetwork::changed() {
  if (!settling_.scheduled()) simulation_.schedule_in(settling_, Time::zero(), source_);
}

void FluidNetwork::settle() {
  const MaxMinSolver::Changes changes = solver_.solve();
  set_paces(changes.levels);
  constexpr std::size_t kAhead = 4;
  for (std::size_t i = 0; i < changes.holders.size(); ++i) {
    if (i + kAhead < changes.holders.size()) prefetch(group_of_[changes.holders[i + kAhead]]);
    change_clock(*group_of_[changes.holders[i]]);
  }
  simulation_.cancel(completion_);
  const std::int64_t next = clocks_.next();
  if (next == MinTree::kNone) return;
  // Its links may get more bandwidth again.
  if (next == ServiceClocks::kBeyond && changes_) return;
  // Others may make room for one that is beyond; if none is left that could, this is an error.
  const Time end = next == ServiceClocks::kBeyond ? Time::never() : Time::ps(next);
  simulation_.schedule(completion_, end, source_);
}

void FluidNetwork::set_paces(std::span<const MaxMinSolver::Constraint> links) {
  for (const MaxMinSolver::Constraint link : links) {
    // One that holds nobody any more keeps its pace for those that leave it now.
    const double level = solver_.level(link);
    if (level < MaxMinSolver::kNoLevel) clocks_.set_pace(link, level, simulation_.now());
  }
}

/// The clock that counts for what `holder` holds back.
ServiceClocks::Clock FluidNetwork::clock_of(MaxMinSolver::Constraint holder) const {
  return holder == MaxMinSolver::kBound ? static_cast<ServiceClocks::Clock>(platform_.link_ids())
                                        : holder;
}

/// Something else holds the group back than before, or it is new.
void FluidNetwork::change_clock(Group& group) {
  const MaxMinSolver::Constraint holder = solver_.holder(group.variable);
  if (clocks_.has_clock(group.number)) {
    group.service = service_now(group);
    clocks_.leave(group.number);
  }
  group.factor =
      config_.bandwidth_factor * (holder == MaxMinSolver::kBound ? group.bound : group.weight);
  clocks_.join(group.number, clock_of(holder), group.need(), simulation_.now());
}

double FluidNetwork::service_now(const Group& group) const {
  if (!clocks_.has_clock(group.number)) return group.service;
  return group.service + group.factor * clocks_.served(group.number, simulation_.now());
}

/// What the messages that use bandwidth now have got of it so far.
Bytes FluidNetwork::served(const Group& group) const {
  const double service = service_now(group);
  const auto part = [this, service](const Group::Entry& entry) {
    const auto size = static_cast<double>(entry.message->transfer.size.count());
    const double need = need_of(*entry.message);
    const double part_done = std::clamp((service - (entry.mark - need)) / need, 0.0, 1.0);
    return Bytes(static_cast<std::int64_t>(part_done * size + 0.5));
  };
  Bytes sum = part(group.first);
  for (const Group::Entry& entry : group.others) sum += part(entry);
  return sum;
}

LinkBytes FluidNetwork::carried() const {
  LinkBytes carried = link_bytes_;
  for (std::size_t number = 0; number < groups_->size(); ++number) {
    const Group& group = (*groups_)[number];
    const std::int64_t part = group.bytes + (group.users > 0 ? served(group).count() : 0);
    if (part == 0) continue;
    for (const LinkId link : group.route) carried[index(link)] += part;
  }
  return carried;
}

Bytes FluidNetwork::delivered() const {
  Bytes sum = delivered_;
  for (std::size_t number = 0; number < groups_->size(); ++number) {
    if (const Group& group = (*groups_)[number]; group.users > 0) sum += served(group);
  }
  return sum;
}

}  // namespace heddle::network
