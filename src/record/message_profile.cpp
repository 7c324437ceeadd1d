#include "record/message_profile.hpp"

#include <algorithm>

namespace heddle::record {

std::vector<std::pair<std::uint64_t, Volume>> MessageProfile::by_pair() const {
  std::vector<std::pair<std::uint64_t, Volume>> pairs(by_pair_.begin(), by_pair_.end());
  std::ranges::sort(pairs, {}, &std::pair<std::uint64_t, Volume>::first);
  return pairs;
}

}  // namespace heddle::record
