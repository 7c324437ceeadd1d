// Writes the operations of ranks as they are stored.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "goal/schedule.hpp"

namespace heddle::goal {

/// One rank after another in any order. A rank whose operations are known with what waits for them
/// is given whole, which is cheaper than to build it of operations and dependencies
/// (ScheduleBuilder).
class RankPacker {
 public:
  /// Of one rank: so many numbers there are.
  static constexpr std::uint32_t kMostOps = (1U << 31) - 1;

  RankPacker(std::uint32_t ranks, std::string source);

  std::uint32_t ranks() const { return schedule_.ranks(); }
  /// Ranks of other shares stay empty, whatever is added to them. To be called before any is begun.
  void keep(const RankShare& share);
  bool keeps(std::uint32_t rank) const {
    return rank - schedule_.first_kept_ < schedule_.blocks_.size();
  }
  /// Room for what is to come, where it is known.
  void reserve(std::uint64_t ops, std::uint64_t edges);

  void begin_rank(std::uint32_t rank);
  /// Whether the rank that was begun is kept.
  bool keeps_rank() const { return keeps(rank_); }
  void end_rank();

  /// Where its operations belong, and how many dependencies each waits for.
  struct Room {
    PackedOp* ops;
    std::uint8_t* predecessors;  ///< At most RankView::kMany.
  };
  /// For so many operations, all those of the rank; valid until the rank ends. Throws InputError
  /// beyond kMostOps.
  Room make_room(std::uint32_t ops);
  /// What waits for an operation, as it is stored with it.
  struct Next {
    std::uint8_t flags = 0;
    Edge edge = {0, 0};
  };
  /// Of operation `op`; what waits for its end comes first. Lists lie in the order of the calls.
  Next next(std::uint32_t op, std::span<const Edge> edges);
  /// The same where one waits for it.
  static Next only(Edge edge) {
    const std::uint8_t started = edge.from_start ? PackedOp::kStartAwaited : 0;
    return {static_cast<std::uint8_t>(PackedOp::kOneSuccessor | started), edge};
  }
  void pack(const Op& op, const Next& next, PackedOp& place);
  /// What `make_room` was for has been filled: with such operations, and so many dependencies.
  void filled(const Extremes& extremes, std::uint64_t dependencies) {
    schedule_.extremes_.include(extremes);
    schedule_.dependencies_ += dependencies;
  }

  /// Adds an operation that nothing waits for yet. Throws InputError beyond kMostOps.
  std::uint32_t append(const Op& op);
  /// Remembers where the last operation added stands in its file.
  void mark(std::string_view label, std::uint32_t line);

  /// Operations of the rank so far.
  std::uint32_t size() const { return static_cast<std::uint32_t>(schedule_.ops_.size() - first_); }
  /// They, and how many dependencies each waits for; valid until one is added.
  Room written();
  /// Operations of all ranks so far.
  std::uint64_t total_ops() const { return schedule_.ops_.size(); }

  /// Hands over the result; the packer is then empty.
  Schedule finish();

 private:
  std::uint32_t add_list(std::span<const Edge> edges);
  void drop_rank();
  std::uint64_t widen(std::uint64_t value) {
    schedule_.wide_.push_back(value);
    return schedule_.wide_.size() - 1;
  }
  [[noreturn]] void throw_too_many(std::string_view what) const;

  Schedule schedule_;
  std::uint64_t first_ = 0;
  std::uint64_t first_edge_ = 0;
  std::uint64_t first_dependency_ = 0;
  std::size_t first_label_ = 0;
  std::uint32_t rank_ = 0;
};

inline void RankPacker::pack(const Op& op, const Next& next, PackedOp& place) {
  const bool wide = op.value >> 40 != 0;
  const std::uint64_t stored = wide ? widen(op.value) : op.value;
  const auto kind_and_flags = static_cast<std::uint8_t>(static_cast<unsigned>(op.kind) |
                                                        next.flags | (wide ? PackedOp::kWide : 0U));
  place = {static_cast<std::uint32_t>(stored),
           static_cast<std::uint8_t>(stored >> 32),
           kind_and_flags,
           op.cpu,
           op.nic,
           op.peer,
           op.tag,
           next.edge};
}

inline std::uint32_t RankPacker::append(const Op& op) {
  const std::uint32_t index = size();
  if (index == kMostOps) throw_too_many("operations");
  schedule_.ops_.emplace_back();
  pack(op, {}, schedule_.ops_.back());
  schedule_.extremes_.include(op);
  return index;
}

inline RankPacker::Next RankPacker::next(std::uint32_t op, std::span<const Edge> edges) {
  if (edges.empty()) return {};
  if (edges.size() == 1) return only(edges[0]);
  const std::uint8_t started = edges.back().from_start ? PackedOp::kStartAwaited : 0;
  if (edges.size() == 2 && NearPair::fits(op, edges[0]) && NearPair::fits(op, edges[1])) {
    const NearPair pair{NearPair::half_of(op, edges[0]), NearPair::half_of(op, edges[1])};
    return {static_cast<std::uint8_t>(PackedOp::kTwoSuccessors | started),
            std::bit_cast<Edge>(pair)};
  }
  if (edges.size() > 2 && NearRun::fits(op, edges)) {
    return {PackedOp::kRun, std::bit_cast<Edge>(NearRun::of(op, edges))};
  }
  return {static_cast<std::uint8_t>(PackedOp::kListed | started), {add_list(edges), 0}};
}

inline RankPacker::Room RankPacker::written() {
  schedule_.predecessors_.resize(schedule_.ops_.size(), 0);
  return {schedule_.ops_.data() + first_, schedule_.predecessors_.data() + first_};
}

}  // namespace heddle::goal
