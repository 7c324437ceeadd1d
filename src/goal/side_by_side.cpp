#include "goal/side_by_side.hpp"

#include "goal/schedule_builder.hpp"

namespace heddle::goal {
namespace {

/// Behind an operation 0, in which the rank is idle; the first operation is number 1 then.
void write_late(ScheduleBuilder& builder, const RankView& rank, std::uint64_t start,
                std::uint32_t first_rank) {
  builder.calc(start);
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    Op op = rank.op(i);
    if (op.kind != OpKind::calc && op.peer != kAnySource) op.peer += first_rank;
    builder.add(op);
  }
  const std::vector<std::uint32_t> waits_for = rank.in_degrees();
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    if (waits_for[i] == 0) builder.requires_end(i + 1, 0);
    const Successors successors = rank.successors(i);
    for (std::size_t s = 0; s < successors.size(); ++s) {
      const Edge edge = successors[s];
      if (edge.from_start) {
        builder.requires_start(edge.target + 1, i + 1);
      } else {
        builder.requires_end(edge.target + 1, i + 1);
      }
    }
  }
}

}  // namespace

Schedule side_by_side(const std::vector<LateSchedule>& parts) {
  std::uint32_t ranks = 0;
  for (const LateSchedule& part : parts) ranks += part.schedule->ranks();
  ScheduleBuilder builder(ranks, parts.size() == 1 ? parts[0].schedule->source() : "jobs");
  std::uint32_t first = 0;
  for (const LateSchedule& part : parts) {
    for (std::uint32_t r = 0; r < part.schedule->ranks(); ++r) {
      builder.begin_rank(first + r);
      write_late(builder, part.schedule->rank(r), part.start, first);
      builder.end_rank();
    }
    first += part.schedule->ranks();
  }
  return builder.finish();
}

}  // namespace heddle::goal
