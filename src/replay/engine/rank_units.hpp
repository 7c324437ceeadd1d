// The processors and adapters of ranks: when they are free, and what waits for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "replay/engine/numbering.hpp"
#include "replay/engine/rank_shape.hpp"
#include "replay/engine/rank_table.hpp"
#include "replay/engine/waiting_line.hpp"

namespace heddle::replay {

/// Of ranks `first` and on. What waits for a busy unit stands in the rank's line for it; of each
/// line only the first stands in the engine's queue.
template <class Shape>
class RankUnits {
 public:
  RankUnits(const UnitPairs& units, std::uint32_t first, std::uint32_t count)
      : shape_(units), first_(first), count_(count), table_(count, shape_) {}

  const Shape& shape() const { return shape_; }
  std::uint32_t first() const { return first_; }
  std::uint32_t count() const { return count_; }
  bool here(std::uint32_t rank) const { return rank - first_ < count_; }
  [[gnu::always_inline]] RankState& state(std::uint32_t rank) {
    return table_.state(rank - first_);
  }
  const RankState& state(std::uint32_t rank) const { return table_.state(rank - first_); }
  void prefetch(std::uint32_t rank) const { table_.prefetch(rank - first_); }

  // Until when units are busy.
  [[gnu::always_inline]] std::int64_t& cpu_free(std::uint32_t rank, unsigned cpu) {
    return clocks(rank)[cpu];
  }
  [[gnu::always_inline]] std::int64_t& send_free(std::uint32_t rank, unsigned nic) {
    return clocks(rank)[shape_.cpus() + nic];
  }
  [[gnu::always_inline]] std::int64_t& receive_free(std::uint32_t rank, unsigned nic) {
    return clocks(rank)[shape_.cpus() + shape_.nics() + nic];
  }
  /// When the units are free that a calc or send needs.
  [[gnu::always_inline]] std::int64_t free_for(goal::OpKind kind, std::uint32_t rank,
                                               const goal::PackedOp& op) {
    const std::int64_t cpu = cpu_free(rank, shape_.cpu_of(op));
    const std::int64_t nic = send_free(rank, shape_.nic_of(op));
    return kind == goal::OpKind::send ? std::max(cpu, nic) : cpu;
  }
  /// When those are free that a message needs.
  [[gnu::always_inline]] std::int64_t free_to_handle(std::uint32_t rank, Units units) {
    return std::max(cpu_free(rank, units.cpu), receive_free(rank, units.nic));
  }
  /// When its last processor is done, and when its last adapter.
  std::int64_t processors_done(std::uint32_t rank) const {
    const std::int64_t* const clock = table_.clocks(rank - first_);
    return *std::max_element(clock, clock + shape_.cpus());
  }
  std::int64_t adapters_done(std::uint32_t rank) const {
    const std::int64_t* const clock = table_.clocks(rank - first_) + shape_.cpus();
    return *std::max_element(clock, clock + std::size_t{2} * shape_.nics());
  }

  // Lines.
  /// That of calcs or of sends which an operation of that kind belongs to.
  [[gnu::always_inline]] OpLine& line_for(goal::OpKind kind, std::uint32_t rank,
                                          const goal::PackedOp& op) {
    const std::size_t line =
        kind == goal::OpKind::send ? shape_.cpus() + shape_.pair_of(op) : shape_.cpu_of(op);
    return table_.op_lines(rank - first_)[line];
  }
  /// Stands behind others. Its sequence may be provisional: settle() sees to it if it is `fresh`.
  void wait(OpLine& line, const WaitingOp& op, bool fresh) {
    const std::uint32_t record = line.append(waiting_, op);
    if (fresh) fresh_.push_back(record);
  }
  /// Takes away the first of a line. If there is one behind it, that is the first now: true, and it
  /// is copied to `next`.
  [[gnu::always_inline]] bool advance(OpLine& line, WaitingOp& next) {
    return line.advance(waiting_, next);
  }
  /// Between these two, all lines and the queue seem to be in use: what the first operations of a
  /// rank set free waits until all of those have had their turn.
  void close_lines(std::uint32_t rank) {
    for (OpLine& line : lines(rank)) line.set_first(0);
    ++queued_receives(rank);
  }
  void open_lines(std::uint32_t rank) {
    for (OpLine& line : lines(rank)) line = OpLine();
    --queued_receives(rank);
  }
  /// The first of the messages that wait for a pair of units.
  [[gnu::always_inline]] std::uint32_t& message_line(std::uint32_t rank, std::uint32_t pair) {
    return table_.message_lines(rank - first_)[pair];
  }
  /// How many of its receives stand in the queue.
  [[gnu::always_inline]] std::uint32_t& queued_receives(std::uint32_t rank) {
    return table_.queued_receives(rank - first_);
  }
  /// A window is over: gives what has come to wait its numbers.
  void settle(Numbers& numbers) {
    for (const std::uint32_t record : fresh_) {
      waiting_[record].sequence = numbers.resolve(waiting_[record].sequence);
    }
    fresh_.clear();
  }

 private:
  [[gnu::always_inline]] std::int64_t* clocks(std::uint32_t rank) {
    return table_.clocks(rank - first_);
  }
  std::span<OpLine> lines(std::uint32_t rank) {
    return {table_.op_lines(rank - first_), std::size_t{shape_.cpus()} + shape_.pairs()};
  }

  const Shape shape_;
  const std::uint32_t first_;
  const std::uint32_t count_;
  RankTable<Shape> table_;
  goal::ChunkPool<WaitingOp> waiting_;
  std::vector<std::uint32_t> fresh_;  ///< Records whose sequences may be provisional.
};

}  // namespace heddle::replay
