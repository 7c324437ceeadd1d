#include "mpi/engine/match_table.hpp"

namespace heddle::mpi {
namespace {

constexpr std::size_t kFirstSlots = 1024;

}  // namespace

MatchTable::MatchTable() : slots_(kFirstSlots), mask_(kFirstSlots - 1) {}

/// A part of every look.
[[gnu::always_inline]] inline std::size_t MatchTable::find(const MatchKey& key) const {
  std::size_t slot = home(key);
  while (slots_[slot].first != nullptr && slots_[slot].key != key) slot = (slot + 1) & mask_;
  return slot;
}

Waiting* MatchTable::first(const MatchKey& key, Kind kind) const {
  Waiting* const item = slots_[find(key)].first;
  return item != nullptr && item->kind == kind ? item : nullptr;
}

Waiting* MatchTable::take(const MatchKey& key, Kind kind, Place& place) {
  const std::size_t slot = find(key);
  place.slot_ = slot;
  Waiting* const item = slots_[slot].first;
  if (item == nullptr || item->kind != kind) return nullptr;
  unlink(slot, *item);
  return item;
}

void MatchTable::append(Waiting& item, const Place& place) {
  const bool grows = 2 * (used_ + 1) > slots_.size();
  if (grows) grow();
  const bool known = place.slot_ != Place::kUnknown && !grows;
  Slot& slot = slots_[known ? place.slot_ : find(item.key)];
  item.next = nullptr;
  if (slot.first == nullptr) {
    ++used_;
    item.previous = nullptr;
    slot = {item.key, &item, &item};
    return;
  }
  item.previous = slot.last;
  slot.last->next = &item;
  slot.last = &item;
}

void MatchTable::remove(Waiting& item) {
  unlink(find(item.key), item);
}

void MatchTable::unlink(std::size_t place, Waiting& item) {
  Slot& slot = slots_[place];
  (item.previous != nullptr ? item.previous->next : slot.first) = item.next;
  (item.next != nullptr ? item.next->previous : slot.last) = item.previous;
  if (slot.first == nullptr) erase(place);
}

/// Moves those behind it up that would not be found any more.
void MatchTable::erase(std::size_t hole) {
  --used_;
  for (std::size_t next = (hole + 1) & mask_; slots_[next].first != nullptr;
       next = (next + 1) & mask_) {
    if (((next - home(slots_[next].key)) & mask_) < ((next - hole) & mask_)) continue;
    slots_[hole] = slots_[next];
    hole = next;
  }
  slots_[hole].first = nullptr;
}

void MatchTable::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.first != nullptr) slots_[find(slot.key)] = slot;
  }
}

}  // namespace heddle::mpi
