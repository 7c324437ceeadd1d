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
  bool inner_reduction = false;  ///< Switches inside nodes reduce, so nvls may be chosen.
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

  /// Ranks behind those of the GPUs that stand for the switches inside the nodes, one for each;
  /// none where they do nothing but pass on.
  std::uint32_t switches() const { return is_nvls(algorithm) ? nodes : 0; }
  /// Ranks of the schedule.
  std::uint32_t members() const { return ranks + switches(); }
};
/// Throws InputError for what does not go together.
NcclPlan plan_of(const NcclConfig& config);

/// How many of the last ranks stand for switches, as a comment in front of a schedule's text; "" if
/// none do.
std::string switches_note(const NcclPlan& plan);
/// What such a comment at the beginning of a text says; 0 if there is none.
std::uint32_t noted_switches(std::string_view text);

/// Each channel a processor of a rank; rank r is on node r / ranks_per_node.
Schedule generate_nccl(const NcclPlan& plan, const RankShare& share = {});

}  // namespace heddle::goal
