// Files that say how a collective is carried out, as algorithms for schedules of GPUs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "goal/custom/collective_algorithm.hpp"
#include "traces/convert/config.hpp"
#include "traces/readers/msccl_algorithm.hpp"

namespace heddle::traces {

struct CollectiveConfig {
  std::string allreduce, allgather, reduce_scatter, alltoall;  ///< Files; "": none.
  std::optional<Bytes> bytes;  ///< The buffer that files are written for which say sizes.
  TimePerByte reduce_cost;
};
/// Section "collective".
const ParamTable<CollectiveConfig>& collective_table();

/// What a file of an algorithm is.
struct CollectiveFile {
  std::string name;
  std::string format;
  std::optional<goal::CollectiveKind> kind;  ///< Nothing where the file does not say.
  std::uint32_t gpus = 0;
  std::uint32_t channels = 0;
  std::string proved;  ///< In words.
};

/// Reads and proves a file: an algorithm of MSCCL, Chakra's traces (rank 0's file), or a schedule.
/// `kind` is what it is to be. Throws InputError where it is something else, or does not deliver
/// that.
CollectiveFile look_at_collective(const std::string& path, std::optional<goal::CollectiveKind> kind,
                                  std::optional<Bytes> bytes = std::nullopt);

/// The algorithms of all files that are named, read and proved; durations in units of `unit`.
goal::CollectiveAlgorithms load_collectives(const CollectiveConfig& config, Time unit);

/// The schedule of an algorithm for a buffer of so many bytes, in loops where they are many.
goal::Schedule msccl_schedule(const MscclAlgorithm& algorithm, std::uint64_t buffer,
                              const ConvertConfig& config, const std::string& source);

}  // namespace heddle::traces
