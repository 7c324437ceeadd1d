#include "replay/loggops/engine.hpp"

#include <algorithm>

namespace heddle::replay {
namespace {

constexpr std::uint32_t kDetail = (1U << 31) - 1;

/// Short enough that few events cause others within the same slice.
std::int64_t slice_of(const CostModel& costs) {
  return std::max<std::int64_t>(1, costs.lookahead() / 8);
}

}  // namespace

LogGopsEngine::LogGopsEngine(const Schedule& schedule, const ReplayOptions& options,
                             Carrier* carrier)
    : schedule_(schedule),
      noise_(options.noise),
      progress_(options.progress),
      carrier_(carrier),
      config_(options.parameters.replay),
      costs_(options.parameters),
      cpus_(schedule.cpus()),
      nics_(schedule.nics()),
      clocks_per_rank_(cpus_ + 2 * nics_),
      units_of_(std::size_t{cpus_} * nics_, kNone),
      // On one processor nothing that waits for an operation can start before that has ended.
      dependencies_(schedule, schedule.cpus() > 1),
      queue_(slice_of(costs_)),
      ranks_(schedule.ranks()),
      clocks_(std::size_t{schedule.ranks()} * clocks_per_rank_, 0) {
  find_units();
  lines_per_rank_ = cpus_ + 2 * static_cast<std::uint32_t>(units_.size());
  lines_.assign(std::size_t{schedule.ranks()} * lines_per_rank_, kNone);
}

void LogGopsEngine::find_units() {
  const auto add = [this](std::uint8_t cpu, std::uint8_t nic) {
    std::uint32_t& number = units_of_[std::size_t{cpu} * nics_ + nic];
    if (number != kNone) return;
    number = static_cast<std::uint32_t>(units_.size());
    units_.push_back({cpu, nic});
  };
  add(0, 0);
  if (cpus_ == 1 && nics_ == 1) return;
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    const RankView rank = schedule_.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) add(rank.packed(i).cpu, rank.packed(i).nic);
  }
}

ReplayResult LogGopsEngine::run() {
  require_within(schedule_, costs_.limits());
  // Everything caused later comes after all that is free at the beginning.
  sequence_ = schedule_.ops();
  std::uint64_t first = 0;
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    freed_.clear();
    dependencies_.roots(r, freed_);
    dependencies_.sort_by_kind(r, freed_);
    const std::vector<std::uint32_t> roots = std::exchange(freed_, {});
    events_ += roots.size();
    for (const std::uint32_t op : roots) start(r, op, first++, 0);
  }
  BucketQueue::Entry entry;
  for (std::uint64_t served = 1; next_entry(entry); ++served) {
    prefetch();
    execute(entry);
    if (served % (1 << 20) == 0) report_progress();
  }
  return result();
}

bool LogGopsEngine::next_entry(BucketQueue::Entry& entry) {
  if (carrier_ != nullptr) {
    constexpr std::uint64_t kReport = 1 << 16;
    Simulation& simulation = carrier_->simulation;
    // Nothing is left of either when both answer their latest time: there is nothing to step.
    while (simulation.next_time() <= Time::ps(queue_.next_time()) && simulation.step()) {
      if (simulation.events_fired() % kReport == 0) report_progress();
    }
  }
  return queue_.pop(entry);
}

void LogGopsEngine::prefetch() const {
  const BucketQueue::Entry* entry = queue_.ahead(8);
  if (entry == nullptr) return;
  const auto rank = static_cast<std::uint32_t>(entry->what >> 31 & kDetail);
  __builtin_prefetch(clocks(rank));
  __builtin_prefetch(&ranks_[rank]);
  __builtin_prefetch(&lines_[std::size_t{rank} * lines_per_rank_]);
  if (static_cast<What>(entry->what >> 62) == What::message)
    __builtin_prefetch(&nodes_[static_cast<std::uint32_t>(entry->what & kDetail)]);
}

void LogGopsEngine::report_progress() {
  if (progress_) progress_(dependencies_.ended(), schedule_.ops());
}

void LogGopsEngine::execute(const BucketQueue::Entry& entry) {
  const auto rank = static_cast<std::uint32_t>(entry.what >> 31 & kDetail);
  const auto detail = static_cast<std::uint32_t>(entry.what & kDetail);
  now_ = entry.time;
  switch (static_cast<What>(entry.what >> 62)) {
    case What::message:
      return nodes_[detail].departing ? depart(rank, detail) : arrive(rank, detail);
    case What::receive:
      return receive(rank, detail);
    case What::delayed:
      return schedule_op(rank, detail);
    case What::line:
      return serve_line(rank, detail, entry.sequence);
  }
}

