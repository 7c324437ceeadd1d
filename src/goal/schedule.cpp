#include "goal/schedule.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "core/error.hpp"
#include "goal/shown_text.hpp"

namespace heddle::goal {

std::string_view name_of(OpKind kind) {
  constexpr std::string_view kNames[] = {"send", "recv", "calc"};
  return kNames[static_cast<int>(kind)];
}

Op RankView::op(std::uint32_t i) const {
  const PackedOp& p = ops_[i];
  return {p.kind(), value(i), p.peer, p.tag, p.cpu, p.nic};
}

std::vector<std::uint32_t> RankView::in_degrees() const {
  std::vector<std::uint32_t> degrees(size_, 0);
  for (std::uint32_t i = 0; i < size_; ++i) {
    for (const Edge edge : successors(i)) ++degrees[edge.target];
  }
  return degrees;
}

std::uint64_t RankView::edges() const {
  std::uint64_t count = 0;
  for (std::uint32_t i = 0; i < size_; ++i) count += successors(i).size();
  return count;
}

OpPlace RankView::place(std::uint32_t i) const {
  if (schedule_->marks_.empty()) return {};
  const Schedule::Mark& mark = schedule_->marks_[first_ + i];
  return {std::string_view(schedule_->label_chars_).substr(mark.label_begin, mark.label_size),
          mark.line};
}

std::string RankView::label(std::uint32_t i) const {
  const std::string_view given = place(i).label;
  return given.empty() ? fmt::format("l{}", i + 1) : std::string(given);
}

std::string Schedule::describe(std::uint32_t r, std::uint32_t i) const {
  const RankView view = rank(r);
  const Op op = view.op(i);
  std::string text =
      fmt::format("rank {}, {}: {} {}", r, shown_text(view.label(i)), name_of(op.kind), op.value);
  if (op.kind == OpKind::send) text += fmt::format("b to {} tag {}", op.peer, op.tag);
  if (op.kind == OpKind::recv) {
    text += fmt::format("b from {} tag {}", op.peer == kAnySource ? "any" : std::to_string(op.peer),
                        op.tag == kAnyTag ? "any" : std::to_string(op.tag));
  }
  if (const std::uint32_t line = view.place(i).line; line != 0)
    text += fmt::format(" ({}:{})", source_, line);
  return text;
}

ScheduleBuilder::ScheduleBuilder(std::uint32_t ranks, std::string source) {
  schedule_.ranks_ = ranks;
  schedule_.blocks_.resize(ranks);
  schedule_.source_ = std::move(source);
}

void ScheduleBuilder::keep(const RankShare& share) {
  schedule_.first_kept_ = share.begin(ranks());
  schedule_.blocks_ = std::vector<Schedule::Block>(share.end(ranks()) - schedule_.first_kept_);
}

void ScheduleBuilder::reserve(std::uint64_t ops, std::uint64_t edges) {
  schedule_.ops_.reserve(ops);
  schedule_.predecessors_.reserve(ops);
  schedule_.edges_.reserve(edges);
}

void ScheduleBuilder::begin_rank(std::uint32_t rank) {
  rank_ = rank;
  first_ = schedule_.ops_.size();
  first_edge_ = schedule_.edges_.size();
  first_dependency_ = schedule_.dependencies_;
  first_label_ = schedule_.label_chars_.size();
}

/// Takes back what the rank was given.
void ScheduleBuilder::drop_rank() {
  schedule_.ops_.resize(first_);
  schedule_.predecessors_.resize(first_);
  schedule_.edges_.resize(first_edge_);
  schedule_.dependencies_ = first_dependency_;
  schedule_.marks_.resize(std::min<std::size_t>(schedule_.marks_.size(), first_));
  schedule_.label_chars_.resize(first_label_);
  links_.clear();
}

void ScheduleBuilder::end_rank() {
  if (!keeps(rank_)) return drop_rank();
  schedule_.blocks_[rank_ - schedule_.first_kept_] = {first_, first_edge_, size()};
  schedule_.predecessors_.resize(schedule_.ops_.size(), 0);
  if (links_.empty()) return;
  place_edges();
  links_.clear();
}

void ScheduleBuilder::throw_too_many(std::string_view what) const {
  throw InputError({schedule_.source_},
                   fmt::format("rank {} has more than {} {}", rank_, kMostOps, what));
}

ScheduleBuilder::Room ScheduleBuilder::make_room(std::uint32_t ops) {
  if (ops > kMostOps) throw_too_many("operations");
  schedule_.ops_.resize(first_ + ops);
  schedule_.predecessors_.resize(first_ + ops);
  return {schedule_.ops_.data() + first_, schedule_.predecessors_.data() + first_};
}

/// Its place among the edges of the rank.
std::uint32_t ScheduleBuilder::add_list(std::span<const Edge> edges) {
  LargeVector<Edge>& all = schedule_.edges_;
  const std::size_t place = all.size() - first_edge_;
  if (edges.size() > kMostOps - 4 || place > kMostOps - 4 - edges.size())
    throw_too_many("dependencies");
  all.resize(all.size() + 1 + edges.size());
  Edge* const list = all.data() + first_edge_ + place;
  list[0] = {static_cast<std::uint32_t>(edges.size()), 0};
  std::copy(edges.begin(), edges.end(), list + 1);
  return static_cast<std::uint32_t>(place);
}

std::uint32_t ScheduleBuilder::send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag) {
  return add({OpKind::send, bytes, to, tag, 0, 0});
}

