#include "replay/engine/replay_engine.hpp"

#include <algorithm>

namespace heddle::replay {
namespace {

/// Short enough that few events cause others within the same slice.
std::int64_t slice_of(const CostModel& costs) {
  return std::max<std::int64_t>(1, costs.lookahead() / 64);
}

}  // namespace

ReplayEngine::ReplayEngine(const Schedule& schedule, const ReplayOptions& options, Carrier* carrier)
    : schedule_(schedule),
      options_(options),
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
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) ops_.push_back(schedule.rank(r).data());
  op_lines_per_rank_ = cpus_ + static_cast<std::uint32_t>(units_.size());
  op_lines_.resize(std::size_t{schedule.ranks()} * op_lines_per_rank_);
  message_lines_.assign(schedule.ranks() * units_.size(), kNone);
}

void ReplayEngine::find_units() {
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

ReplayResult ReplayEngine::run() {
  require_within(schedule_, costs_.limits());
  // Everything caused later comes after all that is free at the beginning.
  sequence_ = schedule_.ops();
  std::uint64_t first = 0;
  starting_ = true;
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    freed_.clear();
    dependencies_.roots(r, freed_);
    dependencies_.sort_by_kind(r, freed_);
    const std::vector<std::uint32_t> roots = std::exchange(freed_, {});
    events_ += roots.size();
    for (const std::uint32_t op : roots) start(r, op, first++);
    line_up(r);
  }
  starting_ = false;
  BucketQueue::Entry entry;
  for (std::uint64_t served = 1; next_entry(entry); ++served) {
    prefetch();
    execute(QueueEntry::unpack(entry));
    if (served % (1 << 20) == 0) report_progress();
  }
  return result();
}

