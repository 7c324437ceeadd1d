// Which algorithm and protocol NCCL takes: an estimate of each, of which the shortest wins.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/nccl/nccl.hpp"

namespace heddle::coll::nccl {

enum class Gpu : std::uint8_t { volta, ampere, hopper, blackwell };

/// GPUs, and what joins them.
struct Cluster {
  std::uint32_t ranks = 8;
  std::uint32_t nodes = 1;
  Gpu gpu = Gpu::hopper;
  std::uint32_t channels = 0;  ///< 0: as many as such nodes have.
  double inside = 0;           ///< GB/s of a channel inside a node; 0: what such nodes have.
  double between = 0;          ///< And between nodes.
  bool amd = false;            ///< Processors of the nodes.
};
/// The same with what such nodes have in place of zeros.
Cluster filled_in(Cluster cluster);

struct Estimate {
  Algorithm algorithm;
  Protocol protocol;
  double microseconds;
};
/// Of all that can carry out the operation there.
std::vector<Estimate> estimates(Operation operation, const Cluster& cluster, std::uint64_t bytes);
/// The shortest; the first of equals.
Estimate choose(Operation operation, const Cluster& cluster, std::uint64_t bytes);

}  // namespace heddle::coll::nccl
