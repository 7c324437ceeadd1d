// Schedules of NCCL's collectives.
#pragma once

#include "coll/nccl/tuning.hpp"
#include "core/params.hpp"
#include "goal/schedule.hpp"

namespace heddle::goal {

/// The name of the pattern.
inline constexpr std::string_view kNccl = "nccl";

struct NcclConfig {
  coll::nccl::Operation operation = coll::nccl::Operation::allreduce;
  /// Not given: what NCCL's own estimates find shortest.
  std::optional<coll::nccl::Algorithm> algorithm;
  std::optional<coll::nccl::Protocol> protocol;
  std::int64_t ranks = 0;
  std::int64_t ranks_per_node = 0;
  Bytes size;  ///< Of the whole buffer: what each has in the end, or had at first.
  std::optional<std::int64_t> channels;
  coll::nccl::Gpu gpu = coll::nccl::Gpu::hopper;
  bool amd = false;
};
/// Section "nccl".
const ParamTable<NcclConfig>& nccl_table();

/// What is carried out: the configuration with nothing left open.
struct NcclPlan {
  coll::nccl::Operation operation;
  coll::nccl::Algorithm algorithm;
  coll::nccl::Protocol protocol;
  std::uint32_t ranks;
  std::uint32_t nodes;
  std::uint32_t channels;
  std::uint64_t bytes;
  coll::nccl::Division division;
};
/// Throws InputError for what does not go together, or has no schedule.
NcclPlan plan_of(const NcclConfig& config);

/// Each channel a processor of a rank; rank r is on node r / ranks_per_node.
Schedule generate_nccl(const NcclPlan& plan, const RankShare& share = {});

}  // namespace heddle::goal
