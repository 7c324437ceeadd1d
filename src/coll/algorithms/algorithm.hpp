// Collective algorithms: what each operation is given, and the lists of ways to do it.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "coll/algorithms/blocks.hpp"
#include "coll/steps/steps.hpp"

namespace heddle::coll {

// What the ranks want done. `MPI_IN_PLACE` is gone already: where an operation works on one buffer,
// a rank's own contribution lies in it.

struct Barrier {};
struct Bcast {
  Buffer data;
  int root = 0;
};
struct Gather {
  Buffer own;     ///< Null address at a root whose block lies in place.
  Blocks blocks;  ///< At the root.
  int root = 0;
};
struct Scatter {
  Blocks blocks;  ///< At the root.
  Buffer own;     ///< Null address at a root whose block stays in place.
  int root = 0;
};
struct Allgather {
  Blocks blocks;  ///< The rank's own one is filled.
};
struct Alltoall {
  Blocks out;
  Blocks in;
};
struct Reduce {
  Buffer data;    ///< Of this rank; at the root it may be the result's own memory.
  Buffer result;  ///< At the root.
  int root = 0;
  bool commutative = true;
};
struct Allreduce {
  Buffer data;  ///< The rank's own, then the result.
  bool commutative = true;
};
struct ReduceScatter {
  Blocks blocks;  ///< Packed or equal: may be the result's own memory.
  Buffer result;  ///< As long as this rank's block.
  bool commutative = true;
};
struct Scan {
  Buffer data;  ///< The rank's own, then the result; of an exclusive one undefined on rank 0.
  bool exclusive = false;
};
/// Among neighbours: out[i] goes to destinations[i], in[i] comes from sources[i]; where these are
/// negative there is nobody.
struct Neighbours {
  std::span<const int> sources;
  std::span<const int> destinations;
  Blocks out;
  Blocks in;
  /// Neighbours come in pairs, below and above in a dimension: what goes up arrives from below,
  /// even where both are the same rank.
  bool cartesian = false;
};

/// Whether the ranks' data may be taken in any order.
template <class Work>
bool commutes(const Work& work) {
  if constexpr (requires { work.commutative; }) return work.commutative;
  return true;
}
/// The elements that the data can be cut between; of no account where ranks have blocks. Those of a
/// broadcast are basic ones, for its ranks may give them in different types.
inline std::int64_t elements_of(const Bcast& work) {
  return work.data.count * work.data.type->signature().elements;
}
inline std::int64_t elements_of(const Reduce& work) {
  return work.data.count;
}
inline std::int64_t elements_of(const Allreduce& work) {
  return work.data.count;
}
template <class Work>
std::int64_t elements_of(const Work&) {
  return std::numeric_limits<std::int64_t>::max();
}

/// What can be chosen besides the algorithm; 0 stands for the algorithm's own choice.
struct Tuning {
  std::int64_t segment = 0;  ///< Bytes of a piece where data is sent in pieces.
  int radix = 0;             ///< Children of a node of a tree, or ranks of a round.
};

/// What an algorithm cannot do without.
enum class Needs : std::uint16_t {
  nothing = 0,
  commutative = 1,    ///< An operation that commutes.
  power_of_two = 2,   ///< A number of ranks.
  even = 4,           ///< A number of ranks.
  two = 8,            ///< Exactly two ranks.
  dense = 16,         ///< Blocks one behind the other: others are copied.
  bytes = 32,         ///< Data that can be cut anywhere: other is packed.
  equal_nodes = 64,   ///< Nodes of equally many consecutive ranks.
  parts = 128,        ///< An element or more for each rank.
  power_parts = 256,  ///< An element or more for each of the largest power of two of ranks.
  halves = 512,       ///< Two elements or more.
};
constexpr Needs operator|(Needs a, Needs b) {
  return static_cast<Needs>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Needs set, Needs one) {
  return (static_cast<unsigned>(set) & static_cast<unsigned>(one)) != 0;
}

/// One way to do a collective operation.
template <class Work>
struct Algorithm {
  std::string_view name;
  std::string_view about;
  void (*run)(Steps&, const Work&, const Tuning&);
  Needs needs = Needs::nothing;
  std::string_view otherwise = {};  ///< What is done where a need is not met.
};

// Each file of algorithms has a namespace of its own: their short names are those of others, too.

std::span<const Algorithm<Barrier>> barrier_algorithms();
std::span<const Algorithm<Bcast>> bcast_algorithms();
std::span<const Algorithm<Gather>> gather_algorithms();
std::span<const Algorithm<Gather>> gatherv_algorithms();
std::span<const Algorithm<Scatter>> scatter_algorithms();
std::span<const Algorithm<Scatter>> scatterv_algorithms();
std::span<const Algorithm<Allgather>> allgather_algorithms();
std::span<const Algorithm<Alltoall>> alltoall_algorithms();
/// For blocks of different lengths and types.
std::span<const Algorithm<Alltoall>> alltoallv_algorithms();
std::span<const Algorithm<Reduce>> reduce_algorithms();
std::span<const Algorithm<Allreduce>> allreduce_algorithms();
std::span<const Algorithm<ReduceScatter>> reduce_scatter_algorithms();
std::span<const Algorithm<Scan>> scan_algorithms();
std::span<const Algorithm<Neighbours>> neighbour_algorithms();

}  // namespace heddle::coll
