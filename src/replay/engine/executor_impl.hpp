// What Executor's functions do, for those who compile it for their ends and wires.
#pragma once

#include <algorithm>

#include "core/prefetch.hpp"
#include "replay/engine/executor.hpp"

namespace heddle::replay {

/// An instant of a rank; throws if it is too late.
inline Time limited(RankId rank, Time time) {
  if (time.ps() > goal::kLatest) throw_too_late(rank);
  return time;
}

/// A rank's operations follow each other: those after it are soon needed.
inline void prefetch_after(const goal::PackedOp& op) {
  prefetch(&op + 8);
}

template <class Ends, class Wire>
[[gnu::always_inline]] inline void Executor<Ends, Wire>::execute(const QueueEntry& entry) {
  state_.events.set_now(entry.time);
  switch (entry.kind) {
    case EntryKind::message: {
      Message& message = state_.deliveries[entry.message()];
      message.sequence = entry.sequence;  // It may have been provisional when it was sent.
      if (Wire::kEntersNetwork && message.departing) return state_.wire.depart(entry.message());
      return arrive(entry.rank, entry.message());
    }
    case EntryKind::receive:
      --state_.units.queued_receives(entry.rank);
      return receive(state_.op_at(entry.rank, entry.op()));
    case EntryKind::send:
      return work(goal::OpKind::send, entry);
    case EntryKind::calc:
      return work(goal::OpKind::calc, entry);
    case EntryKind::messages:
      return serve_messages(entry);
    case EntryKind::delayed: {
      const RankOp op = state_.op_at(entry.rank, entry.op());
      return schedule_work(op.packed.kind(), op);
    }
    case EntryKind::hop:
      return state_.wire.hop(entry.link_message());
  }
}

// What the first operations of a rank set free comes after the others of them, so the lines of the
// rank are made when all have had their turn.
template <class Ends, class Wire>
void Executor<Ends, Wire>::start_rank(RankId rank, std::uint64_t first) {
  state_.programs.find_roots(rank, state_.units.state(rank), roots_);
  state_.events.count(roots_.size());
  starting_ = true;
  state_.units.close_lines(rank);
  for (const goal::OpKind kind : {goal::OpKind::send, goal::OpKind::recv, goal::OpKind::calc}) {
    for (const OpId op : roots_) {
      const RankOp root = state_.op_at(rank, op);
      if (root.packed.kind() == kind) start(root, first++);
    }
  }
  starting_ = false;
  state_.units.open_lines(rank);
  std::sort(early_.begin(), early_.end(),
            [](const WaitingOp& a, const WaitingOp& b) { return a.sequence < b.sequence; });
  for (const WaitingOp& waiting : early_) {
    const RankOp op = state_.op_at(rank, waiting.op);
    stand_in_line(op.packed.kind(), op, waiting.sequence);
  }
  early_.clear();
}

// An operation that is free at the beginning: starts at once, or stands in line.
template <class Ends, class Wire>
void Executor<Ends, Wire>::start(RankOp op, std::uint64_t sequence) {
  const goal::OpKind kind = op.packed.kind();
  if (kind == goal::OpKind::recv) return receive(op);
  if (state_.units.free_for(kind, op.rank, op.packed) > state_.events.now()) {
    stand_in_line(kind, op, sequence);
  } else if (kind == goal::OpKind::send) {
    send(op, state_.events.now());
  } else {
    calc(op);
  }
}

// The first of a line: starts if its units are free, and hands its place to the next.
template <class Ends, class Wire>
[[gnu::always_inline]] inline void Executor<Ends, Wire>::work(goal::OpKind kind,
                                                              const QueueEntry& entry) {
  const RankOp op = state_.op_at(entry.rank, entry.op());
  const Time now = state_.events.now();
  const Time free = state_.units.free_for(kind, op.rank, op.packed);
  if (free > now) return state_.events.push(free, entry.sequence, entry.kind, op.rank, op.op);
  OpLine& line = state_.units.line_for(kind, op.rank, op.packed);
  const Time since = line.first_since();
  WaitingOp next{};
  const bool more = state_.units.advance(line, next);
  if (kind == goal::OpKind::send) {
    send(op, since);
  } else {
    calc(op);
  }
  if (!more) return;
  const Time then = std::max(state_.units.free_for(kind, op.rank, op.packed), now);
  state_.events.push(then, next.sequence, entry.kind, op.rank, next.op);
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::calc(RankOp op) {
  const Time now = state_.events.now();
  const Time duration =
      state_.conditions.slowed(op.rank, state_.costs.duration(state_.programs.duration(op.packed)));
  const Time noise = state_.conditions.noise_in(op.rank, now, duration);
  Time& cpu = state_.units.cpu_free(op.rank, state_.units.shape().cpu_of(op.packed));
  state_.conditions.note_idle(op.rank, Programs::number_of(state_.units.state(op.rank), op.op),
                              CpuId{op.packed.cpu}, now - cpu);
  cpu = limited(op.rank, sum_of(now, duration, noise));
  state_.conditions.record([&](ReplayRecording& recording) {
    recording.computes(op.rank, CpuId{op.packed.cpu}, now, duration, noise);
  });
  RankState& mine = state_.units.state(op.rank);
  mine.compute = sum_of(mine.compute, duration);
  state_.conditions.add_noise(op.rank, noise);
  op_started(op);
  op_ended(op, cpu, freed_);
  release(op.rank, freed_);
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::send(RankOp op, Time since) {
  const RankId rank = op.rank;
  const goal::PackedOp& packed = op.packed;
  const Time now = state_.events.now();
  const Bytes size = state_.programs.size(packed);
  const MessageCosts& cost = state_.costs.of(size);
  const Time noise = state_.conditions.noise_in(rank, now, cost.overhead);
  Time& cpu = state_.units.cpu_free(rank, state_.units.shape().cpu_of(packed));
  RankState& mine = state_.units.state(rank);
  const Time ready = std::max(cpu, since);
  mine.gap = sum_of(mine.gap, now - std::min(now, ready));
  mine.overhead = sum_of(mine.overhead, cost.overhead, cost.overhead_bytes);
  state_.conditions.add_noise(rank, noise);
  cpu = limited(rank, sum_of(now, cost.overhead, cost.overhead_bytes, noise));
  state_.units.send_free(rank, state_.units.shape().nic_of(packed)) =
      sum_of(now, state_.costs.gap(), cost.gap_bytes);
  state_.events.count();
  // Its size is made anew: one that is copied would have it put together in memory.
  const MessageId message =
      state_.wire.launch({state_.events.next_sequence(), Bytes(size.count()),
                          sum_of(now, cost.overhead, state_.costs.latency()), op.op, rank,
                          Tag{packed.tag}, state_.units.shape().pair_of(packed)},
                         RankId{packed.peer});
  state_.conditions.record([&](ReplayRecording& recording) {
    recording.held_up(rank, CpuId{packed.cpu}, ready, now);
    recording.works(rank, CpuId{packed.cpu}, now, cpu);
    recording.departs(message, now + cost.overhead);
  });
  op_started(op);
  if (!state_.costs.rendezvous(size)) op_ended(op, cpu, freed_);
  release(rank, freed_);
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::receive(RankOp op) {
  RankState& mine = state_.units.state(op.rank);
  op_started(op);
  const MessageId number = state_.deliveries.take_unexpected(mine, op.packed);
  if (number == kNoMessage) {
    state_.deliveries.post(mine, op.op, op.packed);
    return release(op.rank, freed_);
  }
  const Message& message = state_.deliveries[number];
  const RankId sender = message.source;
  const Time now = state_.events.now();
  const Time handled = message.since;
  state_.conditions.record([&](ReplayRecording& recording) {
    recording.found(number, sender, op.rank, message.size, now);
  });
  const bool rendezvous = state_.costs.rendezvous(message.size);
  if (rendezvous) complete_send(op.rank, state_.op_at(sender, message.op));
  state_.deliveries.forget(number);
  op_ended(op, std::max(now, handled), freed_);
  release_after(op.rank, sender, rendezvous);
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::arrive(RankId rank, MessageId number) {
  Message& message = state_.deliveries[number];
  if (state_.units.shape().pairs() > 1) {
    // It is handled where the receive that waits for it is, or else where it was sent.
    const PostingId entry = state_.deliveries.find_posted(state_.units.state(rank), message);
    if (entry != kNoPosting) {
      const RankOp receive = state_.op_at(rank, state_.deliveries.op_of(entry));
      message.units = state_.units.shape().pair_of(receive.packed);
    }
  }
  const Units units = state_.units.shape().units_of(message.units);
  const Time free = state_.units.free_to_handle(rank, units);
  if (free <= state_.events.now()) return handle(rank, number);
  MessageId& line = state_.units.message_line(rank, message.units);
  line = state_.deliveries.with(line, number);
  if (line == number) {
    state_.events.push(free, message.sequence, EntryKind::messages, rank, message.units);
  }
}

// The first of a line of messages; another may have become it since the entry was made.
template <class Ends, class Wire>
void Executor<Ends, Wire>::serve_messages(const QueueEntry& entry) {
  const RankId rank = entry.rank;
  MessageId& line = state_.units.message_line(rank, entry.pair());
  if (line == kNoMessage || state_.deliveries[line].sequence != entry.sequence) return;
  const Time now = state_.events.now();
  const Units units = state_.units.shape().units_of(entry.pair());
  const Time free = state_.units.free_to_handle(rank, units);
  if (free > now) {
    return state_.events.push(free, entry.sequence, EntryKind::messages, rank, entry.pair());
  }
  const MessageId first = line;
  line = state_.deliveries.without_first(first);
  const MessageId next = line;
  handle(rank, first);
  if (next == kNoMessage) return;
  state_.events.push(std::max(state_.units.free_to_handle(rank, units), now),
                     state_.deliveries[next].sequence, EntryKind::messages, rank, entry.pair());
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::handle(RankId rank, MessageId number) {
  Message& message = state_.deliveries[number];
  const Time now = state_.events.now();
  const Units units = state_.units.shape().units_of(message.units);
  const MessageCosts& cost = state_.costs.of(message.size);
  const Time noise = state_.conditions.noise_in(rank, now, cost.overhead);
  Time& cpu = state_.units.cpu_free(rank, units.cpu);
  RankState& mine = state_.units.state(rank);
  const bool rendezvous = state_.costs.rendezvous(message.size);
  state_.conditions.record([&](ReplayRecording& recording) {
    const bool waits = rendezvous && state_.deliveries.find_posted(mine, message) == kNoPosting;
    recording.arrives(number, {message.source, rank, units.cpu, message.size}, cpu, message.since,
                      now, waits);
    recording.handles(rank, units.cpu, now, now + cost.overhead + cost.overhead_bytes + noise,
                      now + cost.overhead + noise + cost.receive_bytes);
  });
  const Time held_up = now - std::min(now, std::max(cpu, message.since));
  mine.gap = sum_of(mine.gap, held_up, cost.receive_bytes - cost.overhead_bytes);
  mine.overhead = sum_of(mine.overhead, cost.overhead, cost.overhead_bytes);
  state_.conditions.add_noise(rank, noise);
  const RankId sender = message.source;
  const PostingId entry = find_posted(rank, message);
  cpu = limited(rank, sum_of(now, cost.overhead, noise, cost.receive_bytes));
  state_.units.receive_free(rank, units.nic) = sum_of(now, state_.costs.gap(), cost.gap_bytes);
  if (entry == kNoPosting) {
    message.since = cpu;
    return state_.deliveries.keep_unexpected(mine, number);
  }
  const RankOp receive = state_.op_at(rank, state_.deliveries.take_posted(mine, entry));
  if (rendezvous) complete_send(rank, state_.op_at(sender, message.op));
  state_.deliveries.forget(number);
  op_ended(receive, cpu, freed_);
  release_after(rank, sender, rendezvous);
}

/// The posted receive that a message goes with, at the event that handles it. If that comes before
/// the receive in the same instant, the receive goes through the queue after all.
template <class Ends, class Wire>
PostingId Executor<Ends, Wire>::find_posted(RankId rank, const Message& message) {
  RankState& mine = state_.units.state(rank);
  const Time now = state_.events.now();
  const PostingId entry = state_.deliveries.find_posted(mine, message);
  if (entry == kNoPosting || !state_.conditions.post_early()) return entry;
  if (state_.units.cpu_free(rank, CpuId{0}) != now) return entry;
  const Deliveries::Posting posting = state_.deliveries.posting(entry);
  if (!posting.after(now, message.sequence)) return entry;
  ++state_.units.queued_receives(rank);
  state_.events.push(posting.time, posting.sequence, EntryKind::receive, rank,
                     state_.deliveries.take_posted(mine, entry));
  return kNoPosting;
}

// A rendezvous was matched now: the send ends, its units were busy until now.
template <class Ends, class Wire>
void Executor<Ends, Wire>::complete_send(RankId receiver, RankOp op) {
  const Time now = state_.events.now();
  Time& cpu = state_.units.cpu_free(op.rank, state_.units.shape().cpu_of(op.packed));
  Time& nic = state_.units.send_free(op.rank, state_.units.shape().nic_of(op.packed));
  state_.conditions.record([&](ReplayRecording& recording) {
    recording.released(op.rank, CpuId{op.packed.cpu}, cpu, now);
  });
  cpu = std::max(cpu, now);
  nic = std::max(nic, now);
  op_ended(op, now, op.rank == receiver ? freed_ : freed_at_sender_);
}

/// What a message that was received has set free: at the sender only by a rendezvous. The lower of
/// the two ranks comes first.
template <class Ends, class Wire>
void Executor<Ends, Wire>::release_after(RankId receiver, RankId sender, bool rendezvous) {
  if (rendezvous && sender < receiver) release(sender, freed_at_sender_);
  release(receiver, freed_);
  if (rendezvous && sender > receiver) release(sender, freed_at_sender_);
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::set_free(RankOp op, bool started, Time when, FreedOps& freed) {
  // Ranks of one program take their turns one after another: what waits for this operation at a
  // rank that follows is soon counted.
  constexpr std::uint32_t kAfter = 3;
  if (state_.units.here(op.rank + kAfter)) {
    state_.programs.prefetch_counts(state_.units.state(op.rank + kAfter), op.op);
  }
  state_.programs.set_free(op, state_.units.state(op.rank), started, freed, [&](OpNumber number) {
    state_.conditions.note_ready(number, when, CpuId{op.packed.cpu});
  });
}

template <class Ends, class Wire>
[[gnu::noinline]] void Executor<Ends, Wire>::release_all(RankId rank, FreedOps& freed) {
  freed.take_all([&](goal::OpKind kind, OpId op) { schedule_work(kind, state_.op_at(rank, op)); },
                 [&](OpId op) { schedule_receive(state_.op_at(rank, op)); });
}

template <class Ends, class Wire>
void Executor<Ends, Wire>::schedule_receive(RankOp op) {
  prefetch_after(op.packed);
  const OpNumber number = Programs::number_of(state_.units.state(op.rank), op.op);
  const std::uint64_t sequence = state_.events.next_sequence();
  state_.events.count();
  const CpuId cpu = state_.units.shape().cpu_of(op.packed);
  const Time when = std::max(state_.units.cpu_free(op.rank, cpu), state_.conditions.ready(number));
  if (post_early(op, when, sequence)) return;
  ++state_.units.queued_receives(op.rank);
  state_.events.push(when, sequence, EntryKind::receive, op.rank, op.op);
}

/// A receive that is going to find no message causes nothing when it is posted, and until its
/// rank's processor is free no message is handled: it can be posted now. Those of a rank are posted
/// in their order, so none may pass one that stands in the queue.
template <class Ends, class Wire>
bool Executor<Ends, Wire>::post_early(RankOp op, Time when, std::uint64_t sequence) {
  if (!state_.conditions.post_early() || op.packed.start_awaited()) return false;
  if (state_.units.queued_receives(op.rank) != 0) return false;
  RankState& mine = state_.units.state(op.rank);
  if (state_.deliveries.has_unexpected(mine, op.packed)) return false;
  state_.deliveries.post_early(mine, op.op, op.packed, when, sequence, when >= state_.part.end());
  return true;
}

/// Of a calc or send.
template <class Ends, class Wire>
void Executor<Ends, Wire>::schedule_work(goal::OpKind kind, RankOp op) {
  prefetch_after(op.packed);
  const OpNumber number = Programs::number_of(state_.units.state(op.rank), op.op);
  const Time since = state_.conditions.ready(number);
  const std::uint64_t sequence = state_.events.next_sequence();
  const Time now = state_.events.now();
  if (since > std::max(state_.units.free_for(kind, op.rank, op.packed), now)) {
    return state_.events.push(since, sequence, EntryKind::delayed, op.rank, op.op);
  }
  state_.events.count();
  stand_in_line(kind, op, sequence);
}

template <class Ends, class Wire>
[[gnu::always_inline]] inline void Executor<Ends, Wire>::stand_in_line(goal::OpKind kind, RankOp op,
                                                                       std::uint64_t sequence) {
  const Time now = state_.events.now();
  OpLine& line = state_.units.line_for(kind, op.rank, op.packed);
  if (!line.empty()) {
    const WaitingOp waiting{sequence, now, op.op, goal::kNone};
    if (starting_) return early_.push_back(waiting);
    return state_.units.wait(line, waiting, state_.part.shared());
  }
  line.set_first(now);
  state_.events.push(std::max(state_.units.free_for(kind, op.rank, op.packed), now), sequence,
                     kind == goal::OpKind::send ? EntryKind::send : EntryKind::calc, op.rank,
                     op.op);
}

}  // namespace heddle::replay