// An operation that is free at the beginning: starts at once, or stands in line.
void LogGopsEngine::start(std::uint32_t rank, std::uint32_t op, std::uint64_t sequence,
                          std::int64_t since) {
  const PackedOp& packed = schedule_.rank(rank).packed(op);
  const std::uint32_t units = units_of(packed);
  switch (packed.kind()) {
    case OpKind::recv:
      return receive(rank, op);
    case OpKind::send:
      if (free_at(rank, send_line(units)) <= now_) return send(rank, op, since);
      return stand_in_line(rank, send_line(units), new_node(op, sequence, since, units));
    case OpKind::calc:
      if (free_at(rank, packed.cpu) <= now_) return calc(rank, op);
      return stand_in_line(rank, packed.cpu, new_node(op, sequence, since, units));
  }
}

void LogGopsEngine::calc(std::uint32_t rank, std::uint32_t op) {
  const RankView view = schedule_.rank(rank);
  const std::int64_t duration = costs_.duration(view.value(op));
  const std::int64_t noise = noise_.delay(rank, now_, duration);
  std::int64_t& cpu = cpu_free(rank, view.packed(op).cpu);
  cpu = limited(rank, now_ + duration + noise);
  ranks_[rank].times.compute += duration;
  ranks_[rank].times.noise += noise;
  dependencies_.started(rank, op, now_, freed_);
  dependencies_.ended(rank, op, cpu, freed_);
  release(rank, freed_);
}

void LogGopsEngine::send(std::uint32_t rank, std::uint32_t op, std::int64_t since) {
  const RankView view = schedule_.rank(rank);
  const PackedOp& packed = view.packed(op);
  const std::uint64_t size = view.value(op);
  const MessageCosts& cost = costs_.of(size);
  const std::int64_t noise = noise_.delay(rank, now_, cost.overhead);
  std::int64_t& cpu = cpu_free(rank, packed.cpu);
  RankTimes& times = ranks_[rank].times;
  times.gap += now_ - std::min(now_, std::max(cpu, since));
  times.overhead += cost.overhead + cost.overhead_bytes;
  times.noise += noise;
  cpu = limited(rank, now_ + cost.overhead + cost.overhead_bytes + noise);
  send_free(rank, packed.nic) = now_ + costs_.gap() + cost.gap_bytes;
  launch(rank, op, packed, size, now_ + cost.overhead + costs_.latency());
  dependencies_.started(rank, op, now_, freed_);
  if (!costs_.rendezvous(size)) dependencies_.ended(rank, op, cpu, freed_);
  release(rank, freed_);
}

void LogGopsEngine::launch(std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                           std::uint64_t size, std::int64_t arrival) {
  const std::uint32_t units = units_of(packed);
  const std::uint32_t number = new_node(op, sequence_++, arrival, units);
  Node& node = nodes_[number];
  node.size = size;
  node.source = rank;
  node.tag = packed.tag;
  node.departing = carrier_ != nullptr;
  ++events_;
  push(arrival, node.sequence, What::message, packed.peer, number);
}

void LogGopsEngine::receive(std::uint32_t rank, std::uint32_t op) {
  const PackedOp& packed = schedule_.rank(rank).packed(op);
  Rank& state = ranks_[rank];
  dependencies_.started(rank, op, now_, freed_);
  const std::uint32_t entry = matcher_.find(state.unexpected, packed.peer, packed.tag);
  if (entry == kNone) {
    matcher_.append(state.posted, packed.peer, packed.tag, op);
    return release(rank, freed_);
  }
  const std::uint32_t number = matcher_.remove(state.unexpected, entry);
  const Node message = nodes_[number];
  nodes_.give_back(number);
  if (costs_.rendezvous(message.size)) complete_send(rank, message);
  dependencies_.ended(rank, op, std::max(now_, message.since), freed_);
  release_both(rank, message.source);
}

void LogGopsEngine::depart(std::uint32_t rank, std::uint32_t number) {
  Node& node = nodes_[number];
  node.departing = false;
  carrier_->simulation.run_until(Time::ps(now_));
  network::Transfer transfer;
  transfer.source = {carrier_->nodes[node.source], platform::Port::memory};
  transfer.destination = {carrier_->nodes[rank], platform::Port::memory};
  transfer.size = Bytes(static_cast<std::int64_t>(node.size));
  const PackedOp& packed = schedule_.rank(node.source).packed(node.op);
  transfer.traffic_class = class_of({node.size, node.source, node.tag, packed.nic}, config_);
  transfer.client = this;
  transfer.cookie = number;
  carrier_->network.start(transfer);
}

