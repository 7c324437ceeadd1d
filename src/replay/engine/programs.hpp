// The operations of ranks, and how much each of them still waits for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/prefetch.hpp"
#include "core/quantity.hpp"
#include "goal/schedule.hpp"
#include "replay/engine/freed_ops.hpp"
#include "replay/engine/rank_table.hpp"
#include "replay/engine/waiting_counts.hpp"
#include "replay/ids.hpp"
#include "replay/result.hpp"

namespace heddle::replay {

/// An operation of a rank, and where it is stored.
struct RankOp {
  RankId rank;
  OpId op;
  const goal::PackedOp& packed;
};

/// Of ranks `first` to before `last` of a schedule. Operations are numbered as they lie in memory;
/// a rank's state knows the number of its first.
class Programs {
 public:
  Programs(const goal::Schedule& schedule, RankId first, RankId last);

  /// How many numbers there are.
  std::size_t numbers() const { return numbers_; }
  /// The number of a rank's first operation, if it has any.
  OpNumber first_of(RankId rank) const;
  static OpNumber number_of(const RankState& rank, OpId op) { return rank.first + op; }
  const goal::PackedOp& packed(const RankState& rank, OpId op) const {
    return first_op_[raw(number_of(rank, op))];
  }
  /// Of a send.
  Bytes size(const goal::PackedOp& op) const {
    return Bytes(static_cast<std::int64_t>(schedule_.value(op)));
  }
  /// Of a calc, in the schedule's time unit.
  std::uint64_t duration(const goal::PackedOp& op) const { return schedule_.value(op); }

  /// Fills `roots` with the operations of a rank that wait for nothing.
  void find_roots(RankId rank, const RankState& state, std::vector<OpId>& roots) const;
  /// An operation has started, or ended: adds to `freed` what waits for nothing else. Calls
  /// `note(number)` for everything that waited for that.
  template <class Note>
  void set_free(RankOp op, const RankState& state, bool started, FreedOps& freed, Note note) {
    const auto edges = [&] { return schedule_.edge_data(raw(op.rank)); };
    const auto visit = [&](goal::Edge edge) __attribute__((always_inline)) {
      const OpId waiting{edge.target};
      const OpNumber number = number_of(state, waiting);
      note(number);
      if (waiting_for_.take(number)) freed.add(packed(state, waiting).kind(), waiting);
    };
    if (!op.packed.start_awaited()) return for_successors(op.packed, raw(op.op), edges, visit);
    for_successors(op.packed, raw(op.op), edges, [&](goal::Edge edge) {
      if (edge.from_start == started) visit(edge);
    });
  }

  /// How many have ended.
  std::uint64_t ended() const { return ended_; }
  void count_end() { ++ended_; }
  /// Adds the operations of a rank that still wait.
  void add_waiting(RankId rank, const RankState& state, std::vector<goal::OpRef>& waiting) const;

  /// What waits for the operation is soon counted.
  void prefetch_counts(const RankState& rank, OpId op) const {
    prefetch(waiting_for_.address_of(number_of(rank, op)));
  }

 private:
  void count_predecessors(RankId first, RankId last, const std::uint8_t* predecessors);

  const goal::Schedule& schedule_;
  const goal::PackedOp* first_op_ = nullptr;
  std::uint64_t ops_ = 0;  ///< How many there are.
  std::size_t numbers_ = 0;
  WaitingCounts waiting_for_;  ///< By number.
  std::uint64_t ended_ = 0;
};

}  // namespace heddle::replay