bool ReplayEngine::next_entry(BucketQueue::Entry& entry) {
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

void ReplayEngine::prefetch() const {
  const BucketQueue::Entry* packed = queue_.ahead(8);
  if (packed == nullptr) return;
  const QueueEntry entry = QueueEntry::unpack(*packed);
  __builtin_prefetch(clocks(entry.rank));
  __builtin_prefetch(&ranks_[entry.rank]);
  __builtin_prefetch(&op_lines_[std::size_t{entry.rank} * op_lines_per_rank_]);
  if (entry.kind == EntryKind::message) {
    __builtin_prefetch(&messages_[entry.detail]);
  } else if (entry.kind != EntryKind::messages) {
    __builtin_prefetch(&ops_[entry.rank][entry.detail]);
  }
}

void ReplayEngine::report_progress() {
  if (progress_) progress_(dependencies_.ended(), schedule_.ops());
}

void ReplayEngine::execute(const QueueEntry& entry) {
  now_ = entry.time;
  switch (entry.kind) {
    case EntryKind::message:
      return messages_[entry.detail].departing ? depart(entry.rank, entry.detail)
                                               : arrive(entry.rank, entry.detail);
    case EntryKind::receive:
      return receive(entry.rank, entry.detail);
    case EntryKind::work:
      return work(entry);
    case EntryKind::delayed:
      return schedule_op(entry.rank, entry.detail);
    case EntryKind::messages:
      return serve_messages(entry);
  }
}

// An operation that is free at the beginning: starts at once, or stands in line.
void ReplayEngine::start(std::uint32_t rank, std::uint32_t op, std::uint64_t sequence) {
  const PackedOp& packed = ops_[rank][op];
  if (packed.kind() == OpKind::recv) return receive(rank, op);
  const bool sends = packed.kind() == OpKind::send;
  const std::int64_t free = sends ? free_to_send(rank, packed) : cpu_free(rank, packed.cpu);
  if (free > now_) {
    OpLine& line = sends ? send_line(rank, packed) : calc_line(rank, packed);
    stand_in_line(line, rank, op, free, sequence);
  } else if (sends) {
    send(rank, op, now_);
  } else {
    calc(rank, op);
  }
}

// The first of a line: starts if its units are free, and hands its place to the next.
void ReplayEngine::work(const QueueEntry& entry) {
  const std::uint32_t rank = entry.rank;
  const PackedOp& packed = ops_[rank][entry.detail];
  const bool sends = packed.kind() == OpKind::send;
  const std::int64_t free = sends ? free_to_send(rank, packed) : cpu_free(rank, packed.cpu);
  if (free > now_) return push(free, entry.sequence, EntryKind::work, rank, entry.detail);
  OpLine& line = sends ? send_line(rank, packed) : calc_line(rank, packed);
  const std::int64_t since = line.first_since();
  WaitingOp next{};
  const bool more = line.advance(waiting_, next);
  if (sends) {
    send(rank, entry.detail, since);
  } else {
    calc(rank, entry.detail);
  }
  if (!more) return;
  const std::int64_t then = sends ? free_to_send(rank, packed) : cpu_free(rank, packed.cpu);
  push(std::max(then, now_), next.sequence, EntryKind::work, rank, next.op);
}

void ReplayEngine::calc(std::uint32_t rank, std::uint32_t op) {
  const PackedOp& packed = ops_[rank][op];
  const std::int64_t duration = options_.slowed(rank, costs_.duration(schedule_.value(packed)));
  const std::int64_t noise = noise_.delay(rank, now_, duration);
  std::int64_t& cpu = cpu_free(rank, packed.cpu);
  cpu = limited(rank, now_ + duration + noise);
  ranks_[rank].times.compute += duration;
  ranks_[rank].times.noise += noise;
  dependencies_.started(rank, op, now_, freed_);
  dependencies_.ended(rank, op, cpu, freed_);
  release(rank, freed_);
}

void ReplayEngine::send(std::uint32_t rank, std::uint32_t op, std::int64_t since) {
  const PackedOp& packed = ops_[rank][op];
  const std::uint64_t size = schedule_.value(packed);
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

void ReplayEngine::launch(std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                          std::uint64_t size, std::int64_t arrival) {
  const std::uint32_t number = messages_.take();
  const std::uint64_t sequence = sequence_++;
  messages_[number] = {
      sequence,           size, arrival, op, rank, packed.tag, units_of(packed), kNone, kNone,
      carrier_ != nullptr};
  ++events_;
  push(arrival, sequence, EntryKind::message, packed.peer, number);
}

void ReplayEngine::receive(std::uint32_t rank, std::uint32_t op) {
  const PackedOp& packed = ops_[rank][op];
  Rank& state = ranks_[rank];
  dependencies_.started(rank, op, now_, freed_);
  const std::uint32_t entry = matcher_.find(state.unexpected, packed.peer, packed.tag);
  if (entry == kNone) {
    matcher_.append(state.posted, packed.peer, packed.tag, op);
    return release(rank, freed_);
  }
  const std::uint32_t number = matcher_.remove(state.unexpected, entry);
  const Message& message = messages_[number];
  const std::uint32_t sender = message.source;
  const std::int64_t handled = message.since;
  if (costs_.rendezvous(message.size)) complete_send(rank, sender, message.op);
  messages_.give_back(number);
  dependencies_.ended(rank, op, std::max(now_, handled), freed_);
  release_both(rank, sender);
}

void ReplayEngine::depart(std::uint32_t rank, std::uint32_t number) {
  Message& message = messages_[number];
  message.departing = false;
  carrier_->simulation.run_until(Time::ps(now_));
  network::Transfer transfer;
  transfer.source = {carrier_->nodes[message.source], platform::Port::memory};
  transfer.destination = {carrier_->nodes[rank], platform::Port::memory};
  transfer.size = Bytes(static_cast<std::int64_t>(message.size));
  const PackedOp packed = schedule_.rank(message.source).packed(message.op);
  transfer.traffic_class =
      class_of({message.size, message.source, message.tag, packed.nic}, config_);
  transfer.client = this;
  transfer.cookie = number;
  carrier_->network.start(transfer);
}

void ReplayEngine::transfer_reached(network::Instant, std::uint64_t cookie) {
  const auto number = static_cast<std::uint32_t>(cookie);
  Message& message = messages_[number];
  const std::uint32_t receiver = schedule_.rank(message.source).packed(message.op).peer;
  message.since = carrier_->simulation.now().ps();
  push(message.since, message.sequence, EntryKind::message, receiver, number);
}

void ReplayEngine::arrive(std::uint32_t rank, std::uint32_t number) {
  Message& message = messages_[number];
  if (units_.size() > 1) {
    // It is handled where the receive that waits for it is, or else where it was sent.
    const std::uint32_t entry = matcher_.find(ranks_[rank].posted, message.source, message.tag);
    if (entry != kNone) {
      const PackedOp packed = schedule_.rank(rank).packed(matcher_[entry].payload);
      message.units = units_of(packed);
    }
  }
  const std::int64_t free = free_to_handle(rank, units_[message.units]);
  if (free <= now_) return handle(rank, number);
  std::uint32_t& line = message_line(rank, message.units);
  line = heaps_.add(line, number);
  if (line == number) push(free, message.sequence, EntryKind::messages, rank, message.units);
}

// The first of a line of messages; another may have become it since the entry was made.
void ReplayEngine::serve_messages(const QueueEntry& entry) {
  const std::uint32_t rank = entry.rank;
  std::uint32_t& line = message_line(rank, entry.detail);
  if (line == kNone || messages_[line].sequence != entry.sequence) return;
  const Units units = units_[entry.detail];
  const std::int64_t free = free_to_handle(rank, units);
  if (free > now_) return push(free, entry.sequence, EntryKind::messages, rank, entry.detail);
  const std::uint32_t first = line;
  line = heaps_.without_first(first);
  const std::uint32_t next = line;
  handle(rank, first);
  if (next == kNone) return;
  push(std::max(free_to_handle(rank, units), now_), messages_[next].sequence, EntryKind::messages,
       rank, entry.detail);
}

void ReplayEngine::handle(std::uint32_t rank, std::uint32_t number) {
  Message& message = messages_[number];
  const Units units = units_[message.units];
  const MessageCosts& cost = costs_.of(message.size);
  const std::int64_t noise = noise_.delay(rank, now_, cost.overhead);
  std::int64_t& cpu = cpu_free(rank, units.cpu);
  Rank& state = ranks_[rank];
  state.times.gap += now_ - std::min(now_, std::max(cpu, message.since));
  state.times.gap += cost.receive_bytes - cost.overhead_bytes;
  state.times.overhead += cost.overhead + cost.overhead_bytes;
  state.times.noise += noise;
  cpu = limited(rank, now_ + cost.overhead + noise + cost.receive_bytes);
  receive_free(rank, units.nic) = now_ + costs_.gap() + cost.gap_bytes;
  const std::uint32_t sender = message.source;
  const std::uint32_t entry = matcher_.find(state.posted, sender, message.tag);
  if (entry == kNone) {
    message.since = cpu;
    return matcher_.append(state.unexpected, sender, message.tag, number);
  }
  const std::uint32_t op = matcher_.remove(state.posted, entry);
  if (costs_.rendezvous(message.size)) complete_send(rank, sender, message.op);
  messages_.give_back(number);
  dependencies_.ended(rank, op, cpu, freed_);
  release_both(rank, sender);
}

// A rendezvous was matched now: the send ends, its units were busy until now.
void ReplayEngine::complete_send(std::uint32_t receiver, std::uint32_t sender, std::uint32_t op) {
  const PackedOp sent = schedule_.rank(sender).packed(op);
  std::int64_t& cpu = cpu_free(sender, sent.cpu);
  std::int64_t& nic = send_free(sender, sent.nic);
  cpu = std::max(cpu, now_);
  nic = std::max(nic, now_);
  dependencies_.ended(sender, op, now_, sender == receiver ? freed_ : freed_at_sender_);
}

void ReplayEngine::release_both(std::uint32_t receiver, std::uint32_t sender) {
  if (sender > receiver) release(receiver, freed_);
  release(sender, freed_at_sender_);
  release(receiver, freed_);
}

// Operations that became free together start by kind, else as they came.
void ReplayEngine::release(std::uint32_t rank, std::vector<std::uint32_t>& freed) {
  if (freed.size() > 1) {
    const PackedOp* const ops = ops_[rank];
    for (const OpKind kind : {OpKind::send, OpKind::recv, OpKind::calc}) {
      for (const std::uint32_t op : freed) {
        if (ops[op].kind() == kind) schedule_op(rank, op);
      }
    }
  } else if (freed.empty()) {
    return;
  } else {
    schedule_op(rank, freed.front());
  }
  freed.clear();
}

void ReplayEngine::schedule_op(std::uint32_t rank, std::uint32_t op) {
  const PackedOp& packed = ops_[rank][op];
  const std::int64_t ready = dependencies_.ready(rank, op);
  const std::uint64_t sequence = sequence_++;
  std::int64_t free = cpu_free(rank, packed.cpu);
  if (packed.kind() == OpKind::recv) {
    ++events_;
    return push(std::max(free, ready), sequence, EntryKind::receive, rank, op);
  }
  const bool sends = packed.kind() == OpKind::send;
  if (sends) free = free_to_send(rank, packed);
  if (ready > std::max(free, now_)) return push(ready, sequence, EntryKind::delayed, rank, op);
  ++events_;
  OpLine& line = sends ? send_line(rank, packed) : calc_line(rank, packed);
  stand_in_line(line, rank, op, free, sequence);
}

// What the first operations of a rank set free comes after the others of them, so the lines of the
// rank are made when all have had their turn.
void ReplayEngine::line_up(std::uint32_t rank) {
  starting_ = false;
  std::sort(early_.begin(), early_.end(),
            [](const WaitingOp& a, const WaitingOp& b) { return a.sequence < b.sequence; });
  for (const WaitingOp& waiting : early_) {
    const PackedOp& packed = ops_[rank][waiting.op];
    const bool sends = packed.kind() == OpKind::send;
    OpLine& line = sends ? send_line(rank, packed) : calc_line(rank, packed);
    const std::int64_t free = sends ? free_to_send(rank, packed) : cpu_free(rank, packed.cpu);
    stand_in_line(line, rank, waiting.op, free, waiting.sequence);
  }
  early_.clear();
  starting_ = true;
}

void ReplayEngine::stand_in_line(OpLine& line, std::uint32_t rank, std::uint32_t op,
                                 std::int64_t free, std::uint64_t sequence) {
  if (starting_) return early_.push_back({sequence, now_, op, kNone});
  if (!line.empty()) return line.append(waiting_, {sequence, now_, op, kNone});
  line.set_first(now_);
  push(std::max(free, now_), sequence, EntryKind::work, rank, op);
}

ReplayResult ReplayEngine::result() {
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

Leftovers ReplayEngine::leftovers() const {
  Leftovers left;
  for (std::uint32_t r = 0; r < ranks_.size(); ++r) {
    for (std::uint32_t e = ranks_[r].posted.head; e != kNone; e = matcher_[e].next)
      left.receives.push_back({r, matcher_[e].payload});
    for (std::uint32_t e = ranks_[r].unexpected.head; e != kNone; e = matcher_[e].next) {
      const Message& message = messages_[matcher_[e].payload];
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
  return ReplayEngine(schedule, options).run();
}

}  // namespace heddle::replay
