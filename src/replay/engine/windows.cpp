// The engine as one part of a replay that is shared: window by window.
#include <fmt/core.h>

#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {

ReplayEngine::ReplayEngine(const Schedule& schedule, const ReplayOptions& options,
                           const UnitPairs& units, const Parts& parts, std::size_t me,
                           const SharedFabric* fabric, SharedPackets* packets)
    : ReplayEngine(schedule, options, packets == nullptr ? nullptr : &packets->carriers[me], units,
                   parts.begin(me), parts.end(me),
                   fabric != nullptr    ? fabric->window()
                   : packets != nullptr ? packets->window
                                        : CostModel(options.parameters).lookahead()) {
  parts_ = &parts;
  me_ = me;
  fabric_ = fabric;
  packets_ = packets;
  over_links_ = fabric != nullptr || packets != nullptr;
  window_end_ = INT64_MIN;
  for (auto& outgoing : outgoing_) outgoing.resize(parts.size());
  if (packets != nullptr) packets->engines[me] = this;
  if (fabric == nullptr) return;
  for (auto& outgoing : outgoing_flights_) outgoing.resize(parts.size());
}

void ReplayEngine::begin(std::uint64_t before) {
  sequence_ = log_sequence_ = first_sequence();
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    start_rank(r, before);
    before += schedule_.rank(r).size();
    note(0, r);
  }
  close_log();
}

void ReplayEngine::replay(std::int64_t window) {
  window_end_ = later_.end_of(window);
  later_.open(window, queue_);
  sequence_ = log_sequence_ = first_sequence();
  BucketQueue::Entry entry;
  while (next_in_window(entry)) {
    prefetch();
    const QueueEntry next = QueueEntry::unpack(entry);
    execute(next);
    note(next.time, next.sequence);
  }
  close_log();
}

bool ReplayEngine::next_in_window(BucketQueue::Entry& entry) {
  if (carrier_ != nullptr) {
    Simulation& simulation = carrier_->simulation;
    for (Time next = simulation.next_time();
         next.ps() < window_end_ && next.ps() <= queue_.next_time(); next = simulation.next_time())
      simulation.step();
  }
  return queue_.pop(entry);
}

/// An event that has caused something is remembered. What comes before its cause in the same
/// instant, on a link, happens right after it.
void ReplayEngine::note(std::int64_t time, std::uint64_t sequence) {
  const std::uint64_t caused = sequence_ - log_sequence_;
  if (caused == 0) return;
  if (caused >> Sequences::kOffsetBits != 0)
    throw RunError(
        fmt::format("an operation sets {} others free: at most {} can be shared among "
                    "threads",
                    caused, std::uint64_t{1} << Sequences::kOffsetBits));
  if (!log_.empty() && log_.back().time == time)
    sequence = std::max(sequence, log_.back().sequence);
  log_.push_back({time, sequence, caused_});
  caused_ += caused;
  sequence_ = log_sequence_ += Sequences::first_of(1) - Sequences::first_of(0);
}

void ReplayEngine::close_log() {
  log_.push_back({INT64_MAX, UINT64_MAX, caused_});
}

std::int64_t ReplayEngine::settle(std::span<const std::uint64_t> numbers) {
  later_.settle([&](BucketQueue::Entry& packed) {
    const QueueEntry entry = QueueEntry::unpack(packed);
    if (!Sequences::provisional(entry.sequence)) return;
    std::uint64_t number = Sequences::resolve(entry.sequence, numbers);
    if (entry.kind == EntryKind::hop) number &= ~Sequences::kBehind;
    QueueEntry::resequence(packed, number);
    if (entry.kind == EntryKind::message) messages_[entry.detail].sequence = number;
  });
  for (const std::uint32_t record : fresh_waiting_) {
    std::uint64_t& sequence = waiting_[record].sequence;
    sequence = Sequences::resolve(sequence, numbers);
  }
  fresh_waiting_.clear();
  parity_ ^= 1;
  std::int64_t next = std::min({later_.next(), settle_flights(numbers), settle_voyages(numbers)});
  for (auto& messages : outgoing_[parity_]) {
    for (RemoteMessage& message : messages) {
      message.sequence = Sequences::resolve(message.sequence, numbers);
      next = std::min(next, later_.window_of(message.arrival));
    }
  }
  for (auto& messages : outgoing_[parity_ ^ 1]) messages.clear();
  log_.clear();
  caused_ = 0;
  return next;
}

void ReplayEngine::take(std::span<const RemoteMessage> messages) {
  for (const RemoteMessage& message : messages) {
    const std::uint32_t number = messages_.take();
    messages_[number] = {
        message.sequence, message.size,  message.arrival, message.op, message.source,
        message.tag,      message.units, kNone,           kNone,      false};
    push(message.arrival, message.sequence, EntryKind::message, message.receiver, number);
  }
}

}  // namespace heddle::replay
