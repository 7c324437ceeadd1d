// Ways one after another, without those that were bad.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "network/packet/path_choice.hpp"
#include "network/packet/path_walk.hpp"

namespace heddle::network {

/// A way that was marked or lost packets is passed over some times. Of the ways that a search
/// passes over, the first has one time less to go.
class PathPenalties {
 public:
  PathPenalties(std::uint32_t paths, std::uint64_t seed) : walk_(paths, seed), of_(paths) {}

  std::uint32_t next() {
    std::uint32_t path = walk_.next();
    if (of_[path] == 0) return path;
    --of_[path];
    for (std::uint32_t tries = 0; of_[path] > 0 && tries < walk_.paths(); ++tries) {
      path = walk_.next();
    }
    return path;
  }
  void heard(std::uint32_t path, PathFate news) {
    of_[path] = static_cast<std::uint8_t>(std::min(of_[path] + penalty(news), kMost));
  }

 private:
  static constexpr int kMost = 15;
  static int penalty(PathFate news) {
    constexpr int kTrimmed = 4;
    switch (news) {
      case PathFate::good:
        return 0;
      case PathFate::marked:
        return 1;
      case PathFate::trimmed:
        return kTrimmed;
      case PathFate::lost:
        break;
    }
    return kMost;
  }

  PathWalk walk_;
  std::vector<std::uint8_t> of_;  ///< How often each is passed over.
};

}  // namespace heddle::network
