#include "goal/operations.hpp"
#include "goal/schedule_builder.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <fmt/core.h>

namespace heddle::goal {
namespace {

/// Adds a rank's operations and dependencies behind those the builder has for its rank.
void append(ScheduleBuilder& builder, const RankView& rank, std::uint32_t peer_offset) {
  const std::uint32_t base = builder.size();
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    Op op = rank.op(i);
    if (op.kind != OpKind::calc && op.peer != kAnySource) op.peer += peer_offset;
    builder.add(op);
  }
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    for (const Edge edge : rank.successors(i)) {
      if (edge.from_start) {
        builder.requires_start(base + edge.target, base + i);
      } else {
        builder.requires_end(base + edge.target, base + i);
      }
    }
  }
}

/// An operation that ends when the whole of `rank`, standing from `base` on, has.
std::uint32_t end_of(ScheduleBuilder& builder, const RankView& rank, std::uint32_t base) {
  const std::uint32_t end = builder.calc(0);
  for (std::uint32_t i = 0; i < rank.size(); ++i) {
    const auto successors = rank.successors(i);
    if (successors.empty() || successors.front().from_start) builder.requires_end(end, base + i);
  }
  return end;
}

}  // namespace

Schedule side_by_side(std::span<const Schedule* const> parts) {
  std::uint32_t ranks = 0;
  for (const Schedule* part : parts) ranks += part->ranks();
  ScheduleBuilder builder(ranks, "cat");
  std::uint32_t offset = 0;
  for (const Schedule* part : parts) {
    for (std::uint32_t r = 0; r < part->ranks(); ++r) {
      builder.begin_rank(offset + r);
      append(builder, part->rank(r), offset);
      builder.end_rank();
    }
    offset += part->ranks();
  }
  return builder.finish();
}

Schedule one_after_another(std::span<const Schedule* const> parts) {
  std::uint32_t ranks = 0;
  for (const Schedule* part : parts) ranks = std::max(ranks, part->ranks());
  ScheduleBuilder builder(ranks, "cat");
  for (std::uint32_t r = 0; r < ranks; ++r) {
    builder.begin_rank(r);
    std::optional<std::uint32_t> ended;
    for (std::size_t p = 0; p < parts.size(); ++p) {
      if (r >= parts[p]->ranks() || parts[p]->rank(r).size() == 0) continue;
      const RankView rank = parts[p]->rank(r);
      const std::uint32_t base = builder.size();
      append(builder, rank, 0);
      const std::vector<std::uint32_t> degrees = rank.in_degrees();
      for (std::uint32_t i = 0; ended && i < rank.size(); ++i) {
        if (degrees[i] == 0) builder.requires_end(base + i, *ended);
      }
      if (p + 1 < parts.size()) ended = end_of(builder, rank, base);
    }
    builder.end_rank();
  }
  return builder.finish();
}

namespace {

/// What does not fit is the largest number there is.
void add(std::uint64_t& sum, std::uint64_t value) {
  if (__builtin_add_overflow(sum, value, &sum)) sum = std::numeric_limits<std::uint64_t>::max();
}

}  // namespace

ScheduleInfo info_of(const Schedule& schedule) {
  ScheduleInfo info;
  info.ranks = schedule.ranks();
  info.dependencies = schedule.edges();
  info.largest_message = schedule.largest_message();
  info.cpus = schedule.cpus();
  info.nics = schedule.nics();
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    const RankView rank = schedule.rank(r);
    const auto degrees = rank.in_degrees();
    info.roots += static_cast<std::uint64_t>(std::count(degrees.begin(), degrees.end(), 0U));
    std::uint64_t compute = 0;
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      const Op op = rank.op(i);
      info.sends += op.kind == OpKind::send;
      info.receives += op.kind == OpKind::recv;
      info.calcs += op.kind == OpKind::calc;
      info.open_receives += op.kind == OpKind::recv && (op.peer == kAnySource || op.tag == kAnyTag);
      if (op.kind == OpKind::send) add(info.bytes, op.value);
      if (op.kind == OpKind::calc) add(compute, op.value);
    }
    add(info.compute, compute);
    info.longest_compute = std::max(info.longest_compute, compute);
  }
  return info;
}

}  // namespace heddle::goal
