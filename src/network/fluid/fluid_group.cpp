#include "network/fluid/fluid_group.hpp"

#include <algorithm>

namespace heddle::network {

void FluidGroup::add_other(Entry entry) {
  if (first < entry) std::swap(first, entry);
  others.push_back(entry);
  std::push_heap(others.begin(), others.end());
}

void FluidGroup::take_next() {
  first = others.front();
  std::pop_heap(others.begin(), others.end());
  others.pop_back();
}

// To find a group is a part of every message.

[[gnu::always_inline]] inline std::uint32_t FluidGroups::hash_of(
    const Transfer& transfer, const std::vector<LinkId>& route) const {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = index(transfer.source.node) << 2 | index(transfer.source.port);
  const auto mix = [&hash](std::uint64_t value) { hash = hash * kFactor + value; };
  mix(index(transfer.destination.node) << 2 | index(transfer.destination.port));
  mix(static_cast<std::uint64_t>(transfer.rate_cap.bits_per_second()));
  if (!fixed_routes_) {
    for (const LinkId link : route) mix(index(link));
  }
  return static_cast<std::uint32_t>(hash * kFactor >> 32);
}

[[gnu::always_inline]] inline bool FluidGroups::is_described(
    const FluidGroup& group, const Transfer& transfer, const std::vector<LinkId>& route) const {
  return group.source == transfer.source && group.destination == transfer.destination &&
         group.cap == transfer.rate_cap &&
         (fixed_routes_ ||
          std::equal(group.route.begin(), group.route.end(), route.begin(), route.end()));
}

FluidGroup& FluidGroups::find(const Transfer& transfer, const std::vector<LinkId>& route,
                              std::uint64_t start) {
  const std::uint32_t hash = hash_of(transfer, route);
  for (std::size_t cell = home(hash); cells_[cell].group != 0; cell = next(cell)) {
    if (cells_[cell].hash != hash) continue;
    FluidGroup& group = (*this)[cells_[cell].group - 1];
    if (group.start != start || !is_described(group, transfer, route)) continue;
    if (group.spare && !group.kept) note_return(group);
    return group;
  }
  return make(transfer, hash, start);
}

FluidGroup& FluidGroups::make(const Transfer& transfer, std::uint32_t hash, std::uint64_t start) {
  FluidGroup& group = take();
  group.hash = hash;
  group.kept = keeping_ == KeptGroups::first && keep_more();
  group.source = transfer.source;
  group.destination = transfer.destination;
  group.cap = transfer.rate_cap;
  group.start = start;
  group.known = false;
  insert(group);
  return group;
}

/// Whether one more may be kept.
bool FluidGroups::keep_more() {
  if (kept_ == kMostKept) return false;
  ++kept_;
  return true;
}

/// A group whose record may be taken is found.
void FluidGroups::note_return(FluidGroup& group) {
  if (group.messages == 0) group.kept = keep_more();
}

FluidGroup& FluidGroups::take() {
  while (!free_.empty() && (keeping_ != KeptGroups::repeated || records_ - kept_ >= kFew)) {
    FluidGroup& group = *free_.back();
    free_.pop_back();
    // Many are taken in a row, and all of a group but its `others` is written.
    constexpr std::size_t kWritten = 5;
    if (!free_.empty()) prefetch_lines(free_.back(), kWritten);
    if (!group.spare) return group;
    group.spare = false;
    if (group.kept || group.messages > 0) continue;
    remove(group);
    return group;
  }
  return new_record();
}

FluidGroup& FluidGroups::new_record() {
  if (records_ % kChunk == 0) chunks_.push_back(std::make_unique<FluidGroup[]>(kChunk));
  FluidGroup& group = (*this)[records_];
  group.number = static_cast<std::uint32_t>(records_++);
  if (2 * records_ > cells_.size()) grow();
  return group;
}

void FluidGroups::insert(const FluidGroup& group) {
  std::size_t cell = home(group.hash);
  while (cells_[cell].group != 0) cell = next(cell);
  cells_[cell] = {group.hash, group.number + 1};
}

void FluidGroups::erase(FluidGroup& group) {
  if (keeping_ == KeptGroups::repeated) {
    if (group.spare) return;
    group.spare = true;
  } else {
    remove(group);
  }
  free_.push_back(&group);
}

/// Those after it that are not in their home move up, so that searches still find them.
void FluidGroups::remove(const FluidGroup& group) {
  std::size_t cell = home(group.hash);
  while (cells_[cell].group != group.number + 1) cell = next(cell);
  for (std::size_t other = next(cell); cells_[other].group != 0; other = next(other)) {
    const std::size_t way = (other - home(cells_[other].hash)) & (cells_.size() - 1);
    if (way < ((other - cell) & (cells_.size() - 1))) continue;
    cells_[cell] = cells_[other];
    cell = other;
  }
  cells_[cell] = {};
}

void FluidGroups::grow() {
  std::vector<Cell> old(2 * cells_.size());
  old.swap(cells_);
  for (const Cell& cell : old) {
    if (cell.group != 0) insert((*this)[cell.group - 1]);
  }
}

}  // namespace heddle::network
