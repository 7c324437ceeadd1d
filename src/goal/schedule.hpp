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
  friend class ScheduleBuilder;
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

/// Makes a schedule, one rank after another in any order. Generators, readers of files and
/// converters of traces all speak to it.
class ScheduleBuilder {
 public:
  /// Of one rank: so many numbers there are.
  static constexpr std::uint32_t kMostOps = (1U << 31) - 1;

  /// `ranks` is the number of ranks; those that are never begun stay empty.
  explicit ScheduleBuilder(std::uint32_t ranks, std::string source = {});

  std::uint32_t ranks() const { return schedule_.ranks(); }
  /// Ranks of other shares stay empty, whatever is added to them. To be called before any is begun.
  void keep(const RankShare& share);
  bool keeps(std::uint32_t rank) const {
    return rank - schedule_.first_kept_ < schedule_.blocks_.size();
  }
  /// Room for what is to come, where it is known.
  void reserve(std::uint64_t ops, std::uint64_t edges);

  void begin_rank(std::uint32_t rank);
  void end_rank();

  /// Adds an operation to the rank and returns its index there. Throws InputError beyond kMostOps.
  std::uint32_t add(const Op& op);
  std::uint32_t send(std::uint64_t bytes, std::uint32_t to, std::uint32_t tag = 0);
  std::uint32_t recv(std::uint64_t bytes, std::uint32_t from, std::uint32_t tag = 0);
  std::uint32_t calc(std::uint64_t duration, std::uint8_t cpu = 0);
  /// `later` starts only after `earlier` has ended.
  void requires_end(std::uint32_t later, std::uint32_t earlier) { link(later, earlier, false); }
  /// `later` starts only after `earlier` has started.
  void requires_start(std::uint32_t later, std::uint32_t earlier) { link(later, earlier, true); }

  // A rank whose operations are known with what waits for them is given whole, which is cheaper.

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

  /// Remembers where the last operation added stands in its file.
  void mark(std::string_view label, std::uint32_t line);

  /// Operations of the rank so far.
  std::uint32_t size() const { return static_cast<std::uint32_t>(schedule_.ops_.size() - first_); }
  /// Dependencies of the rank so far.
  std::size_t links() const { return links_.size(); }
  /// Calls `visit(later, earlier)` for those from the `first` on.
  template <class Visitor>
  void for_links(std::size_t first, Visitor visit) const {
    for (std::size_t i = first; i < links_.size(); ++i)
      visit(std::uint32_t{links_[i].edge.target}, links_[i].earlier);
  }
  /// Operations of all ranks so far.
  std::uint64_t total_ops() const { return schedule_.ops_.size(); }

  /// Hands over the result; the builder is then empty.
  Schedule finish();
  /// One schedule of several, of which each keeps the share of the ranks that follows the last; a
  /// thread per part copies it. There is no copy of the first if it has room for all.
  static Schedule join(std::vector<Schedule> parts);

 private:
  struct Link {
    std::uint32_t earlier;
    Edge edge;
  };
  void link(std::uint32_t later, std::uint32_t earlier, bool from_start) {
    links_.push_back({earlier, {later, from_start}});
  }
  std::uint32_t add_list(std::span<const Edge> edges);
  void place_edges();
  void drop_rank();
  static void take_over(Schedule& whole, Schedule& part);
  std::uint64_t widen(std::uint64_t value) {
    schedule_.wide_.push_back(value);
    return schedule_.wide_.size() - 1;
  }
  [[noreturn]] void throw_too_many(std::string_view what) const;

  Schedule schedule_;
  std::vector<Link> links_;             ///< Of the rank being built, in the order given.
  std::vector<std::uint32_t> cursors_;  ///< Scratch for placing the edges.
  std::vector<Edge> placed_;            ///< The same.
  std::uint64_t first_ = 0;
  std::uint64_t first_edge_ = 0;
  std::uint64_t first_dependency_ = 0;
  std::size_t first_label_ = 0;
  std::uint32_t rank_ = 0;
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

inline void ScheduleBuilder::pack(const Op& op, const Next& next, PackedOp& place) {
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

inline std::uint32_t ScheduleBuilder::add(const Op& op) {
  const std::uint32_t index = size();
  if (index == kMostOps) throw_too_many("operations");
  schedule_.ops_.emplace_back();
  pack(op, {}, schedule_.ops_.back());
  schedule_.extremes_.include(op);
  return index;
}

inline ScheduleBuilder::Next ScheduleBuilder::next(std::uint32_t op, std::span<const Edge> edges) {
  if (edges.empty()) return {};
  if (edges.size() == 1) return only(edges[0]);
  const std::uint8_t started = edges.back().from_start ? PackedOp::kStartAwaited : 0;
  if (edges.size() == 2 && NearPair::fits(op, edges[0]) && NearPair::fits(op, edges[1])) {
    const NearPair pair{NearPair::half_of(op, edges[0]), NearPair::half_of(op, edges[1])};
    return {static_cast<std::uint8_t>(PackedOp::kTwoSuccessors | started),
            std::bit_cast<Edge>(pair)};
  }
  if (edges.size() > 2 && NearRun::fits(op, edges))
    return {PackedOp::kRun, std::bit_cast<Edge>(NearRun::of(op, edges))};
  return {static_cast<std::uint8_t>(PackedOp::kListed | started), {add_list(edges), 0}};
}

}  // namespace heddle::goal
