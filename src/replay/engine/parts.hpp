// Which ranks of a replay are replayed where.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/quantity.hpp"
#include "goal/schedule.hpp"
#include "replay/ids.hpp"

namespace heddle::replay {

/// Consecutive ranks per part.
class Parts {
 public:
  /// Part p has ranks begins[p] up to begins[p + 1].
  explicit Parts(std::vector<RankId> begins) : begins_(std::move(begins)) {}

  std::size_t size() const { return begins_.size() - 1; }
  RankId begin(std::size_t part) const { return begins_[part]; }
  RankId end(std::size_t part) const { return begins_[part + 1]; }
  std::size_t part_of(RankId rank) const {
    return static_cast<std::size_t>(std::upper_bound(begins_.begin(), begins_.end(), rank) -
                                    begins_.begin()) -
           1;
  }

 private:
  std::vector<RankId> begins_;
};

/// Ranks that have to be in one part, with all between them.
struct JoinedRanks {
  RankId first;
  RankId last;
};

/// At most `parts` of about as many operations. A message of more than `rendezvous` bytes joins its
/// ends: the sender learns of the match at once, so both ranks belong to the same part.
Parts cut_into_parts(const goal::Schedule& schedule, std::size_t parts, Bytes rendezvous,
                     std::span<const JoinedRanks> more = {});

/// A cpu and a nic that are used together.
struct Units {
  CpuId cpu;
  NicId nic;
};

/// Which of them a schedule uses.
struct UnitPairs {
  unsigned cpus = 1;
  unsigned nics = 1;
  std::vector<std::uint64_t> used;  ///< Not 0 where a pair is, by cpu x nics + nic.

  static UnitPairs of(const goal::Schedule& schedule, unsigned cpus, unsigned nics);
  static UnitPairs of(const goal::Schedule& schedule) {
    return of(schedule, schedule.cpus(), schedule.nics());
  }
  /// Those in use; cpu 0 with nic 0 is the first.
  std::vector<Units> list() const;
};

}  // namespace heddle::replay
