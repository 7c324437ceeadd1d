// The least loaded of some links.
#pragma once

#include "platform/topology.hpp"

namespace heddle::platform {

/// Where several are, the first of them from number `start` on, round the list.
inline LinkId least_loaded(const LinkSet& links, const LoadView& loads, std::uint64_t start) {
  const std::size_t first = start % links.size();
  LinkId best = links[first];
  std::int64_t least = loads.load(best);
  for (std::size_t i = 1; i < links.size() && least > 0; ++i) {
    const LinkId link = links[(first + i) % links.size()];
    if (const std::int64_t load = loads.load(link); load < least) {
      least = load;
      best = link;
    }
  }
  return best;
}

}  // namespace heddle::platform
