#include "portals/match_list.hpp"

#include <algorithm>

namespace heddle::portals {
namespace {

/// A list is indexed from this length on, until it is a quarter of it.
constexpr std::uint32_t kLong = 32;

std::size_t hashed(ptl_match_bits_t bits, ptl_match_bits_t ignore_bits) {
  const std::uint64_t mixed = ((bits & ~ignore_bits) ^ (ignore_bits * 3)) * 0x9E3779B97F4A7C15ULL;
  return mixed ^ (mixed >> 32);
}

std::size_t hash_of(const Entry& entry) {
  return hashed(entry.match_bits, entry.ignore_bits);
}

}  // namespace

/// Where the chain for these bits begins, or could begin.
std::size_t MatchIndex::slot_of(const EntryTable& entries, ptl_match_bits_t bits,
                                ptl_match_bits_t ignore_bits) const {
  const std::size_t mask = heads_.size() - 1;
  std::size_t slot = hashed(bits, ignore_bits) & mask;
  for (; heads_[slot] != kNone; slot = (slot + 1) & mask) {
    const Entry& head = entries[heads_[slot]];
    if (head.ignore_bits == ignore_bits && ((head.match_bits ^ bits) & ~ignore_bits) == 0) break;
  }
  return slot;
}

void MatchIndex::add(EntryTable& entries, std::uint32_t place) {
  if (2 * (chains_ + 1) > heads_.size()) grow(entries);
  Entry& entry = entries[place];
  entry.order = next_order_++;
  const std::size_t slot = slot_of(entries, entry.match_bits, entry.ignore_bits);
  if (heads_[slot] == kNone) {
    heads_[slot] = place;
    entry.chain = {kNone, place};
    ++chains_;
  } else {
    // The first of a chain has its last as the one before it.
    Entry& head = entries[heads_[slot]];
    const std::uint32_t last = head.chain.previous;
    entry.chain = {kNone, last};
    entries[last].chain.next = place;
    head.chain.previous = place;
  }
  const auto group = std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) {
    return g.ignore_bits == entry.ignore_bits;
  });
  if (group == groups_.end()) {
    groups_.push_back({entry.ignore_bits, 1});
  } else {
    ++group->entries;
  }
}

void MatchIndex::remove(EntryTable& entries, std::uint32_t place) {
  const Entry& entry = entries[place];
  const std::size_t slot = slot_of(entries, entry.match_bits, entry.ignore_bits);
  Entry& head = entries[heads_[slot]];
  const std::uint32_t next = entry.chain.next;
  if (heads_[slot] != place) {
    entries[entry.chain.previous].chain.next = next;
    (next == kNone ? head : entries[next]).chain.previous = entry.chain.previous;
  } else if (next != kNone) {
    entries[next].chain.previous = entry.chain.previous;
    heads_[slot] = next;
  } else {
    erase(entries, slot);
  }
  leave_group(entry.ignore_bits);
}

/// Takes a chain out; those behind it move up, so that they are still found.
void MatchIndex::erase(const EntryTable& entries, std::size_t slot) {
  const std::size_t mask = heads_.size() - 1;
  for (std::size_t next = (slot + 1) & mask; heads_[next] != kNone; next = (next + 1) & mask) {
    const std::size_t home = hash_of(entries[heads_[next]]) & mask;
    if (((next - home) & mask) < ((next - slot) & mask)) continue;
    heads_[slot] = heads_[next];
    slot = next;
  }
  heads_[slot] = kNone;
  --chains_;
}

void MatchIndex::leave_group(ptl_match_bits_t ignore_bits) {
  const auto group = std::find_if(groups_.begin(), groups_.end(),
                                  [&](const Group& g) { return g.ignore_bits == ignore_bits; });
  if (--group->entries > 0) return;
  *group = groups_.back();
  groups_.pop_back();
}

void MatchIndex::grow(const EntryTable& entries) {
  std::vector<std::uint32_t> old(std::max<std::size_t>(2 * heads_.size(), 4 * kLong), kNone);
  old.swap(heads_);
  for (const std::uint32_t head : old) {
    if (head == kNone) continue;
    heads_[slot_of(entries, entries[head].match_bits, entries[head].ignore_bits)] = head;
  }
}

std::uint32_t MatchIndex::first_match(const EntryTable& entries, const Header& header,
                                      bool logical) const {
  std::uint32_t best = kNone;
  for (const Group& group : groups_) {
    const std::uint32_t place = first_in_chain(entries, header, group.ignore_bits, logical);
    if (place == kNone) continue;
    if (best == kNone || entries[place].order < entries[best].order) best = place;
  }
  return best;
}

std::uint32_t MatchIndex::first_in_chain(const EntryTable& entries, const Header& header,
                                         ptl_match_bits_t ignore_bits, bool logical) const {
  std::uint32_t place = heads_[slot_of(entries, header.match_bits, ignore_bits)];
  while (place != kNone && !matches(entries[place], header, logical)) {
    place = entries[place].chain.next;
  }
  return place;
}

void MatchList::push_back(EntryTable& entries, std::uint32_t place) {
  portals::push_back(entries, list_, place);
  if (index_) return index_->add(entries, place);
  if (list_.size < kLong) return;
  index_ = std::make_unique<MatchIndex>();
  for (std::uint32_t p = list_.first; p != kNone; p = entries[p].links.next) {
    index_->add(entries, p);
  }
}

void MatchList::remove(EntryTable& entries, std::uint32_t place) {
  take_out(entries, list_, place);
  if (!index_) return;
  index_->remove(entries, place);
  if (list_.size < kLong / 4) index_ = nullptr;
}

std::uint32_t MatchList::first_match(const EntryTable& entries, const Header& header,
                                     bool logical) const {
  if (index_) return index_->first_match(entries, header, logical);
  std::uint32_t place = list_.first;
  while (place != kNone && !matches(entries[place], header, logical)) {
    place = entries[place].links.next;
  }
  return place;
}

}  // namespace heddle::portals
