#include "replay/schedule.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "replay/shown_text.hpp"

namespace heddle::replay {

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
  for (std::uint32_t e = 0; e < edges(); ++e) ++degrees[edges_[e].target];
  return degrees;
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
  schedule_.edges_.reserve(edges);
}

void ScheduleBuilder::begin_rank(std::uint32_t rank) {
  rank_ = rank;
  first_ = schedule_.ops_.size();
  first_edge_ = schedule_.edges_.size();
  first_label_ = schedule_.label_chars_.size();
}

/// Takes back what the rank was given.
void ScheduleBuilder::drop_rank() {
  schedule_.ops_.resize(first_);
  schedule_.edges_.resize(first_edge_);
  schedule_.marks_.resize(std::min<std::size_t>(schedule_.marks_.size(), first_));
  schedule_.label_chars_.resize(first_label_);
  links_.clear();
  awaited_starts_.clear();
}

void ScheduleBuilder::end_rank() {
  if (!keeps(rank_)) return drop_rank();
  schedule_.blocks_[rank_ - schedule_.first_kept_] = {first_, first_edge_, size()};
  if (links_.empty()) return;
  place_edges();
  links_.clear();
  for (const std::uint32_t op : awaited_starts_)
    schedule_.ops_[first_ + op].kind_and_flags |= PackedOp::kStartAwaited;
  awaited_starts_.clear();
}

void ScheduleBuilder::throw_too_many() const {
  throw InputError({schedule_.source_},
                   fmt::format("rank {} has more than {} operations", rank_, kMostOps));
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
  cursors_.assign(2 * static_cast<std::size_t>(n) + 1, 0);
  for (const Link& l : links_)
    ++cursors_[2 * static_cast<std::size_t>(l.earlier) + l.edge.from_start + 1];
  for (std::size_t i = 1; i < cursors_.size(); ++i) cursors_[i] += cursors_[i - 1];
  for (std::uint32_t i = 0; i < n; ++i)
    schedule_.ops_[first_ + i].edges_end = cursors_[2 * static_cast<std::size_t>(i) + 2];
  const std::size_t base = schedule_.edges_.size();
  schedule_.edges_.resize(base + links_.size());
  for (const Link& l : links_) {
    std::uint32_t& cursor = cursors_[2 * static_cast<std::size_t>(l.earlier) + l.edge.from_start];
    schedule_.edges_[base + cursor++] = l.edge;
  }
}

Schedule ScheduleBuilder::finish() {
  if (!schedule_.marks_.empty()) schedule_.marks_.resize(schedule_.ops_.size());
  return std::exchange(schedule_, {});
}

}  // namespace heddle::replay
