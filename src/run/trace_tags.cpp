#include "run/trace_tags.hpp"

#include "mpi/engine/message_queues.hpp"

namespace heddle::run {
namespace {

/// Of traffic that is not point to point on MPI_COMM_WORLD; high enough for programs' own.
constexpr std::int32_t kFirstOtherTag = 500'000;

}  // namespace

std::int32_t TraceTags::of(std::uint32_t context, int tag) {
  // Communicator 0 is MPI_COMM_WORLD.
  if (context == static_cast<std::uint32_t>(mpi::Traffic::point_to_point) && tag < kFirstOtherTag) {
    return tag;
  }
  // The same in runs of other sizes, as far as there is room.
  constexpr std::int32_t kTags = 1000;
  constexpr std::int32_t kContexts = 400;
  if (context < kContexts && tag >= 0 && tag < kTags) {
    return kFirstOtherTag + static_cast<std::int32_t>(context) * kTags + tag;
  }
  const auto next = static_cast<std::int32_t>(kFirstOtherTag + kContexts * kTags + others_.size());
  return others_.try_emplace({context, tag}, next).first->second;
}

}  // namespace heddle::run
