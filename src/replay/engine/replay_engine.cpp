#include "replay/engine/replay_engine.hpp"

#include <algorithm>

namespace heddle::replay {

ReplayResult ReplayEngine::run() {
  require_within(schedule_, costs_.limits());
  // Everything caused later comes after all that is free at the beginning.
  sequence_ = schedule_.ops();
  std::uint64_t first = 0;
  for (std::uint32_t r = 0; r < schedule_.ranks(); ++r) {
    start_rank(r, first);
    first += schedule_.rank(r).size();
  }
  if (is_plain()) {
    serve_all<true>();
  } else {
    serve_all<false>();
  }
  return result();
}

bool ReplayEngine::is_plain() const {
  return cpus_ == 1 && nics_ == 1 && noise_.silent() && options_.slowdown.empty() && !recording_ &&
         !over_links_;
}

template <bool plain>
void ReplayEngine::serve_all() {
  BucketQueue::Entry entry;
  for (std::uint64_t served = 1; plain ? queue_.pop(entry) : next_entry(entry); ++served) {
    look_ahead();
    execute<plain>(QueueEntry::unpack(entry));
    if (served % (1 << 20) == 0) report_progress();
  }
}

template <bool plain>
void ReplayEngine::serve_window() {
  while (const BucketQueue::Entry* const entry =
             plain ? queue_.first_of_window() : next_in_window()) {
    const QueueEntry next = QueueEntry::unpack(*entry);
    queue_.pop_first();
    look_ahead();
    execute<plain>(next);
    note(next.time, next.sequence);
  }
}

void ReplayEngine::serve_window() {
  if (is_plain()) {
    serve_window<true>();
  } else {
    serve_window<false>();
  }
}

/// What waits for nothing, by kind, else as it was given; its sequences are `first` and on.
void ReplayEngine::start_rank(std::uint32_t rank, std::uint64_t first) {
  const RankState& mine = state(rank);
  roots_.clear();
  const std::size_t begin = number_of(mine, 0);
  const std::size_t end = begin + schedule_.rank(rank).size();
  for (std::size_t i = waiting_for_.find_free(begin, end); i != end;
       i = waiting_for_.find_free(i + 1, end))
    roots_.push_back(static_cast<std::uint32_t>(i - begin));
  events_ += roots_.size();
  starting_ = true;
  for (const OpKind kind : {OpKind::send, OpKind::recv, OpKind::calc}) {
    for (const std::uint32_t op : roots_) {
      if (op_of(mine, op).kind() == kind) start(rank, op, first++);
    }
  }
  starting_ = false;
  line_up(rank);
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

void ReplayEngine::report_progress() {
  if (progress_) progress_(ended_, schedule_.ops());
}

template <bool plain>
[[gnu::always_inline]] inline void ReplayEngine::execute(const QueueEntry& entry) {
  now_ = entry.time;
  switch (entry.kind) {
    case EntryKind::message:
      return message<plain>(entry);
    case EntryKind::receive:
      --queued_receives<plain>(entry.rank);
      return receive<plain>(entry.rank, entry.detail);
    case EntryKind::send:
      return work<plain>(OpKind::send, entry);
    case EntryKind::calc:
      return work<plain>(OpKind::calc, entry);
    case EntryKind::messages:
      return serve_messages<plain>(entry);
    case EntryKind::delayed:  // NOLINT: the same as below only where both do nothing
      if constexpr (!plain) {
        const OpKind kind = op_of(state(entry.rank), entry.detail).kind();
        schedule_work<plain>(kind, entry.rank, entry.detail);
      }
      return;
    case EntryKind::hop:
      if constexpr (!plain) {
        ++hops_;
        advance(entry.detail);
      }
      return;
  }
}

template <bool plain>
void ReplayEngine::message(const QueueEntry& entry) {
  Message& message = messages_[entry.detail];
  message.sequence = entry.sequence;  // It may have been provisional when the message was sent.
  if (!plain && message.departing) return depart(entry.detail);
  arrive<plain>(entry.rank, entry.detail);
}

// An operation that is free at the beginning: starts at once, or stands in line.
void ReplayEngine::start(std::uint32_t rank, std::uint32_t op, std::uint64_t sequence) {
  const PackedOp& packed = op_of(state(rank), op);
  if (packed.kind() == OpKind::recv) return receive<false>(rank, op);
  if (free_for<false>(packed.kind(), rank, packed) > now_) {
    stand_in_line<false>(packed.kind(), rank, op, packed, sequence);
  } else if (packed.kind() == OpKind::send) {
    send<false>(rank, op, packed, now_);
  } else {
    calc<false>(rank, op, packed);
  }
}

// The first of a line: starts if its units are free, and hands its place to the next.
template <bool plain>
[[gnu::always_inline]] inline void ReplayEngine::work(OpKind kind, const QueueEntry& entry) {
  const std::uint32_t rank = entry.rank;
  const PackedOp& packed = op_of(state<plain>(rank), entry.detail);
  const std::int64_t free = free_for<plain>(kind, rank, packed);
  if (free > now_) return push(free, entry.sequence, entry.kind, rank, entry.detail);
  OpLine& line = line_for<plain>(kind, rank, packed);
  const std::int64_t since = line.first_since();
  WaitingOp next{};
  const bool more = line.advance(waiting_, next);
  if (kind == OpKind::send) {
    send<plain>(rank, entry.detail, packed, since);
  } else {
    calc<plain>(rank, entry.detail, packed);
  }
  if (!more) return;
  const std::int64_t then = std::max(free_for<plain>(kind, rank, packed), now_);
  push(then, next.sequence, entry.kind, rank, next.op);
}

template <bool plain>
void ReplayEngine::calc(std::uint32_t rank, std::uint32_t op, const PackedOp& packed) {
  std::int64_t duration = costs_.duration(schedule_.value(packed));
  if constexpr (!plain) duration = options_.slowed(rank, duration);
  const std::int64_t noise = noise_in<plain>(rank, duration);
  std::int64_t& cpu = cpu_free<plain>(rank, cpu_of<plain>(packed));
  cpu = limited(rank, now_ + duration + noise);
  if (records<plain>()) recording_.computes(rank, packed.cpu, now_, duration, noise);
  state<plain>(rank).compute += duration;
  add_noise<plain>(rank, noise);
  op_started<plain>(rank, op, packed);
  op_ended<plain>(rank, op, packed, cpu, freed_);
  release<plain>(rank, freed_);
}

template <bool plain>
void ReplayEngine::send(std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                        std::int64_t since) {
  const std::uint64_t size = schedule_.value(packed);
  const MessageCosts& cost = costs_.of(size);
  const std::int64_t noise = noise_in<plain>(rank, cost.overhead);
  std::int64_t& cpu = cpu_free<plain>(rank, cpu_of<plain>(packed));
  RankState& mine = state<plain>(rank);
  mine.gap += now_ - std::min(now_, std::max(cpu, since));
  if (records<plain>()) recording_.held_up(rank, packed.cpu, std::max(cpu, since), now_);
  mine.overhead += cost.overhead + cost.overhead_bytes;
  add_noise<plain>(rank, noise);
  cpu = limited(rank, now_ + cost.overhead + cost.overhead_bytes + noise);
  if (records<plain>()) recording_.works(rank, packed.cpu, now_, cpu);
  send_free<plain>(rank, nic_of<plain>(packed)) = now_ + costs_.gap() + cost.gap_bytes;
  launch<plain>(rank, op, packed, size, now_ + cost.overhead + costs_.latency());
  op_started<plain>(rank, op, packed);
  if (!costs_.rendezvous(size)) op_ended<plain>(rank, op, packed, cpu, freed_);
  release<plain>(rank, freed_);
}

template <bool plain>
void ReplayEngine::launch(std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                          std::uint64_t size, std::int64_t arrival) {
  const std::uint64_t sequence = sequence_++;
  ++events_;
  const bool enters_network = !plain && over_links_;
  if (!here(packed.peer) && !enters_network) {
    outgoing_[parity_ ^ 1][parts_->part_of(packed.peer)].push_back(
        {arrival, sequence, size, op, rank, packed.tag, packed.peer, units_of<plain>(packed)});
    return;
  }
  const std::uint32_t number = messages_.take();
  messages_[number] = {
      sequence, size,  arrival,       op, rank, packed.tag, units_of<plain>(packed),
      kNone,    kNone, enters_network};
  if (records<plain>()) recording_.departs(number, arrival - costs_.latency());
  if (!plain && fabric_ != nullptr) fresh_messages_.push_back(number);
  push(arrival, sequence, EntryKind::message, enters_network ? rank : packed.peer, number);
}

template <bool plain>
void ReplayEngine::receive(std::uint32_t rank, std::uint32_t op) {
  const PackedOp& packed = op_of(state<plain>(rank), op);
  RankState& mine = state<plain>(rank);
  op_started<plain>(rank, op, packed);
  const std::uint32_t entry = matcher_.find(mine.unexpected, packed.peer, packed.tag);
  if (entry == kNone) {
    const std::uint32_t posted = matcher_.append(mine.posted, packed.peer, packed.tag, op);
    if (posted < postings_.size()) postings_[posted] = kPosted;
    return release<plain>(rank, freed_);
  }
  const std::uint32_t number = matcher_.remove(mine.unexpected, entry);
  const Message& message = messages_[number];
  const std::uint32_t sender = message.source;
  const std::int64_t handled = message.since;
  if (records<plain>()) recording_.found(number, sender, rank, message.size, now_);
  const bool rendezvous = costs_.rendezvous(message.size);
  if (rendezvous) complete_send<plain>(rank, sender, message.op);
  messages_.give_back(number);
  op_ended<plain>(rank, op, packed, std::max(now_, handled), freed_);
  release_after<plain>(rank, sender, rendezvous);
}

/// A receive that is going to find no message causes nothing when it is posted, and until its
/// rank's processor is free no message is handled: it can be posted now. Those of a rank are posted
/// in their order, so none may pass one that stands in the queue.
template <bool plain>
bool ReplayEngine::post_early(std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                              std::int64_t when, std::uint64_t sequence) {
  if (!plain && (!posts_early_ || starting_)) return false;
  RankState& mine = state<plain>(rank);
  if (packed.start_awaited() || queued_receives<plain>(rank) != 0) return false;
  if (matcher_.find(mine.unexpected, packed.peer, packed.tag) != kNone) return false;
  const std::uint32_t entry = matcher_.append(mine.posted, packed.peer, packed.tag, op);
  if (entry >= postings_.size()) postings_.resize(std::size_t{entry} + 1, kPosted);
  postings_[entry] = {when, sequence};
  if (when >= window_end_) fresh_postings_.push_back(entry);
  return true;
}

/// The posted receive that a message goes with, at the event that handles it. If that comes before
/// the receive in the same instant, the receive goes through the queue after all.
template <bool plain>
std::uint32_t ReplayEngine::find_posted(std::uint32_t rank, const Message& message) {
  RankState& mine = state<plain>(rank);
  const std::uint32_t entry = matcher_.find(mine.posted, message.source, message.tag);
  if (entry == kNone || (!plain && !posts_early_) || cpu_free<plain>(rank, 0) != now_) return entry;
  if (entry >= postings_.size()) return entry;
  const Posting posting = postings_[entry];
  if (!posting.after(now_, message.sequence)) return entry;
  ++queued_receives<plain>(rank);
  push(posting.time, posting.sequence, EntryKind::receive, rank,
       matcher_.remove(mine.posted, entry));
  return kNone;
}

void ReplayEngine::depart(std::uint32_t number) {
  Message& message = messages_[number];
  message.departing = false;
  if (fabric_ != nullptr) return take_off(number);
  carrier_->simulation.run_until(Time::ps(now_));
  network::Transfer transfer;
  transfer.source = {carrier_->nodes[message.source], platform::Port::memory};
  const PackedOp packed = schedule_.rank(message.source).packed(message.op);
  transfer.destination = {carrier_->nodes[packed.peer], platform::Port::memory};
  transfer.size = Bytes(static_cast<std::int64_t>(message.size));
  transfer.traffic_class =
      class_of({message.size, message.source, message.tag, packed.nic}, config_);
  transfer.client = this;
  transfer.cookie = number;
  if (packets_ != nullptr) set_sail(number, transfer);
  carrier_->network.start(transfer);
}

void ReplayEngine::transfer_reached(network::Instant, std::uint64_t cookie) {
  if (packets_ != nullptr) return come_in(*reinterpret_cast<Voyage*>(cookie));
  const auto number = static_cast<std::uint32_t>(cookie);
  Message& message = messages_[number];
  message.since = carrier_->simulation.now().ps();
  push(message.since, message.sequence, EntryKind::message, receiver_of(message), number);
}

template <bool plain>
void ReplayEngine::arrive(std::uint32_t rank, std::uint32_t number) {
  Message& message = messages_[number];
  if (!plain && units_.size() > 1) {
    // It is handled where the receive that waits for it is, or else where it was sent.
    const std::uint32_t entry =
        matcher_.find(state<plain>(rank).posted, message.source, message.tag);
    if (entry != kNone) {
      message.units = units_of<plain>(op_of(state<plain>(rank), matcher_[entry].payload));
    }
  }
  const std::int64_t free = free_to_handle<plain>(rank, units_numbered<plain>(message.units));
  if (free <= now_) return handle<plain>(rank, number);
  std::uint32_t& line = message_line<plain>(rank, message.units);
  line = heaps_.add(line, number);
  if (line == number) push(free, message.sequence, EntryKind::messages, rank, message.units);
}

// The first of a line of messages; another may have become it since the entry was made.
template <bool plain>
void ReplayEngine::serve_messages(const QueueEntry& entry) {
  const std::uint32_t rank = entry.rank;
  std::uint32_t& line = message_line<plain>(rank, entry.detail);
  if (line == kNone || messages_[line].sequence != entry.sequence) return;
  const Units units = units_numbered<plain>(entry.detail);
  const std::int64_t free = free_to_handle<plain>(rank, units);
  if (free > now_) return push(free, entry.sequence, EntryKind::messages, rank, entry.detail);
  const std::uint32_t first = line;
  line = heaps_.without_first(first);
  const std::uint32_t next = line;
  handle<plain>(rank, first);
  if (next == kNone) return;
  push(std::max(free_to_handle<plain>(rank, units), now_), messages_[next].sequence,
       EntryKind::messages, rank, entry.detail);
}

template <bool plain>
void ReplayEngine::handle(std::uint32_t rank, std::uint32_t number) {
  Message& message = messages_[number];
  const Units units = units_numbered<plain>(message.units);
  const MessageCosts& cost = costs_.of(message.size);
  const std::int64_t noise = noise_in<plain>(rank, cost.overhead);
  std::int64_t& cpu = cpu_free<plain>(rank, units.cpu);
  RankState& mine = state<plain>(rank);
  if (records<plain>()) {
    const bool waits = costs_.rendezvous(message.size) &&
                       matcher_.find(mine.posted, message.source, message.tag) == kNone;
    recording_.arrives(number, {message.source, rank, units.cpu, message.size}, cpu, message.since,
                       now_, waits);
    recording_.handles(rank, units.cpu, now_, now_ + cost.overhead + cost.overhead_bytes + noise,
                       now_ + cost.overhead + noise + cost.receive_bytes);
  }
  mine.gap += now_ - std::min(now_, std::max(cpu, message.since));
  mine.gap += cost.receive_bytes - cost.overhead_bytes;
  mine.overhead += cost.overhead + cost.overhead_bytes;
  add_noise<plain>(rank, noise);
  const std::uint32_t sender = message.source;
  const std::uint32_t entry = find_posted<plain>(rank, message);
  cpu = limited(rank, now_ + cost.overhead + noise + cost.receive_bytes);
  receive_free<plain>(rank, units.nic) = now_ + costs_.gap() + cost.gap_bytes;
  if (entry == kNone) {
    message.since = cpu;
    matcher_.append(mine.unexpected, sender, message.tag, number);
    return;
  }
  const std::uint32_t op = matcher_.remove(mine.posted, entry);
  const bool rendezvous = costs_.rendezvous(message.size);
  if (rendezvous) complete_send<plain>(rank, sender, message.op);
  messages_.give_back(number);
  op_ended<plain>(rank, op, op_of(mine, op), cpu, freed_);
  release_after<plain>(rank, sender, rendezvous);
}

// A rendezvous was matched now: the send ends, its units were busy until now.
template <bool plain>
void ReplayEngine::complete_send(std::uint32_t receiver, std::uint32_t sender, std::uint32_t op) {
  const PackedOp& sent = op_of(state<plain>(sender), op);
  std::int64_t& cpu = cpu_free<plain>(sender, cpu_of<plain>(sent));
  std::int64_t& nic = send_free<plain>(sender, nic_of<plain>(sent));
  if (records<plain>()) recording_.released(sender, sent.cpu, cpu, now_);
  cpu = std::max(cpu, now_);
  nic = std::max(nic, now_);
  op_ended<plain>(sender, op, sent, now_, sender == receiver ? freed_ : freed_at_sender_);
}

/// What a message that was received has set free: at the sender only by a rendezvous. The lower of
/// the two ranks comes first.
template <bool plain>
void ReplayEngine::release_after(std::uint32_t receiver, std::uint32_t sender, bool rendezvous) {
  if (rendezvous && sender < receiver) release<plain>(sender, freed_at_sender_);
  release<plain>(receiver, freed_);
  if (rendezvous && sender > receiver) release<plain>(sender, freed_at_sender_);
}

template <bool plain>
void ReplayEngine::set_free(std::uint32_t rank, std::uint32_t op, const PackedOp& packed,
                            bool from_start, std::int64_t when, FreedOps& freed) {
  const RankState& mine = state<plain>(rank);
  prefetch_counts_after<plain>(rank, op);
  const auto edges = [&] { return schedule_.edge_data(rank); };
  const auto visit = [&](Edge edge) __attribute__((always_inline)) {
    const std::size_t number = number_of(mine, edge.target);
    if (keeps_ready_times<plain>()) ready_[number] = std::max(ready_[number], when);
    if (waiting_for_.take(number)) freed.add(op_of(mine, edge.target).kind(), edge.target);
  };
  if (!packed.start_awaited()) return for_successors(packed, op, edges, visit);
  for_successors(packed, op, edges, [&](Edge edge) {
    if (edge.from_start == from_start) visit(edge);
  });
}

template <bool plain>
[[gnu::noinline]] void ReplayEngine::release_all(std::uint32_t rank, FreedOps& freed) {
  freed.take_all([&](OpKind kind, std::uint32_t op) { schedule_work<plain>(kind, rank, op); },
                 [&](std::uint32_t op) { schedule_receive<plain>(rank, op); });
}

template <bool plain>
void ReplayEngine::schedule_receive(std::uint32_t rank, std::uint32_t op) {
  const RankState& mine = state<plain>(rank);
  const PackedOp& packed = op_of(mine, op);
  prefetch_after(packed);
  const std::int64_t since = keeps_ready_times<plain>() ? ready_[number_of(mine, op)] : 0;
  const std::uint64_t sequence = sequence_++;
  ++events_;
  const std::int64_t when = std::max(cpu_free<plain>(rank, cpu_of<plain>(packed)), since);
  if (post_early<plain>(rank, op, packed, when, sequence)) return;
  ++queued_receives<plain>(rank);
  push(when, sequence, EntryKind::receive, rank, op);
}

/// Of a calc or send.
template <bool plain>
void ReplayEngine::schedule_work(OpKind kind, std::uint32_t rank, std::uint32_t op) {
  const RankState& mine = state<plain>(rank);
  const PackedOp& packed = op_of(mine, op);
  prefetch_after(packed);
  const std::int64_t since = keeps_ready_times<plain>() ? ready_[number_of(mine, op)] : 0;
  const std::uint64_t sequence = sequence_++;
  if (!plain && since > std::max(free_for<plain>(kind, rank, packed), now_))
    return push(since, sequence, EntryKind::delayed, rank, op);
  ++events_;
  stand_in_line<plain>(kind, rank, op, packed, sequence);
}

// What the first operations of a rank set free comes after the others of them, so the lines of the
// rank are made when all have had their turn.
void ReplayEngine::line_up(std::uint32_t rank) {
  std::sort(early_.begin(), early_.end(),
            [](const WaitingOp& a, const WaitingOp& b) { return a.sequence < b.sequence; });
  for (const WaitingOp& waiting : early_) {
    const PackedOp& packed = op_of(state(rank), waiting.op);
    stand_in_line<false>(packed.kind(), rank, waiting.op, packed, waiting.sequence);
  }
  early_.clear();
}

template <bool plain>
[[gnu::always_inline]] inline void ReplayEngine::stand_in_line(OpKind kind, std::uint32_t rank,
                                                               std::uint32_t op,
                                                               const PackedOp& packed,
                                                               std::uint64_t sequence) {
  if (!plain && starting_) return early_.push_back({sequence, now_, op, kNone});
  OpLine& line = line_for<plain>(kind, rank, packed);
  if (!line.empty()) {
    const std::uint32_t record = line.append(waiting_, {sequence, now_, op, kNone});
    if (parts_ != nullptr) fresh_waiting_.push_back(record);
    return;
  }
  line.set_first(now_);
  push(std::max(free_for<plain>(kind, rank, packed), now_), sequence,
       kind == OpKind::send ? EntryKind::send : EntryKind::calc, rank, op);
}

}  // namespace heddle::replay