void LogGopsEngine::transfer_reached(network::Instant, std::uint64_t cookie) {
  const auto number = static_cast<std::uint32_t>(cookie);
  Node& node = nodes_[number];
  const std::uint32_t receiver = schedule_.rank(node.source).packed(node.op).peer;
  node.since = carrier_->simulation.now().ps();
  push(node.since, node.sequence, What::message, receiver, number);
}

void LogGopsEngine::arrive(std::uint32_t rank, std::uint32_t number) {
  Node& node = nodes_[number];
  if (units_.size() > 1) {
    // It is handled where the receive that waits for it is, or else where it was sent.
    const std::uint32_t entry = matcher_.find(ranks_[rank].posted, node.source, node.tag);
    if (entry != kNone) {
      const PackedOp& packed = schedule_.rank(rank).packed(matcher_[entry].payload);
      node.units = units_of(packed);
    }
  }
  if (free_at(rank, message_line(node.units)) <= now_) return handle(rank, number);
  stand_in_line(rank, message_line(node.units), number);
}

void LogGopsEngine::handle(std::uint32_t rank, std::uint32_t number) {
  Node& node = nodes_[number];
  const Units units = units_[node.units];
  const MessageCosts& cost = costs_.of(node.size);
  const std::int64_t noise = noise_.delay(rank, now_, cost.overhead);
  std::int64_t& cpu = cpu_free(rank, units.cpu);
  Rank& state = ranks_[rank];
  state.times.gap += now_ - std::min(now_, std::max(cpu, node.since));
  state.times.gap += cost.receive_bytes - cost.overhead_bytes;
  state.times.overhead += cost.overhead + cost.overhead_bytes;
  state.times.noise += noise;
  cpu = limited(rank, now_ + cost.overhead + noise + cost.receive_bytes);
  receive_free(rank, units.nic) = now_ + costs_.gap() + cost.gap_bytes;
  const std::uint32_t entry = matcher_.find(state.posted, node.source, node.tag);
  if (entry == kNone) {
    node.since = cpu;
    return matcher_.append(state.unexpected, node.source, node.tag, number);
  }
  const std::uint32_t op = matcher_.remove(state.posted, entry);
  const Node message = node;
  nodes_.give_back(number);
  if (costs_.rendezvous(message.size)) complete_send(rank, message);
  dependencies_.ended(rank, op, cpu, freed_);
  release_both(rank, message.source);
}

// A rendezvous was matched now: the send ends, its units were busy until now.
void LogGopsEngine::complete_send(std::uint32_t receiver, const Node& message) {
  const PackedOp& sent = schedule_.rank(message.source).packed(message.op);
  std::int64_t& cpu = cpu_free(message.source, sent.cpu);
  std::int64_t& nic = send_free(message.source, sent.nic);
  cpu = std::max(cpu, now_);
  nic = std::max(nic, now_);
  dependencies_.ended(message.source, message.op, now_,
                      message.source == receiver ? freed_ : freed_at_sender_);
}

void LogGopsEngine::release_both(std::uint32_t receiver, std::uint32_t sender) {
  if (sender > receiver) release(receiver, freed_);
  release(sender, freed_at_sender_);
  release(receiver, freed_);
}

void LogGopsEngine::release(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
  if (freed.empty()) return;
  dependencies_.sort_by_kind(rank, freed);
  for (const std::uint32_t op : freed) schedule_op(rank, op);
  freed.clear();
}

void LogGopsEngine::schedule_op(std::uint32_t rank, std::uint32_t op) {
  const PackedOp& packed = schedule_.rank(rank).packed(op);
  const std::int64_t ready = dependencies_.ready(rank, op);
  const std::uint64_t sequence = sequence_++;
  if (packed.kind() == OpKind::recv) {
    ++events_;
    return push(std::max(cpu_free(rank, packed.cpu), ready), sequence, What::receive, rank, op);
  }
  const std::uint32_t units = units_of(packed);
  const std::uint32_t number = packed.kind() == OpKind::send ? send_line(units) : packed.cpu;
  if (ready > std::max(free_at(rank, number), now_))
    return push(ready, sequence, What::delayed, rank, op);
  ++events_;
  stand_in_line(rank, number, new_node(op, sequence, now_, units));
}

std::uint32_t LogGopsEngine::new_node(std::uint32_t op, std::uint64_t sequence, std::int64_t since,
                                      std::uint32_t units) {
  const std::uint32_t number = nodes_.take();
  Node& node = nodes_[number];
  node.sequence = sequence;
  node.since = since;
  node.op = op;
  node.units = units;
  node.child = kNone;
  node.next = kNone;
  return number;
}

