#include "goal/matching.hpp"

namespace heddle::goal {

/// The entries of one list by source and tag: an open-addressed table of chains, and the chain of
/// those that leave one open.
class Matcher::Index {
 public:
  explicit Index(ChunkPool<Entry>& entries) : entries_(entries), slots_(128) {}

  void append(std::uint32_t i) {
    const Entry& e = entries_[i];
    if (!is_exact(e.source, e.tag)) return append_to(open_, i);
    Chain& chain = slot(e.source, e.tag);
    if (!chain.used) {
      chain = {key_of(e.source, e.tag), kNone, kNone, true};
      if (++used_ * 2 > slots_.size()) {
        rehash();
        return append(i);
      }
    }
    append_to(chain, i);
  }

  /// The oldest of the chain and of the open ones that go with it.
  std::uint32_t find(std::uint32_t source, std::uint32_t tag) {
    const Chain& chain = slot(source, tag);
    const std::uint32_t exact = chain.used ? chain.first : kNone;
    for (std::uint32_t i = open_.first; i != kNone; i = entries_[i].chain) {
      if (exact != kNone && entries_[exact].stamp < entries_[i].stamp) break;
      if (goes_with(entries_[i], source, tag)) return i;
    }
    return exact;
  }

  /// Of one source and tag only the oldest is ever taken; of the open ones any.
  void remove(std::uint32_t i) {
    const Entry& e = entries_[i];
    if (is_exact(e.source, e.tag)) {
      Chain& chain = slot(e.source, e.tag);
      chain.first = e.chain;
      return;
    }
    std::uint32_t* link = &open_.first;
    std::uint32_t before = kNone;
    while (*link != i) {
      before = *link;
      link = &entries_[*link].chain;
    }
    *link = e.chain;
    if (open_.last == i) open_.last = before;
  }

 private:
  struct Chain {
    std::uint64_t key = 0;
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
    bool used = false;
  };

  static std::uint64_t key_of(std::uint32_t source, std::uint32_t tag) {
    return static_cast<std::uint64_t>(source) << 32 | tag;
  }
  Chain& slot(std::uint32_t source, std::uint32_t tag) {
    const std::uint64_t key = key_of(source, tag);
    std::size_t at = (key * 0x9e3779b97f4a7c15ULL) >> 36 & (slots_.size() - 1);
    while (slots_[at].used && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }
  void append_to(Chain& chain, std::uint32_t i) {
    entries_[i].chain = kNone;
    if (chain.first == kNone) {
      chain.first = i;
    } else {
      entries_[chain.last].chain = i;
    }
    chain.last = i;
  }
  /// A table twice as large as what still has entries.
  void rehash() {
    std::vector<Chain> old = std::move(slots_);
    std::size_t live = 1;
    for (const Chain& chain : old) live += chain.first != kNone;
    std::size_t size = 128;
    while (size < 4 * live) size *= 2;
    slots_.assign(size, {});
    used_ = 0;
    for (const Chain& chain : old) {
      if (chain.first == kNone) continue;
      slot(static_cast<std::uint32_t>(chain.key >> 32), static_cast<std::uint32_t>(chain.key)) =
          chain;
      ++used_;
    }
  }

  ChunkPool<Entry>& entries_;
  std::vector<Chain> slots_;
  std::size_t used_ = 0;
  Chain open_;
};

Matcher::Matcher() = default;
Matcher::~Matcher() = default;

std::uint32_t Matcher::append(MatchList& list, std::uint32_t source, std::uint32_t tag,
                              std::uint32_t payload) {
  constexpr std::uint32_t kLong = 48;
  const std::uint32_t i = take(list);
  entries_[i] = {source, tag, payload, list.tail, kNone, kNone, stamp_++};
  if (list.tail == kNone) {
    list.head = i;
  } else {
    entries_[list.tail].next = i;
  }
  list.tail = i;
  if (list.size >= kLong) {
    add_to_index(list, i);
  } else {
    ++list.size;
  }
  return i;
}

[[gnu::noinline]] void Matcher::add_to_index(MatchList& list, std::uint32_t entry) {
  if (!list.indexed()) return make_index(list);
  indexes_[list.index()]->append(entry);
}

std::uint32_t Matcher::find_indexed(const MatchList& list, std::uint32_t source,
                                    std::uint32_t tag) const {
  return indexes_[list.index()]->find(source, tag);
}

void Matcher::make_index(MatchList& list) {
  list.size = MatchList::kIndexed | static_cast<std::uint32_t>(indexes_.size());
  indexes_.push_back(std::make_unique<Index>(entries_));
  for (std::uint32_t i = list.head; i != kNone; i = entries_[i].next) indexes_.back()->append(i);
}

std::uint32_t Matcher::remove(MatchList& list, std::uint32_t entry) {
  const std::uint32_t payload = entries_[entry].payload;
  if (list.indexed()) indexes_[list.index()]->remove(entry);
  unlink(list, entries_[entry]);
  if (!list.indexed() && --list.size == 0) {
    list.spare = entry;
  } else {
    entries_.give_back(entry);
  }
  return payload;
}

void Matcher::unlink(MatchList& list, const Entry& entry) {
  (entry.previous == kNone ? list.head : entries_[entry.previous].next) = entry.next;
  (entry.next == kNone ? list.tail : entries_[entry.next].previous) = entry.previous;
}

}  // namespace heddle::goal
