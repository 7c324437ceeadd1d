// The processors of the nodes, which ranks and their threads share.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/ids.hpp"
#include "core/time.hpp"
#include "platform/platform.hpp"

namespace heddle::host {

class Rank;

/// Who computes when. Computations take turns: first come, first served, on the core that is free
/// first, without time slices.
class Cores {
 public:
  /// At most `per_rank` threads of a rank compute at a time. The platform must outlive this.
  Cores(const platform::Platform& platform, std::uint32_t per_rank)
      : platform_(platform), per_rank_(per_rank) {}

  /// When a computation of `duration` that a thread of `rank` wants to begin at `now` is done.
  Time reserve(const Rank& rank, Time now, Time duration);
  std::uint32_t per_rank() const { return per_rank_; }

 private:
  /// When each core, or each of a rank's turns, is free.
  using Free = std::vector<Time>;
  Free& cores_of(NodeId node);
  Free& turns_of(const Rank& rank);

  const platform::Platform& platform_;
  std::uint32_t per_rank_;
  std::map<NodeId, Free> cores_;         ///< Of nodes with fewer than ranks may want.
  std::map<std::uint32_t, Free> turns_;  ///< Of ranks with several threads, by their number.
};

}  // namespace heddle::host
