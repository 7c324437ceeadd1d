#include "mpi/profile.hpp"

#include <algorithm>

namespace heddle::mpi {

CallProfile& Profile::search(const char* name) {
  std::size_t place = 0;
  while (place < calls_.size() && calls_[place].name != name) ++place;
  if (place == calls_.size()) calls_.push_back({name});
  if (place <= UINT8_MAX) recent_[slot_of(name)] = static_cast<std::uint8_t>(place);
  return calls_[place];
}

std::vector<std::pair<std::uint64_t, Volume>> MessageProfile::by_pair() const {
  std::vector<std::pair<std::uint64_t, Volume>> pairs(by_pair_.begin(), by_pair_.end());
  std::ranges::sort(pairs, {}, &std::pair<std::uint64_t, Volume>::first);
  return pairs;
}

}  // namespace heddle::mpi
