// Matching of messages and receives by source and tag, either of which may be left open.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "goal/chunk_pool.hpp"
#include "goal/schedule.hpp"

namespace heddle::goal {

/// A first-in-first-out list of what waits at one rank: its posted receives, or its unexpected
/// messages. The records belong to a Matcher.
struct MatchList {
  std::uint32_t head = kNone;
  std::uint32_t tail = kNone;
  /// How many it has; of a list that grew long instead: kIndexed and the number of its index by
  /// source and tag.
  std::uint32_t size = 0;
  /// The record that it had last, for the next. Ranks that have their turns one after another so
  /// reach for records that lie one after another, however long that goes on.
  std::uint32_t spare = kNone;

  static constexpr std::uint32_t kIndexed = 1U << 31;
  bool indexed() const { return size & kIndexed; }
  std::uint32_t index() const { return size & ~kIndexed; }
};

/// Keeps the entries of all lists. Short lists are searched, long ones looked up.
class Matcher {
 public:
  struct Entry {
    std::uint32_t source;   ///< Or kAnySource.
    std::uint32_t tag;      ///< Or kAnyTag.
    std::uint32_t payload;  ///< The caller's.
    std::uint32_t previous;
    std::uint32_t next;
    std::uint32_t chain;  ///< The next of the same source and tag, or of those left open.
    std::uint64_t stamp;  ///< Entries of a list are younger the higher it is.
  };

  Matcher();
  ~Matcher();

  /// The number of the entry.
  std::uint32_t append(MatchList& list, std::uint32_t source, std::uint32_t tag,
                       std::uint32_t payload);
  /// The oldest entry that goes with `source` and `tag`, or kNone.
  std::uint32_t find(const MatchList& list, std::uint32_t source, std::uint32_t tag) const {
    if (list.head == kNone) return kNone;
    if (list.indexed() && is_exact(source, tag)) return find_indexed(list, source, tag);
    for (std::uint32_t i = list.head; i != kNone; i = entries_[i].next) {
      if (goes_with(entries_[i], source, tag)) return i;
    }
    return kNone;
  }
  /// Takes out an entry that find() named and gives its payload.
  std::uint32_t remove(MatchList& list, std::uint32_t entry);

  const Entry& operator[](std::uint32_t entry) const { return entries_[entry]; }

 private:
  class Index;

  static bool is_exact(std::uint32_t source, std::uint32_t tag) {
    return source != kAnySource && tag != kAnyTag;
  }
  static bool goes_with(const Entry& e, std::uint32_t source, std::uint32_t tag) {
    const bool from = e.source == source || e.source == kAnySource || source == kAnySource;
    return from && tags_match(e.tag, tag);
  }
  std::uint32_t find_indexed(const MatchList& list, std::uint32_t source, std::uint32_t tag) const;
  void make_index(MatchList& list);
  void add_to_index(MatchList& list, std::uint32_t entry);
  void unlink(MatchList& list, const Entry& entry);
  std::uint32_t take(MatchList& list) {
    return list.spare == kNone ? entries_.take() : std::exchange(list.spare, kNone);
  }

  ChunkPool<Entry> entries_;
  std::vector<std::unique_ptr<Index>> indexes_;
  std::uint64_t stamp_ = 0;  ///< Of the next entry.
};

}  // namespace heddle::goal
