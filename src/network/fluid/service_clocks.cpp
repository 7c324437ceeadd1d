#include "network/fluid/service_clocks.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// The origin is moved after so many changes of the pace, and so many more per member.
constexpr std::size_t kSlotChanges = 1024;
constexpr std::size_t kChangesPerMember = 4;

/// The pace for which a clock's end is foreseen, in parts of its pace.
constexpr double kHaste = 1 + 1.0 / 32;

}  // namespace

/// When the clock reaches the mark, to the nearest ps.
inline Time ServiceClocks::end(const Slot& slot, double mark) {
  if (slot.pace == 0) return mark > slot.reading ? Time::never() : slot.read;
  const double ps = std::max(0.0, (mark - slot.reading) / slot.pace);
  return slot.read + Time::whole_ps(ps + 0.5);
}

inline void ServiceClocks::expect_exactly(std::uint32_t number) {
  Slot& slot = slots_[number];
  slot.exact = true;
  slot.most_pace = slot.pace;
  ends_.set(number, slot.heap.empty() ? MinTree::kNone
                                      : std::min(end(slot, slot.heap[0].mark).ps(), kBeyond));
}

/// The first member of a clock begins with the reading 0.
inline void ServiceClocks::join_alone(Member member, std::uint32_t number, double service,
                                      Time now) {
  Slot& slot = slots_[number];
  slot.reading = 0;
  slot.read = now;
  places_[member] = {number, 0, 0};
  slot.heap.push_back({service, next_number_++, member});
  expect_exactly(number);
}

/// The number of the clock's slot, which it gets when it is set for the first time.
inline std::uint32_t ServiceClocks::slot_for(Clock clock) {
  if (slot_of_[clock] == kNoSlot) {
    slot_of_[clock] = static_cast<std::uint32_t>(slots_.size());
    slots_.emplace_back();
    ends_.resize(slots_.size());
  }
  return slot_of_[clock];
}

void ServiceClocks::set_pace(Clock clock, double pace, Time now) {
  const std::uint32_t number = slot_for(clock);
  Slot& slot = slots_[number];
  slot.reading = slot.heap.empty() ? 0 : reading(slot, now);
  slot.read = now;
  slot.pace = pace;
  if (slot.heap.empty()) return;
  if (++slot.changes > kSlotChanges + kChangesPerMember * slot.heap.size()) move_origin(slot);
  slot.exact = false;
  if (pace > slot.most_pace) foresee(number);
}

/// Makes the reading 0: near to it, numbers are finer.
void ServiceClocks::move_origin(Slot& slot) {
  slot.changes = 0;
  for (Entry& entry : slot.heap) {
    entry.mark -= slot.reading;
    places_[entry.member].begun -= slot.reading;
  }
  slot.reading = 0;
}

void ServiceClocks::start(Member member, Clock clock, double pace, double service, Time now) {
  if (member >= places_.size()) places_.resize(member + 1);
  const std::uint32_t number = slot_for(clock);
  slots_[number].pace = pace;
  join_alone(member, number, service, now);
}

void ServiceClocks::join(Member member, Clock clock, double service, Time now) {
  if (member >= places_.size()) places_.resize(member + 1);
  const std::uint32_t number = slot_of_[clock];
  Slot& slot = slots_[number];
  if (slot.heap.empty()) return join_alone(member, number, service, now);
  const double begun = reading(slot, now);
  places_[member] = {number, 0, begun};
  slot.heap.emplace_back();
  rise(slot, slot.heap.size() - 1, {begun + service, next_number_++, member});
  if (places_[member].index == 0) expect_exactly(number);
}

void ServiceClocks::expect(Member member, double service) {
  const Place& place = places_[member];
  Slot& slot = slots_[place.slot];
  const bool was_first = place.index == 0;
  Entry entry = slot.heap[place.index];
  entry.mark = place.begun + service;
  settle(slot, place.index, entry);
  if (was_first || place.index == 0) expect_exactly(place.slot);
}

void ServiceClocks::leave(Member member) {
  const Place place = places_[member];
  Slot& slot = slots_[place.slot];
  const Entry last = slot.heap.back();
  slot.heap.pop_back();
  if (place.index < slot.heap.size()) settle(slot, place.index, last);
  places_[member].slot = kNoSlot;
  if (place.index == 0) expect_exactly(place.slot);
}

double ServiceClocks::served(Member member, Time now) const {
  const Place& place = places_[member];
  return reading(slots_[place.slot], now) - place.begun;
}

bool ServiceClocks::has_served(Member member, double service, Time now) const {
  const Place& place = places_[member];
  return end(slots_[place.slot], place.begun + service) <= now;
}

std::int64_t ServiceClocks::next() {
  while (ends_.least() != MinTree::kNone && !slots_[ends_.least_slot()].exact) {
    expect_exactly(static_cast<std::uint32_t>(ends_.least_slot()));
  }
  return ends_.least();
}

/// Finds a time before which nobody is due even if the pace grows a little.
void ServiceClocks::foresee(std::uint32_t number) {
  Slot& slot = slots_[number];
  slot.most_pace = kHaste * slot.pace;
  const double ps = std::max(0.0, (slot.heap[0].mark - slot.reading) / slot.most_pace);
  ends_.set(number, std::min((slot.read + Time::whole_ps(ps)).ps(), kBeyond));
}

// --- The heap of a clock -------------------------------------------------------------------------

void ServiceClocks::put(Slot& slot, std::size_t index, const Entry& entry) {
  slot.heap[index] = entry;
  places_[entry.member].index = static_cast<std::uint32_t>(index);
}

void ServiceClocks::rise(Slot& slot, std::size_t index, const Entry& entry) {
  while (index > 0 && entry < slot.heap[(index - 1) / 2]) {
    put(slot, index, slot.heap[(index - 1) / 2]);
    index = (index - 1) / 2;
  }
  put(slot, index, entry);
}

void ServiceClocks::sink(Slot& slot, std::size_t index, const Entry& entry) {
  for (std::size_t child; (child = 2 * index + 1) < slot.heap.size(); index = child) {
    if (child + 1 < slot.heap.size() && slot.heap[child + 1] < slot.heap[child]) ++child;
    if (!(slot.heap[child] < entry)) break;
    put(slot, index, slot.heap[child]);
  }
  put(slot, index, entry);
}

/// Puts an entry to `index` or where it belongs from there.
void ServiceClocks::settle(Slot& slot, std::size_t index, const Entry& entry) {
  if (index > 0 && entry < slot.heap[(index - 1) / 2]) {
    rise(slot, index, entry);
  } else {
    sink(slot, index, entry);
  }
}

}  // namespace heddle::network
