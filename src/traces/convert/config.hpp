// How traces become schedules: parameters, and what came of it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "core/params.hpp"
#include "goal/custom/collective_algorithm.hpp"

namespace heddle::traces {

/// Ways to carry out collective operations; each operation accepts some of them.
enum class Algorithm : std::uint8_t {
  binary,
  binomial,
  bruck,
  dissemination,
  linear,
  pairwise,
  rabenseifner,
  recursive_doubling,
  ring,
};

struct ConvertConfig {
  Time unit;                   ///< What 1 means in the schedule's calc.
  double compute_scale;        ///< Factor on time between calls.
  Speed speed;                 ///< For traces that count flops.
  Bandwidth memory_bandwidth;  ///< For those that count the bytes of operands, too.
  bool pinning = false;
  Time pin_fixed;
  TimePerByte pin_per_byte;
  bool durations = false;
  Time message_cost;      ///< Taken off durations, per message sent or received.
  TimePerByte byte_cost;  ///< The same, per byte.
  TimePerByte reduce_cost;
  std::optional<Bytes> element;  ///< Of datatypes whose size a trace does not give.
  Algorithm barrier, bcast, reduce, allreduce, gather, gatherv, scatter, scatterv, allgather,
      alltoall, scan, reduce_scatter;
  Bytes buffer;                       ///< Of a collective whose file says how, not how much.
  std::optional<std::int64_t> ranks;  ///< Where a file does not say how many there are.
  /// Taken for the collectives of GPUs that they fit; null: there are none.
  const goal::CollectiveAlgorithms* collectives = nullptr;
};
/// Section "convert".
const ParamTable<ConvertConfig>& convert_table();

struct ConversionReport {
  std::uint64_t calls = 0;
  std::uint64_t collectives = 0;  ///< Calls of collective operations, counted on every rank.
  std::uint32_t communicators = 0;
  std::map<std::string, std::uint64_t> warnings;  ///< What to check before trusting, how often.

  void warn(const std::string& text, std::uint64_t times = 1) {
    if (times > 0) warnings[text] += times;
  }
};

}  // namespace heddle::traces