std::uint32_t ScheduleBuilder::recv(std::uint64_t bytes, std::uint32_t from, std::uint32_t tag) {
  return add({OpKind::recv, bytes, from, tag, 0, 0});
}

std::uint32_t ScheduleBuilder::calc(std::uint64_t duration, std::uint8_t cpu) {
  return add({OpKind::calc, duration, 0, 0, cpu, 0});
}

void ScheduleBuilder::mark(std::string_view label, std::uint32_t line) {
  schedule_.marks_.resize(schedule_.ops_.size() - 1);
  schedule_.marks_.push_back(
      {schedule_.label_chars_.size(), static_cast<std::uint32_t>(label.size()), line});
  schedule_.label_chars_ += label;
}

void ScheduleBuilder::place_edges() {
  // A stable counting sort by (earlier operation, end before start).
  const std::uint32_t n = size();
  cursors_.assign(2 * std::size_t{n} + 1, 0);
  for (const Link& l : links_)
    ++cursors_[2 * static_cast<std::size_t>(l.earlier) + l.edge.from_start + 1];
  for (std::size_t i = 1; i < cursors_.size(); ++i) cursors_[i] += cursors_[i - 1];
  placed_.resize(links_.size());
  for (const Link& l : links_)
    placed_[cursors_[2 * static_cast<std::size_t>(l.earlier) + l.edge.from_start]++] = l.edge;
  // Each cursor stands at the end of its edges now.
  const std::span<const Edge> placed = placed_;
  std::size_t e = 0;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::size_t end = cursors_[2 * std::size_t{i} + 1];
    const Next waiting = next(i, placed.subspan(e, end - e));
    PackedOp& packed = schedule_.ops_[first_ + i];
    packed.kind_and_flags |= waiting.flags;
    packed.next = waiting.edge;
    e = end;
  }
  schedule_.dependencies_ += placed.size();
  for (const Edge edge : placed) {
    std::uint8_t& count = schedule_.predecessors_[first_ + edge.target];
    if (count != RankView::kMany) ++count;
  }
}

/// Everything of a part but its operations and edges.
void ScheduleBuilder::take_over(Schedule& whole, Schedule& part) {
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

Schedule ScheduleBuilder::join(std::vector<Schedule> parts) {
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

Schedule ScheduleBuilder::finish() {
  if (!schedule_.marks_.empty()) schedule_.marks_.resize(schedule_.ops_.size());
  return std::exchange(schedule_, {});
}

}  // namespace heddle::goal
