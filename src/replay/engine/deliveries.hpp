// Messages and receives: what is under way, what has come before its receive, what is waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "core/large_vector.hpp"
#include "goal/matching.hpp"
#include "replay/engine/message.hpp"
#include "replay/engine/numbering.hpp"
#include "replay/engine/rank_table.hpp"
#include "replay/engine/waiting_line.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

/// Keeps the messages of all ranks by number, and matches those that were handled with receives, of
/// the lists that are in the rank's state.
class Deliveries {
 public:
  // Messages.
  [[gnu::always_inline]] std::uint32_t add(const Message& message) {
    const std::uint32_t number = messages_.take();
    messages_[number] = message;
    return number;
  }
  /// The same of one whose sequence may be provisional: settle() sees to it.
  std::uint32_t add_fresh(const Message& message) {
    const std::uint32_t number = add(message);
    fresh_messages_.push_back(number);
    return number;
  }
  Message& operator[](std::uint32_t number) { return messages_[number]; }
  const Message& operator[](std::uint32_t number) const { return messages_[number]; }
  [[gnu::always_inline]] void forget(std::uint32_t number) { messages_.give_back(number); }
  /// A line of messages in the order they were sent, with one more, or without its first.
  std::uint32_t with(std::uint32_t line, std::uint32_t number) { return lines_.add(line, number); }
  std::uint32_t without_first(std::uint32_t line) { return lines_.without_first(line); }

  // Receives.
  /// Takes the unexpected message that a receive goes with: its number, or kNone.
  [[gnu::always_inline]] std::uint32_t take_unexpected(RankState& rank,
                                                       const goal::PackedOp& receive) {
    const std::uint32_t entry = matcher_.find(rank.unexpected, receive.peer, receive.tag);
    return entry == goal::kNone ? goal::kNone : matcher_.remove(rank.unexpected, entry);
  }
  bool has_unexpected(const RankState& rank, const goal::PackedOp& receive) const {
    return matcher_.find(rank.unexpected, receive.peer, receive.tag) != goal::kNone;
  }
  /// A receive that found no message.
  void post(RankState& rank, std::uint32_t op, const goal::PackedOp& receive) {
    const std::uint32_t entry = matcher_.append(rank.posted, receive.peer, receive.tag, op);
    if (entry < postings_.size()) postings_[entry] = kPosted;
  }
  /// The same of one that is posted at (when, sequence) only, which may be provisional: settle()
  /// sees to it if it is `fresh`.
  [[gnu::always_inline]] void post_early(RankState& rank, std::uint32_t op,
                                         const goal::PackedOp& receive, std::int64_t when,
                                         std::uint64_t sequence, bool fresh) {
    const std::uint32_t entry = matcher_.append(rank.posted, receive.peer, receive.tag, op);
    if (entry >= postings_.size()) postings_.resize(std::size_t{entry} + 1, kPosted);
    postings_[entry] = {when, sequence};
    if (fresh) fresh_postings_.push_back(entry);
  }

  // Posted receives, named by their entries.
  /// The one that a message goes with, or kNone.
  [[gnu::always_inline]] std::uint32_t find_posted(const RankState& rank,
                                                   const Message& message) const {
    return matcher_.find(rank.posted, message.source, message.tag);
  }
  /// When a receive is posted, as an event of the queue.
  struct Posting {
    std::int64_t time;
    std::uint64_t sequence;
    bool after(std::int64_t other_time, std::uint64_t other_sequence) const {
      return time != other_time ? time > other_time : sequence > other_sequence;
    }
  };
  Posting posting(std::uint32_t entry) const {
    return entry < postings_.size() ? postings_[entry] : kPosted;
  }
  std::uint32_t op_of(std::uint32_t entry) const { return matcher_[entry].payload; }
  const void* address_of(std::uint32_t entry) const { return &matcher_[entry]; }
  /// Its operation.
  [[gnu::always_inline]] std::uint32_t take_posted(RankState& rank, std::uint32_t entry) {
    return matcher_.remove(rank.posted, entry);
  }
  /// A message that was handled, and no receive was there; its `since` is when.
  void keep_unexpected(RankState& rank, std::uint32_t number) {
    const Message& message = messages_[number];
    matcher_.append(rank.unexpected, message.source, message.tag, number);
  }

  /// A window is over: gives what has come its numbers.
  void settle(Numbers& numbers) {
    for (const std::uint32_t entry : fresh_postings_) {
      postings_[entry].sequence = numbers.resolve(postings_[entry].sequence);
    }
    fresh_postings_.clear();
    for (const std::uint32_t number : fresh_messages_) {
      messages_[number].sequence = numbers.resolve(messages_[number].sequence);
    }
    fresh_messages_.clear();
  }
  /// Adds the receives and messages of a rank that are left.
  void add_leftovers(std::uint32_t rank, const RankState& state, Leftovers& left) const {
    for (std::uint32_t e = state.posted.head; e != goal::kNone; e = matcher_[e].next) {
      left.receives.push_back({rank, matcher_[e].payload});
    }
    for (std::uint32_t e = state.unexpected.head; e != goal::kNone; e = matcher_[e].next) {
      const Message& message = messages_[matcher_[e].payload];
      left.sends.push_back({message.source, message.op});
    }
  }

 private:
  static constexpr Posting kPosted{INT64_MIN, 0};  ///< Of one that came through the queue.

  goal::Matcher matcher_;
  LargeVector<Posting> postings_;  ///< By entry of the matcher, of receives that were posted early.
  goal::ChunkPool<Message> messages_;
  SequenceHeap<Message> lines_{messages_};
  /// Of the matcher: receives that are posted after the window, and until then by nobody else.
  std::vector<std::uint32_t> fresh_postings_;
  std::vector<std::uint32_t> fresh_messages_;
};

}  // namespace heddle::replay
