#include "network/fluid/fluid_group.hpp"

namespace heddle::network {

std::uint64_t FluidNetwork::GroupTable::hash_of(const Transfer& transfer,
                                                const std::vector<LinkId>& route) {
  constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
  const auto mix = [](std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * kFactor;
    return hash ^ (hash >> 32);
  };
  std::uint64_t hash =
      mix(index(transfer.source.node) << 2 | index(transfer.source.port),
          index(transfer.destination.node) << 2 | index(transfer.destination.port));
  hash = mix(hash, static_cast<std::uint64_t>(transfer.rate_cap.bits_per_second()));
  for (const LinkId link : route) hash = mix(hash, index(link));
  return hash;
}

FluidNetwork::Group* FluidNetwork::GroupTable::find(const Transfer& transfer,
                                                    const std::vector<LinkId>& route) {
  const std::uint64_t hash = hash_of(transfer, route);
  std::uint32_t number = chain(hash);
  for (; number != Group::kNone; number = records_[number].next) {
    Group& group = records_[number];
    if (group.hash == hash && group.source == transfer.source &&
        group.destination == transfer.destination && group.cap == transfer.rate_cap &&
        group.route == route) {
      return &group;
    }
  }
  return nullptr;
}

FluidNetwork::Group& FluidNetwork::GroupTable::insert(const Transfer& transfer,
                                                      const std::vector<LinkId>& route) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(records_.size()));
    records_.emplace_back();
    if (records_.size() > chains_.size()) grow();
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  Group& group = records_[number];
  group.number = number;
  group.hash = hash_of(transfer, route);
  group.source = transfer.source;
  group.destination = transfer.destination;
  group.cap = transfer.rate_cap;
  group.route = route;
  std::uint32_t& head = chain(group.hash);
  group.next = head;
  head = number;
  return group;
}

void FluidNetwork::GroupTable::erase(Group& group) {
  std::uint32_t* place = &chain(group.hash);
  while (*place != group.number) place = &records_[*place].next;
  *place = group.next;
  free_.push_back(group.number);
}

void FluidNetwork::GroupTable::grow() {
  std::vector<std::uint32_t> old(2 * chains_.size(), Group::kNone);
  old.swap(chains_);
  for (std::uint32_t number : old) {
    while (number != Group::kNone) {
      Group& group = records_[number];
      const std::uint32_t next = group.next;
      std::uint32_t& head = chain(group.hash);
      group.next = head;
      head = number;
      number = next;
    }
  }
}

}  // namespace heddle::network
