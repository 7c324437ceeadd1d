// The processors of the nodes, which ranks and their threads share.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/ids.hpp"
#include "core/time.hpp"
#include "platform/platform.hpp"

namespace heddle::host {

/// Who computes when. Computations take turns: first come, first served, on the core that is free
/// first, without time slices.
class Cores {
 public:
  /// At most `per_rank` threads of a rank compute at a time. The platform must outlive this.
  Cores(const platform::Platform& platform, std::uint32_t per_rank)
      : platform_(platform), per_rank_(per_rank) {}

  /// Who wants to compute.
  struct Member {
    std::uint32_t rank = 0;
    NodeId node{};
    std::size_t on_node = 1;  ///< Ranks there.
    bool has_threads = false;
  };
  /// When a computation of `duration` that a thread of `member` wants to begin at `now` is done.
  Time reserve(const Member& member, Time now, Time duration);
  std::uint32_t per_rank() const { return per_rank_; }
  /// How many times slower than the fastest cores of the machine those of a node are.
  double slowness(NodeId node);

 private:
  /// When each core, or each of a rank's turns, is free.
  using Free = std::vector<Time>;
  Free& cores_of(NodeId node);
  Free& turns_of(std::uint32_t rank);

  const platform::Platform& platform_;
  std::uint32_t per_rank_;
  Speed fastest_;                        ///< Zero until somebody asks.
  std::map<NodeId, Free> cores_;         ///< Of nodes with fewer than ranks may want.
  std::map<std::uint32_t, Free> turns_;  ///< Of ranks with several threads, by their number.
};

}  // namespace heddle::host
