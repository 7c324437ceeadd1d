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
  if (const std::uint32_t line = view.place(i).line; line != 0) {
    text += fmt::format(" ({}:{})", source_, line);
  }
  return text;
}

}  // namespace heddle::goal
