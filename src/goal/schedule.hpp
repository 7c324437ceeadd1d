// A GOAL schedule in memory: what every rank computes, sends and receives, and in which order.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/large_vector.hpp"
#include "goal/op.hpp"

namespace heddle::goal {

/// What is largest in a schedule.
struct Extremes {
  unsigned cpus = 1;  ///< Highest index in use plus one.
  unsigned nics = 1;
  std::uint64_t largest_message = 0;  ///< That is sent, in bytes.
  std::uint64_t longest_calc = 0;     ///< In the schedule's time unit.

  void include(const Op& op) {
    cpus = std::max(cpus, op.cpu + 1U);
    nics = std::max(nics, op.nic + 1U);
    largest_message = std::max(largest_message, op.kind == OpKind::send ? op.value : 0);
    longest_calc = std::max(longest_calc, op.kind == OpKind::calc ? op.value : 0);
  }
  void include(const Extremes& other) {
    cpus = std::max(cpus, other.cpus);
    nics = std::max(nics, other.nics);
    largest_message = std::max(largest_message, other.largest_message);
    longest_calc = std::max(longest_calc, other.longest_calc);
  }
};

/// One operation of a schedule.
struct OpRef {
  std::uint32_t rank;
  std::uint32_t op;
  bool operator==(const OpRef&) const = default;
};

/// Where an operation stands in the file it was read from.
struct OpPlace {
  std::string_view label;  ///< Empty if it has none.
  std::uint32_t line = 0;  ///< 0 if unknown.
};

/// One of `count` nearly equal shares of a schedule's ranks.
struct RankShare {
  std::uint32_t index = 0;
  std::uint32_t count = 1;

  std::uint32_t begin(std::uint32_t ranks) const {
    return static_cast<std::uint32_t>(std::uint64_t{ranks} * index / count);
  }
  std::uint32_t end(std::uint32_t ranks) const {
    return static_cast<std::uint32_t>((std::uint64_t{ranks} * index + ranks) / count);
  }
};

class Schedule;

/// One rank's part of a schedule; valid as long as the schedule.
class RankView {
 public:
  std::uint32_t size() const { return size_; }
  const PackedOp& packed(std::uint32_t i) const { return ops_[i]; }
  const PackedOp* data() const { return ops_; }
  Op op(std::uint32_t i) const;
  std::uint64_t value(std::uint32_t i) const;
  /// What waits for operation `i`: first those that wait for its end, then for its start.
  Successors successors(std::uint32_t i) const { return {ops_[i], i, edges_}; }
  /// How many dependencies it has.
  std::uint64_t edges() const;
  /// What its operations' lists of successors are places in.
  const Edge* edge_data() const { return edges_; }
  /// How many dependencies every operation waits for.
  std::vector<std::uint32_t> in_degrees() const;
  /// The same by operation, of those that wait for kMany and more: kMany.
  const std::uint8_t* predecessors() const { return predecessors_; }
  static constexpr std::uint8_t kMany = UINT8_MAX;
  OpPlace place(std::uint32_t i) const;
  /// The label, or the one that a writer gives it: l1, l2, ...
  std::string label(std::uint32_t i) const;

 private:
  friend class Schedule;
  const Schedule* schedule_ = nullptr;
  const PackedOp* ops_ = nullptr;
  const Edge* edges_ = nullptr;
  const std::uint8_t* predecessors_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint64_t first_ = 0;  ///< Place of the first operation among those of all ranks.
};

/// Immutable once built. Operations of a rank are numbered from 0 in the order they were given.
class Schedule {
 public:
  std::uint32_t ranks() const { return ranks_; }
  RankView rank(std::uint32_t r) const;
  /// Operation 0 of rank `r` among those of all ranks: numbers without gaps, in no special order.
  std::uint64_t first_op(std::uint32_t r) const { return block(r).first_op; }
  std::uint64_t ops() const { return ops_.size(); }
  /// What the lists of successors of its operations are places in.
  const Edge* edge_data(std::uint32_t r) const { return edges_.data() + block(r).first_edge; }
  /// Bytes or duration of one of its operations.
  std::uint64_t value(const PackedOp& op) const {
    const std::uint64_t narrow = op.narrow_value();
    return op.wide() ? wide_[narrow] : narrow;
  }
  std::uint64_t edges() const { return dependencies_; }
  unsigned cpus() const { return extremes_.cpus; }  ///< Highest index in use plus one.
  unsigned nics() const { return extremes_.nics; }
  /// The largest message that is sent, in bytes.
  std::uint64_t largest_message() const { return extremes_.largest_message; }
  /// The longest calc, in the schedule's time unit.
  std::uint64_t longest_calc() const { return extremes_.longest_calc; }
  /// Name of the file it was read from, or of what made it.
  const std::string& source() const { return source_; }
  /// "rank 3, l7 (app.goal:12)": for messages about one operation.
  std::string describe(std::uint32_t rank, std::uint32_t op) const;

 private:
  friend class RankPacker;
  friend class ScheduleJoin;
  friend class RankView;
  struct Block {
    std::uint64_t first_op = 0;
    std::uint64_t first_edge = 0;
    std::uint32_t size = 0;
  };
  struct Mark {
    std::uint64_t label_begin;
    std::uint32_t label_size;
    std::uint32_t line;
  };

  /// That of a rank that is not kept is empty.
  Block block(std::uint32_t rank) const {
    return rank - first_kept_ < blocks_.size() ? blocks_[rank - first_kept_] : Block{};
  }

  std::uint32_t ranks_ = 0;
  std::uint32_t first_kept_ = 0;
  std::vector<Block> blocks_;  ///< By rank, of those that are kept; they may lie in any order.
  LargeVector<PackedOp> ops_;
  LargeVector<Edge> edges_;  ///< Of operations with several: their number, then they.
  LargeVector<std::uint8_t> predecessors_;  ///< By operation: how many, at most RankView::kMany.
  std::uint64_t dependencies_ = 0;
  std::vector<std::uint64_t> wide_;  ///< Values of 2^40 and more.
  std::vector<Mark> marks_;          ///< By operation, or empty.
  std::string label_chars_;
  std::string source_;
  Extremes extremes_;
};

inline RankView Schedule::rank(std::uint32_t r) const {
  RankView view;
  const Block block = this->block(r);
  view.schedule_ = this;
  view.ops_ = ops_.data() + block.first_op;
  view.edges_ = edges_.data() + block.first_edge;
  view.predecessors_ = predecessors_.data() + block.first_op;
  view.size_ = block.size;
  view.first_ = block.first_op;
  return view;
}

inline std::uint64_t RankView::value(std::uint32_t i) const {
  return schedule_->value(ops_[i]);
}

}  // namespace heddle::goal
