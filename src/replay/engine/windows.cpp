// The engine as one part of a replay that is shared: window by window.
#include <fmt/core.h>

#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {
namespace {

std::int64_t length_of_window(const ReplayOptions& options, const SharedFabric* fabric,
                              const SharedPackets* packets) {
  if (fabric != nullptr) return fabric->window();
  if (packets != nullptr) return packets->window;
  return CostModel(options.parameters).lookahead();
}

}  // namespace

ReplayEngine::ReplayEngine(const Schedule& schedule, const ReplayOptions& options,
                           const UnitPairs& units, const Parts& parts, std::size_t me,
                           const SharedFabric* fabric, SharedPackets* packets)
    : ReplayEngine(schedule, options, packets == nullptr ? nullptr : &packets->carriers[me], units,
                   parts.begin(me), parts.end(me), length_of_window(options, fabric, packets),
                   true) {
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

[[gnu::cold]] void ReplayEngine::throw_too_many(std::uint64_t caused) {
  throw RunError(
      fmt::format("an operation sets {} others free: at most {} can be shared among threads",
                  caused, std::uint64_t{1} << Sequences::kOffsetBits));
}

void ReplayEngine::begin(std::uint64_t before) {
  queue_.begin_window(window_end_);
  sequence_ = log_sequence_ = first_sequence();
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    start_rank(r, before);
    before += schedule_.rank(r).size();
    note(0, r);
  }
  log_.close();
}

void ReplayEngine::replay(std::int64_t start) {
  window_end_ = (start + window_) / grain_ * grain_;
  queue_.begin_window(window_end_);
  log_.clear();
  sequence_ = log_sequence_ = first_sequence();
  serve_window();
  log_.close();
}

const BucketQueue::Entry* ReplayEngine::next_in_window() {
  const BucketQueue::Entry* entry = queue_.first_of_window();
  if (carrier_ == nullptr) return entry;
  Simulation& simulation = carrier_->simulation;
  for (Time next = simulation.next_time();
       next.ps() < window_end_ && (entry == nullptr || next.ps() <= entry->time);
       next = simulation.next_time()) {
    simulation.step();
    entry = queue_.first_of_window();
  }
  return entry;
}

std::int64_t ReplayEngine::settle(Numbers& numbers) {
  queue_.settle([&](BucketQueue::Entry& packed) {
    const QueueEntry entry = QueueEntry::unpack(packed);
    if (!Sequences::provisional(entry.sequence)) return;
    std::uint64_t number = numbers.resolve(entry.sequence);
    if (entry.kind == EntryKind::hop) number &= ~Sequences::kBehind;
    QueueEntry::resequence(packed, number);
  });
  const auto settle_all = [&](std::vector<std::uint32_t>& fresh, auto& records) {
    for (const std::uint32_t number : fresh)
      records[number].sequence = numbers.resolve(records[number].sequence);
    fresh.clear();
  };
  settle_all(fresh_waiting_, waiting_);
  settle_all(fresh_postings_, postings_);
  settle_all(fresh_messages_, messages_);
  parity_ ^= 1;
  std::int64_t next =
      std::min({queue_.soonest(), settle_flights(numbers), settle_voyages(numbers)});
  for (auto& messages : outgoing_[parity_]) {
    for (RemoteMessage& message : messages) {
      message.sequence = numbers.resolve(message.sequence);
      next = std::min(next, message.arrival);
    }
  }
  for (auto& messages : outgoing_[parity_ ^ 1]) messages.clear();
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