std::int64_t LogGopsEngine::free_at(std::uint32_t rank, std::uint32_t number) const {
  const std::int64_t* clock = clocks(rank);
  if (number < cpus_) return clock[number];
  const std::uint32_t pairs = static_cast<std::uint32_t>(units_.size());
  const bool sends = number < cpus_ + pairs;
  const Units units = units_[number - cpus_ - (sends ? 0 : pairs)];
  return std::max(clock[units.cpu], clock[cpus_ + (sends ? 0 : nics_) + units.nic]);
}

void LogGopsEngine::stand_in_line(std::uint32_t rank, std::uint32_t number, std::uint32_t node) {
  std::uint32_t& root = line(rank, number);
  root = root == kNone ? node : meld(root, node);
  if (root != node) return;
  push(std::max(free_at(rank, number), now_), nodes_[node].sequence, What::line, rank, number);
}

void LogGopsEngine::serve_line(std::uint32_t rank, std::uint32_t number, std::uint64_t sequence) {
  std::uint32_t& root = line(rank, number);
  if (root == kNone || nodes_[root].sequence != sequence) return;  // it was served meanwhile
  const std::int64_t free = free_at(rank, number);
  if (free > now_) return push(free, sequence, What::line, rank, number);
  const std::uint32_t first = root;
  root = without_first(first);
  const std::uint32_t next = root;
  const Node node = nodes_[first];
  if (number >= message_line(0)) {
    handle(rank, first);
  } else {
    nodes_.give_back(first);
    if (number < cpus_) {
      calc(rank, node.op);
    } else {
      send(rank, node.op, node.since);
    }
  }
  // What was set free behind the others has not changed who is next.
  if (next != kNone)
    push(std::max(free_at(rank, number), now_), nodes_[next].sequence, What::line, rank, number);
}

std::uint32_t LogGopsEngine::meld(std::uint32_t a, std::uint32_t b) {
  if (nodes_[b].sequence < nodes_[a].sequence) std::swap(a, b);
  nodes_[b].next = nodes_[a].child;
  nodes_[a].child = b;
  return a;
}

// Pairs the children of the first, then melds the pairs from the last to the first.
std::uint32_t LogGopsEngine::without_first(std::uint32_t root) {
  std::uint32_t child = nodes_[root].child;
  if (child == kNone) return kNone;
  siblings_.clear();
  while (child != kNone) {
    const std::uint32_t second = nodes_[child].next;
    if (second == kNone) {
      siblings_.push_back(child);
      break;
    }
    const std::uint32_t rest = nodes_[second].next;
    siblings_.push_back(meld(child, second));
    child = rest;
  }
  std::uint32_t result = siblings_.back();
  for (std::size_t i = siblings_.size() - 1; i-- > 0;) result = meld(result, siblings_[i]);
  nodes_[result].next = kNone;
  return result;
}

ReplayResult LogGopsEngine::result() {
  const Leftovers left = leftovers();
  const std::string stuck = carrier_ == nullptr ? "" : carrier_->network.stuck();
  if (!left.empty() || !stuck.empty()) throw StallError(schedule_, left, events_, stuck);
  ReplayResult result;
  result.events = events_;
  result.cpus = cpus_;
  result.finish.reserve(ranks_.size());
  result.adapters_free.reserve(ranks_.size());
  result.times.reserve(ranks_.size());
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    result.finish.push_back(Time::ps(*std::max_element(clocks(r), clocks(r) + cpus_)));
    result.adapters_free.push_back(
        Time::ps(*std::max_element(clocks(r) + cpus_, clocks(r) + clocks_per_rank_)));
    result.times.push_back(ranks_[r].times);
  }
  return result;
}

Leftovers LogGopsEngine::leftovers() const {
  Leftovers left;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    for (std::uint32_t e = ranks_[r].posted.head; e != kNone; e = matcher_[e].next)
      left.receives.push_back({r, matcher_[e].payload});
    for (std::uint32_t e = ranks_[r].unexpected.head; e != kNone; e = matcher_[e].next) {
      const Node& message = nodes_[matcher_[e].payload];
      left.sends.push_back({message.source, message.op});
    }
    if (dependencies_.ended() == schedule_.ops()) continue;
    for (std::uint32_t i = 0; i < schedule_.rank(r).size(); ++i) {
      if (dependencies_.waits(r, i)) left.waiting.push_back({r, i});
    }
  }
  return left;
}

ReplayResult loggops_replay(const Schedule& schedule, const ReplayOptions& options) {
  if (options.parameters.replay.loggopsim_2023) return single_queue_replay(schedule, options);
  return LogGopsEngine(schedule, options).run();
}

}  // namespace heddle::replay
