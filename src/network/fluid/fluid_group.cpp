#include "network/fluid/fluid_group.hpp"

#include <algorithm>

namespace heddle::network {

void FluidNetwork::Group::add(Entry entry) {
  if (users++ == 0) {
    first = entry;
    return;
  }
  if (first < entry) std::swap(first, entry);
  others.push_back(entry);
  std::push_heap(others.begin(), others.end());
}

void FluidNetwork::Group::remove_first() {
  if (--users == 0) return;
  first = others.front();
  std::pop_heap(others.begin(), others.end());
  others.pop_back();
}

std::uint64_t FluidNetwork::GroupTable::hash_of(const Transfer& transfer,
                                                const std::vector<LinkId>& route) const {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
  std::uint64_t hash = index(transfer.source.node) << 2 | index(transfer.source.port);
  const auto mix = [&hash](std::uint64_t value) { hash = hash * kFactor + value; };
  mix(index(transfer.destination.node) << 2 | index(transfer.destination.port));
  mix(static_cast<std::uint64_t>(transfer.rate_cap.bits_per_second()));
  if (!fixed_routes_) {
    for (const LinkId link : route) mix(index(link));
  }
  hash *= kFactor;
  return hash ^ (hash >> 32);
}

FluidNetwork::Group& FluidNetwork::GroupTable::find(const Transfer& transfer,
                                                    const std::vector<LinkId>& route) {
  const std::uint64_t hash = hash_of(transfer, route);
  for (Group* group = chain(hash); group != nullptr; group = group->next) {
    if (group->hash == hash && group->source == transfer.source &&
        group->destination == transfer.destination && group->cap == transfer.rate_cap &&
        (fixed_routes_ || group->route == route)) {
      return *group;
    }
  }
  Group& group = take();
  group.hash = hash;
  group.source = transfer.source;
  group.destination = transfer.destination;
  group.cap = transfer.rate_cap;
  group.known = false;
  insert(group);
  return group;
}

FluidNetwork::Group& FluidNetwork::GroupTable::take() {
  if (free_.empty()) {
    Group& group = records_.emplace_back();
    group.number = static_cast<std::uint32_t>(records_.size() - 1);
    group.kept = fixed_routes_ && kept_ < kMostKept;
    kept_ += group.kept;
    if (records_.size() > chains_.size()) grow();
    return group;
  }
  Group& group = *free_.back();
  free_.pop_back();
  return group;
}

void FluidNetwork::GroupTable::insert(Group& group) {
  Group*& head = chain(group.hash);
  group.next = head;
  head = &group;
}

void FluidNetwork::GroupTable::erase(Group& group) {
  Group** place = &chain(group.hash);
  while (*place != &group) place = &(*place)->next;
  *place = group.next;
  free_.push_back(&group);
}

void FluidNetwork::GroupTable::grow() {
  std::vector<Group*> old(2 * chains_.size());
  old.swap(chains_);
  for (Group* group : old) {
    while (group != nullptr) {
      Group* const next = group->next;
      insert(*group);
      group = next;
    }
  }
}

}  // namespace heddle::network
