#include "coll/steps/places.hpp"

#include <unordered_map>

namespace heddle::coll {

Grouping::Grouping(std::span<const std::uint64_t> keys) {
  std::unordered_map<std::uint64_t, int> numbers;
  std::vector<int> sizes;
  for (const std::uint64_t key : keys) {
    const auto [entry, added] = numbers.try_emplace(key, static_cast<int>(sizes.size()));
    if (added) {
      leaders_.push_back(static_cast<int>(group_.size()));
      sizes.push_back(0);
    }
    if (!group_.empty() && group_.back() != entry->second && !added) in_order_ = false;
    group_.push_back(entry->second);
    position_.push_back(sizes[at(entry->second)]++);
  }
  first_.push_back(0);
  for (const int size : sizes) first_.push_back(first_.back() + size);
  members_.resize(keys.size());
  for (std::size_t r = 0; r < keys.size(); ++r) {
    members_[at(first_[at(group_[r])] + position_[r])] = static_cast<int>(r);
  }
  even_size_ = sizes.empty() ? 0 : sizes[0];
  for (const int size : sizes) {
    if (size != even_size_) even_size_ = 0;
  }
}

const Grouping& Places::made(std::unique_ptr<Grouping>& grouping, const KeyOf& key_of) const {
  if (!grouping) {
    std::vector<std::uint64_t> keys(static_cast<std::size_t>(size_));
    for (int r = 0; r < size_; ++r) keys[static_cast<std::size_t>(r)] = key_of(r);
    grouping = std::make_unique<Grouping>(keys);
  }
  return *grouping;
}

}  // namespace heddle::coll
