// The replay engine: events of all ranks in their exact order.
#pragma once

#include <algorithm>
#include <span>

#include "replay/engine/executor_impl.hpp"
#include "replay/engine/look_ahead.hpp"
#include "replay/engine/part_replay.hpp"

namespace heddle::replay {

/// A queue and what its entries do: computes the same as single_queue_replay. Compiled for each
/// kind of ends (PlainEnds, AnyEnds) and of wire between them.
template <class Ends, class Wire>
class ReplayEngine final : public PartReplay {
 public:
  explicit ReplayEngine(const EngineInput& input)
      : schedule_(input.schedule), options_(input.options), executor_(input) {}

  /// Of an engine that has all ranks.
  ReplayResult run();

  void begin(std::uint64_t before) override;
  void replay(Time start) override;
  Time settle(Numbers& numbers) override;
  WindowedPart& part() override { return state().part; }
  void take(std::span<const RemoteMessage> messages) override;
  void take_from(const WindowedPart& other) override {
    take(other.messages().to(state().part.me()));
    state().wire.take(other);
  }

  Time now() const override { return state().events.now(); }
  std::uint64_t ended() const override { return state().programs.ended(); }
  std::uint64_t events() const override { return state().events.counted(); }
  std::uint64_t hops() const override { return state().wire.hops(); }
  Leftovers leftovers() const override;
  void add_to(ReplayResult& result) const override;

 private:
  EngineState<Ends, Wire>& state() { return executor_.state(); }
  const EngineState<Ends, Wire>& state() const { return executor_.state(); }
  void serve_all();
  void serve_window();
  void report_progress() const {
    if (options_.progress) options_.progress(ended(), schedule_.ops());
  }

  const goal::Schedule& schedule_;
  const ReplayOptions& options_;
  Executor<Ends, Wire> executor_;
};

template <class Ends, class Wire>
ReplayResult ReplayEngine<Ends, Wire>::run() {
  require_within(schedule_, state().costs.limits());
  // Everything caused later comes after all that is free at the beginning.
  state().events.set_sequence(schedule_.ops());
  std::uint64_t first = 0;
  for (RankId r{0}; r < state().part.last(); ++r) {
    executor_.start_rank(r, first);
    first += schedule_.rank(raw(r)).size();
  }
  serve_all();
  const Leftovers left = leftovers();
  const std::string stuck = state().wire.stuck();
  if (!left.empty() || !stuck.empty()) throw StallError(schedule_, left, events(), stuck);
  ReplayResult result;
  result.cpus = state().units.shape().cpus();
  add_to(result);
  return result;
}

template <class Ends, class Wire>
void ReplayEngine<Ends, Wire>::serve_all() {
  constexpr std::uint64_t kReport = 1 << 20;
  BucketQueue::Entry entry;
  const auto report = [this] { report_progress(); };
  for (std::uint64_t served = 1; state().wire.next(entry, report); ++served) {
    look_ahead(state());
    executor_.execute(QueueEntry::unpack(entry));
    if (served % kReport == 0) report_progress();
  }
}

template <class Ends, class Wire>
void ReplayEngine<Ends, Wire>::serve_window() {
  while (const BucketQueue::Entry* const entry = state().wire.next_in_window()) {
    const QueueEntry next = QueueEntry::unpack(*entry);
    state().events.entries().pop_first();
    look_ahead(state());
    executor_.execute(next);
    state().part.note(next.time, next.sequence, state().events);
  }
}

template <class Ends, class Wire>
void ReplayEngine<Ends, Wire>::begin(std::uint64_t before) {
  WindowedPart& part = state().part;
  part.open_first(state().events);
  for (RankId r = part.first(); r < part.last(); ++r) {
    executor_.start_rank(r, before);
    before += schedule_.rank(raw(r)).size();
    part.note(Time::zero(), raw(r), state().events);
  }
  part.close();
}

template <class Ends, class Wire>
void ReplayEngine<Ends, Wire>::replay(Time start) {
  state().part.open(start, state().events);
  serve_window();
  state().part.close();
}

template <class Ends, class Wire>
Time ReplayEngine<Ends, Wire>::settle(Numbers& numbers) {
  state().events.settle(numbers);
  state().units.settle(numbers);
  state().deliveries.settle(numbers);
  return std::min({Time::ps(state().events.entries().soonest()), state().wire.settle(numbers),
                   state().part.settle(numbers)});
}

template <class Ends, class Wire>
void ReplayEngine<Ends, Wire>::take(std::span<const RemoteMessage> messages) {
  for (const RemoteMessage& message : messages) {
    const MessageId number =
        state().deliveries.add({message.sequence, message.size, message.arrival, message.op,
                                message.source, message.tag, message.units});
    state().events.push(message.arrival, message.sequence, EntryKind::message, message.receiver,
                        number);
  }
}

template <class Ends, class Wire>
Leftovers ReplayEngine<Ends, Wire>::leftovers() const {
  Leftovers left;
  for (RankId r = state().part.first(); r < state().part.last(); ++r) {
    const RankState& mine = state().units.state(r);
    state().deliveries.add_leftovers(r, mine, left);
    state().programs.add_waiting(r, mine, left.waiting);
  }
  return left;
}

template <class Ends, class Wire>
void ReplayEngine<Ends, Wire>::add_to(ReplayResult& result) const {
  const RankId first = state().part.first();
  if (result.finish.empty()) {
    // Those of other parts follow.
    const std::size_t ranks = schedule_.ranks() - index(first);
    result.finish.reserve(ranks);
    result.adapters_free.reserve(ranks);
    result.times.reserve(ranks);
  }
  for (RankId r = first; r < state().part.last(); ++r) {
    result.finish.push_back(state().units.processors_done(r));
    result.adapters_free.push_back(state().units.adapters_done(r));
    const RankState& mine = state().units.state(r);
    result.times.push_back({mine.compute, mine.overhead, mine.gap, state().conditions.noise_of(r)});
  }
  result.events += events();
  result.network_events += hops();
  result.network_fingerprint += state().wire.fingerprint();
}

}  // namespace heddle::replay
