#include "goal/nccl/nccl_pattern.hpp"

#include "goal/nccl/nccl_channel.hpp"
#include "goal/patterns/room.hpp"

namespace heddle::goal {
namespace {

using coll::nccl::Algorithm;
using coll::nccl::Operation;

void write_channel(NcclChannel& channel) {
  if (channel.bytes() == 0) return;
  const Operation operation = channel.plan().operation;
  switch (channel.plan().algorithm) {
    case Algorithm::tree:
      return write_tree(channel);
    case Algorithm::pat:
      return write_pat(channel);
    case Algorithm::nvls:
    case Algorithm::nvls_tree:
      return write_nvls(channel);
    case Algorithm::ring:
      return operation == Operation::broadcast || operation == Operation::reduce
                 ? write_chain(channel)
                 : write_ring(channel);
  }
}

void write_rank(const NcclPlan& plan, ScheduleBuilder& builder, std::uint32_t rank) {
  builder.begin_rank(rank);
  for (std::uint32_t number = 0; number < plan.channels; ++number) {
    NcclChannel channel(plan, builder, rank, number);
    write_channel(channel);
  }
  builder.end_rank();
}

/// Of all members, judged by one of each kind.
double operations_of(const NcclPlan& plan) {
  ScheduleBuilder one(plan.members());
  write_rank(plan, one, 0);
  const auto of_gpus = static_cast<double>(one.total_ops()) * plan.ranks;
  if (plan.switches() == 0) return of_gpus;
  const std::uint64_t before = one.total_ops();
  write_rank(plan, one, plan.ranks);
  return of_gpus + static_cast<double>(one.total_ops() - before) * plan.switches();
}

}  // namespace

Schedule generate_nccl(const NcclPlan& plan, const RankShare& share) {
  const std::uint32_t members = plan.members();
  require_room(kNccl, members, operations_of(plan));
  ScheduleBuilder builder(members, std::string(kNccl));
  builder.keep(share);
  for (std::uint32_t r = share.begin(members); r < share.end(members); ++r) {
    write_rank(plan, builder, r);
  }
  return builder.finish();
}

}  // namespace heddle::goal
