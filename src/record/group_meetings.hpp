// Which group a thread meets in the call that it makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "record/recording.hpp"

namespace heddle::record {

/// One meeting of each rank. Of threads of one rank that meet others at once, one is forgotten.
class GroupMeetings {
 public:
  void note(Lane lane, std::uint32_t group) {
    if (lane.rank >= met_.size()) met_.resize(std::size_t{lane.rank} + 1);
    met_[lane.rank] = {group + 1, lane.thread};
  }
  /// The number of the group that the thread has met, and 1; 0: none. It is forgotten then.
  std::uint32_t take(Lane lane) {
    if (lane.rank >= met_.size() || met_[lane.rank].second != lane.thread) return 0;
    return std::exchange(met_[lane.rank].first, 0);
  }

 private:
  /// By rank: the number of the group, and 1, and which thread met it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;
};

}  // namespace heddle::record
