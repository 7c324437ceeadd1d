#include <thread>

#include "goal/schedule_builder.hpp"

namespace heddle::goal {

/// Parts of a schedule put together.
class ScheduleJoin {
 public:
  static Schedule join(std::vector<Schedule> parts);

 private:
  static void take_over(Schedule& whole, Schedule& part);
};

/// Everything of a part but its operations and edges.
void ScheduleJoin::take_over(Schedule& whole, Schedule& part) {
  const std::uint64_t wide = whole.wide_.size();
  whole.wide_.insert(whole.wide_.end(), part.wide_.begin(), part.wide_.end());
  if (!part.wide_.empty()) {
    for (PackedOp& op : part.ops_) {
      if (!op.wide()) continue;
      const std::uint64_t place = op.narrow_value() + wide;
      op.value_low = static_cast<std::uint32_t>(place);
      op.value_high = static_cast<std::uint8_t>(place >> 32);
    }
  }
  for (Schedule::Block block : part.blocks_) {
    block.first_op += whole.ops_.size();
    block.first_edge += whole.edges_.size();
    whole.blocks_.push_back(block);
  }
  whole.dependencies_ += part.dependencies_;
  whole.extremes_.include(part.extremes_);
}

Schedule ScheduleJoin::join(std::vector<Schedule> parts) {
  Schedule whole = std::exchange(parts.front(), {});
  std::size_t ops = whole.ops_.size();
  std::size_t edges = whole.edges_.size();
  for (std::size_t p = 1; p < parts.size(); ++p) {
    take_over(whole, parts[p]);
    whole.ops_.resize(whole.ops_.size() + parts[p].ops_.size());
    whole.predecessors_.resize(whole.ops_.size());
    whole.edges_.resize(whole.edges_.size() + parts[p].edges_.size());
  }
  std::vector<std::jthread> threads;
  for (std::size_t p = 1; p < parts.size(); ++p) {
    // A part that has its thread is no longer to be looked at.
    const std::size_t first_op = std::exchange(ops, ops + parts[p].ops_.size());
    const std::size_t first_edge = std::exchange(edges, edges + parts[p].edges_.size());
    threads.emplace_back([&whole, part = &parts[p], first_op, first_edge] {
      std::copy(part->ops_.begin(), part->ops_.end(), whole.ops_.data() + first_op);
      std::copy(part->predecessors_.begin(), part->predecessors_.end(),
                whole.predecessors_.data() + first_op);
      std::copy(part->edges_.begin(), part->edges_.end(), whole.edges_.data() + first_edge);
      *part = {};
    });
  }
  threads.clear();
  return whole;
}

Schedule joined_shares(std::vector<Schedule> parts) {
  return ScheduleJoin::join(std::move(parts));
}

}  // namespace heddle::goal
