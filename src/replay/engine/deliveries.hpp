// Messages and receives: what is under way, what has come before its receive, what is waited for.
#pragma once

#include <cstdint>
#include <vector>

#include "core/large_vector.hpp"
#include "core/windows/numbering.hpp"
#include "goal/matching.hpp"
#include "replay/engine/message.hpp"
#include "replay/engine/rank_table.hpp"
#include "replay/engine/waiting_line.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

/// Keeps the messages of all ranks by number, and matches those that were handled with receives, of
/// the lists that are in the rank's state.
class Deliveries {
 public:
  // Messages.
  [[gnu::always_inline]] MessageId add(const Message& message) {
    const MessageId number{messages_.take()};
    (*this)[number] = message;
    return number;
  }
  /// The same of one whose sequence may be provisional: settle() sees to it.
  MessageId add_fresh(const Message& message) {
    const MessageId number = add(message);
    fresh_messages_.push_back(number);
    return number;
  }
  Message& operator[](MessageId number) { return messages_[raw(number)]; }
  const Message& operator[](MessageId number) const { return messages_[raw(number)]; }
  [[gnu::always_inline]] void forget(MessageId number) { messages_.give_back(raw(number)); }
  /// A line of messages in the order they were sent, with one more, or without its first.
  MessageId with(MessageId line, MessageId number) {
    return MessageId{lines_.add(raw(line), raw(number))};
  }
  MessageId without_first(MessageId line) { return MessageId{lines_.without_first(raw(line))}; }

  // Receives.
  /// Takes the unexpected message that a receive goes with: its number, or kNoMessage.
  [[gnu::always_inline]] MessageId take_unexpected(RankState& rank, const goal::PackedOp& receive) {
    const std::uint32_t entry = matcher_.find(rank.unexpected, receive.peer, receive.tag);
    return entry == goal::kNone ? kNoMessage : MessageId{matcher_.remove(rank.unexpected, entry)};
  }
  bool has_unexpected(const RankState& rank, const goal::PackedOp& receive) const {
    return matcher_.find(rank.unexpected, receive.peer, receive.tag) != goal::kNone;
  }
  /// A receive that found no message.
  void post(RankState& rank, OpId op, const goal::PackedOp& receive) {
    const PostingId entry = append(rank, op, receive);
    if (index(entry) < postings_.size()) postings_[index(entry)] = kPosted;
  }
  /// The same of one that is posted at (when, sequence) only, which may be provisional: settle()
  /// sees to it if it is `fresh`.
  [[gnu::always_inline]] void post_early(RankState& rank, OpId op, const goal::PackedOp& receive,
                                         Time when, std::uint64_t sequence, bool fresh) {
    const PostingId entry = append(rank, op, receive);
    if (index(entry) >= postings_.size()) postings_.resize(index(entry) + 1, kPosted);
    postings_[index(entry)] = {when, sequence};
    if (fresh) fresh_postings_.push_back(entry);
  }

  // Posted receives, named by their entries in the matcher.
  /// The one that a message goes with, or kNoPosting.
  [[gnu::always_inline]] PostingId find_posted(const RankState& rank,
                                               const Message& message) const {
    return PostingId{matcher_.find(rank.posted, raw(message.source), raw(message.tag))};
  }
  /// When a receive is posted, as an event of the queue.
  struct Posting {
    Time time;
    std::uint64_t sequence;
    bool after(Time other_time, std::uint64_t other_sequence) const {
      return time != other_time ? time > other_time : sequence > other_sequence;
    }
  };
  Posting posting(PostingId entry) const {
    return index(entry) < postings_.size() ? postings_[index(entry)] : kPosted;
  }
  OpId op_of(PostingId entry) const { return OpId{matcher_[raw(entry)].payload}; }
  const void* address_of(PostingId entry) const { return &matcher_[raw(entry)]; }
  /// Its operation.
  [[gnu::always_inline]] OpId take_posted(RankState& rank, PostingId entry) {
    return OpId{matcher_.remove(rank.posted, raw(entry))};
  }
  /// A message that was handled, and no receive was there; its `since` is when.
  void keep_unexpected(RankState& rank, MessageId number) {
    const Message& message = (*this)[number];
    matcher_.append(rank.unexpected, raw(message.source), raw(message.tag), raw(number));
  }

  /// A window is over: gives what has come its numbers.
  void settle(Numbers& numbers) {
    for (const PostingId entry : fresh_postings_) {
      Posting& posting = postings_[index(entry)];
      posting.sequence = numbers.resolve(posting.sequence);
    }
    fresh_postings_.clear();
    for (const MessageId number : fresh_messages_) {
      Message& message = (*this)[number];
      message.sequence = numbers.resolve(message.sequence);
    }
    fresh_messages_.clear();
  }
  /// Adds the receives and messages of a rank that are left.
  void add_leftovers(RankId rank, const RankState& state, Leftovers& left) const {
    for (std::uint32_t e = state.posted.head; e != goal::kNone; e = matcher_[e].next) {
      left.receives.push_back({raw(rank), matcher_[e].payload});
    }
    for (std::uint32_t e = state.unexpected.head; e != goal::kNone; e = matcher_[e].next) {
      const Message& message = messages_[matcher_[e].payload];
      left.sends.push_back({raw(message.source), raw(message.op)});
    }
  }

 private:
  [[gnu::always_inline]] PostingId append(RankState& rank, OpId op, const goal::PackedOp& receive) {
    return PostingId{matcher_.append(rank.posted, receive.peer, receive.tag, raw(op))};
  }

  static constexpr Posting kPosted{kBeforeAll, 0};  ///< Of one that came through the queue.

  goal::Matcher matcher_;
  LargeVector<Posting> postings_;  ///< By entry of the matcher, of receives that were posted early.
  goal::ChunkPool<Message> messages_;
  SequenceHeap<Message> lines_{messages_};
  /// Of the matcher: receives that are posted after the window, and until then by nobody else.
  std::vector<PostingId> fresh_postings_;
  std::vector<MessageId> fresh_messages_;
};

}  // namespace heddle::replay
