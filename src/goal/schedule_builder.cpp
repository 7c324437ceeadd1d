#include "goal/schedule_builder.hpp"

namespace heddle::goal {

void ScheduleBuilder::end_rank() {
  if (!links_.empty() && packer_.keeps_rank()) place_edges();
  links_.clear();
  packer_.end_rank();
}

void ScheduleBuilder::place_edges() {
  // A stable counting sort by (earlier operation, end before start).
  const std::uint32_t n = size();
  cursors_.assign(2 * std::size_t{n} + 1, 0);
  for (const Link& l : links_) {
    ++cursors_[2 * static_cast<std::size_t>(l.earlier) + l.edge.from_start + 1];
  }
  for (std::size_t i = 1; i < cursors_.size(); ++i) cursors_[i] += cursors_[i - 1];
  placed_.resize(links_.size());
  for (const Link& l : links_) {
    placed_[cursors_[2 * static_cast<std::size_t>(l.earlier) + l.edge.from_start]++] = l.edge;
  }
  // Each cursor stands at the end of its edges now.
  const std::span<const Edge> placed = placed_;
  const RankPacker::Room room = packer_.written();
  std::size_t e = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::size_t end = cursors_[2 * std::size_t{i} + 1];
    const RankPacker::Next waiting = packer_.next(i, placed.subspan(e, end - e));
    room.ops[i].kind_and_flags |= waiting.flags;
    room.ops[i].next = waiting.edge;
    e = end;
  }
  packer_.filled({}, placed.size());
  for (const Edge edge : placed) {
    std::uint8_t& count = room.predecessors[edge.target];
    if (count != RankView::kMany) ++count;
  }
}

}  // namespace heddle::goal
