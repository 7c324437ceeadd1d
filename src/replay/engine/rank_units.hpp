// The processors and adapters of ranks: when they are free, and what waits for them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/windows/numbering.hpp"
#include "replay/engine/rank_shape.hpp"
#include "replay/engine/rank_table.hpp"
#include "replay/engine/waiting_line.hpp"

namespace heddle::replay {

/// Of ranks `first` and on. What waits for a busy unit stands in the rank's line for it; of each
/// line only the first stands in the engine's queue.
template <class Shape>
class RankUnits {
 public:
  RankUnits(const UnitPairs& units, RankId first, std::uint32_t count)
      : shape_(units), first_(first), count_(count), table_(count, shape_) {}

  const Shape& shape() const { return shape_; }
  RankId first() const { return first_; }
  std::uint32_t count() const { return count_; }
  bool here(RankId rank) const { return place(rank) < count_; }
  [[gnu::always_inline]] RankState& state(RankId rank) { return table_.state(place(rank)); }
  const RankState& state(RankId rank) const { return table_.state(place(rank)); }
  void prefetch(RankId rank) const { table_.prefetch(place(rank)); }

  // Until when units are busy.
  [[gnu::always_inline]] Time& cpu_free(RankId rank, CpuId cpu) { return clocks(rank)[index(cpu)]; }
  [[gnu::always_inline]] Time& send_free(RankId rank, NicId nic) {
    return clocks(rank)[shape_.cpus() + index(nic)];
  }
  [[gnu::always_inline]] Time& receive_free(RankId rank, NicId nic) {
    return clocks(rank)[shape_.cpus() + shape_.nics() + index(nic)];
  }
  /// When the units are free that a calc or send needs.
  [[gnu::always_inline]] Time free_for(goal::OpKind kind, RankId rank, const goal::PackedOp& op) {
    const Time cpu = cpu_free(rank, shape_.cpu_of(op));
    const Time nic = send_free(rank, shape_.nic_of(op));
    return kind == goal::OpKind::send ? std::max(cpu, nic) : cpu;
  }
  /// When those are free that a message needs.
  [[gnu::always_inline]] Time free_to_handle(RankId rank, Units units) {
    return std::max(cpu_free(rank, units.cpu), receive_free(rank, units.nic));
  }
  /// When its last processor is done, and when its last adapter.
  Time processors_done(RankId rank) const {
    const Time* const clock = table_.clocks(place(rank));
    return *std::max_element(clock, clock + shape_.cpus());
  }
  Time adapters_done(RankId rank) const {
    const Time* const clock = table_.clocks(place(rank)) + shape_.cpus();
    return *std::max_element(clock, clock + std::size_t{2} * shape_.nics());
  }

  // Lines.
  /// That of calcs or of sends which an operation of that kind belongs to.
  [[gnu::always_inline]] OpLine& line_for(goal::OpKind kind, RankId rank,
                                          const goal::PackedOp& op) {
    const std::size_t line = kind == goal::OpKind::send ? shape_.cpus() + index(shape_.pair_of(op))
                                                        : index(shape_.cpu_of(op));
    return table_.op_lines(place(rank))[line];
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
  void close_lines(RankId rank) {
    for (OpLine& line : lines(rank)) line.set_first(Time::zero());
    ++queued_receives(rank);
  }
  void open_lines(RankId rank) {
    for (OpLine& line : lines(rank)) line = OpLine();
    --queued_receives(rank);
  }
  /// The first of the messages that wait for a pair of units.
  [[gnu::always_inline]] MessageId& message_line(RankId rank, PairId pair) {
    return table_.message_lines(place(rank))[index(pair)];
  }
  /// How many of its receives stand in the queue.
  [[gnu::always_inline]] std::uint32_t& queued_receives(RankId rank) {
    return table_.queued_receives(place(rank));
  }
  /// A window is over: gives what has come to wait its numbers.
  void settle(Numbers& numbers) {
    for (const std::uint32_t record : fresh_) {
      waiting_[record].sequence = numbers.resolve(waiting_[record].sequence);
    }
    fresh_.clear();
  }

 private:
  [[gnu::always_inline]] std::uint32_t place(RankId rank) const { return raw(rank) - raw(first_); }
  [[gnu::always_inline]] Time* clocks(RankId rank) { return table_.clocks(place(rank)); }
  std::span<OpLine> lines(RankId rank) {
    return {table_.op_lines(place(rank)), std::size_t{shape_.cpus()} + shape_.pairs()};
  }

  const Shape shape_;
  const RankId first_;
  const std::uint32_t count_;
  RankTable<Shape> table_;
  goal::ChunkPool<WaitingOp> waiting_;
  std::vector<std::uint32_t> fresh_;  ///< Records whose sequences may be provisional.
};

}  // namespace heddle::replay
