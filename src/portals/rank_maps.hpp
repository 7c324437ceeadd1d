// The maps from ranks to processes that programs set.
#pragma once

#include <portals4.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace heddle::portals {

using RankMap = std::span<const ptl_process_t>;

inline std::pair<ptl_nid_t, ptl_pid_t> physical_pair(const ptl_process_t& id) {
  return {id.phys.nid, id.phys.pid};
}

/// Keeps each map once, however many processes set it: a copy for each of n ranks would take n * n
/// places.
class RankMaps {
 public:
  /// The map as it is kept, for the life of this object.
  RankMap keep(RankMap map) {
    auto kept = maps_.find(map);
    if (kept == maps_.end()) kept = maps_.emplace(map.begin(), map.end()).first;
    return *kept;
  }
  std::size_t size() const { return maps_.size(); }

 private:
  struct Before {
    using is_transparent = void;
    bool operator()(RankMap a, RankMap b) const {
      return std::ranges::lexicographical_compare(a, b, {}, physical_pair, physical_pair);
    }
  };
  std::set<std::vector<ptl_process_t>, Before> maps_;
};

}  // namespace heddle::portals
