#include "platform/route_memory.hpp"

#include <algorithm>

namespace heddle::platform {
namespace {

/// Their routes take some megabytes.
constexpr std::size_t kMostPairs = std::size_t{1} << 16;
constexpr unsigned kFirstBits = 10;
/// Of the parts that memory is taken in.
constexpr std::size_t kStepsAtATime = 4096;

}  // namespace

RouteMemory::RouteMemory(const Platform& platform)
    : platform_(platform), slots_(std::size_t{1} << kFirstBits), shift_(64 - kFirstBits) {}

/// Of a pair that is not at its first place.
const RouteMemory::Step* RouteMemory::search(std::uint64_t pair, Endpoint source,
                                             Endpoint destination) {
  Slot* slot = &slot_of(pair);
  if (slot->pair == pair) {
    in_vain_ = 0;
    return slot->route;
  }
  if (pairs_ == kMostPairs) {
    ++in_vain_;
    return nullptr;
  }
  const Step* const route = store(source, destination);
  if (2 * (pairs_ + 1) > slots_.size()) {
    grow();
    slot = &slot_of(pair);
  }
  ++pairs_;
  *slot = {pair, route};
  return route;
}

/// Where the pair is, or would be.
RouteMemory::Slot& RouteMemory::slot_of(std::uint64_t pair) {
  std::size_t place = place_of(pair);
  while (slots_[place].pair != pair && slots_[place].pair != kNoPair) {
    place = (place + 1) & (slots_.size() - 1);
  }
  return slots_[place];
}

void RouteMemory::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  --shift_;
  for (const Slot& slot : old) {
    if (slot.pair != kNoPair) slot_of(slot.pair) = slot;
  }
}

const RouteMemory::Step* RouteMemory::store(Endpoint source, Endpoint destination) {
  platform_.routes().find_fixed(source, destination, scratch_, fabric_);
  if (steps_.empty() || steps_.back().capacity() - steps_.back().size() < scratch_.size()) {
    steps_.emplace_back().reserve(std::max(kStepsAtATime, scratch_.size()));
  }
  std::vector<Step>& part = steps_.back();
  const std::size_t first = part.size();
  part.insert(part.end(), scratch_.begin(), scratch_.end());
  return &part[first];
}

}  // namespace heddle::platform
