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
  void note(RankThread who, std::uint32_t group) {
    if (who.rank >= met_.size()) met_.resize(std::size_t{who.rank} + 1);
    met_[who.rank] = {group + 1, who.thread};
  }
  /// The number of the group that the thread has met, and 1; 0: none. It is forgotten then.
  std::uint32_t take(RankThread who) {
    if (who.rank >= met_.size() || met_[who.rank].second != who.thread) return 0;
    return std::exchange(met_[who.rank].first, 0);
  }

 private:
  /// By rank: the number of the group, and 1, and which thread met it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;
};

}  // namespace heddle::record
