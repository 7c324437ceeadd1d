// The engine as one part of a replay that is shared: window by window.
#include <fmt/format.h>

#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {

ReplayEngine::ReplayEngine(const Schedule& schedule, const ReplayOptions& options,
                           const UnitPairs& units, const Parts& parts, std::size_t me)
    : ReplayEngine(schedule, options, nullptr, units, parts.begin(me), parts.end(me)) {
  parts_ = &parts;
  window_end_ = INT64_MIN;
  for (auto& outgoing : outgoing_) outgoing.resize(parts.size());
}

void ReplayEngine::begin(std::uint64_t before) {
  sequence_ = log_sequence_ = Sequences::first_of(0);
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
  sequence_ = log_sequence_ = Sequences::first_of(0);
  BucketQueue::Entry entry;
  while (queue_.pop(entry)) {
    prefetch();
    const QueueEntry next = QueueEntry::unpack(entry);
    execute(next);
    note(next.time, next.sequence);
  }
  close_log();
}

/// An event that has caused something is remembered.
void ReplayEngine::note(std::int64_t time, std::uint64_t sequence) {
  const std::uint64_t caused = sequence_ - log_sequence_;
  if (caused == 0) return;
  if (caused >> Sequences::kOffsetBits != 0)
    throw RunError(
        fmt::format("an operation sets {} others free: at most {} can be shared among "
                    "threads",
                    caused, std::uint64_t{1} << Sequences::kOffsetBits));
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
    const std::uint64_t number = Sequences::resolve(entry.sequence, numbers);
    QueueEntry::resequence(packed, number);
    if (entry.kind == EntryKind::message) messages_[entry.detail].sequence = number;
  });
  for (const std::uint32_t record : fresh_waiting_) {
    std::uint64_t& sequence = waiting_[record].sequence;
    sequence = Sequences::resolve(sequence, numbers);
  }
  fresh_waiting_.clear();
  parity_ ^= 1;
  std::int64_t next = later_.next();
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
