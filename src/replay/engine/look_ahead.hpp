// Fetches what the next few events of a replay are going to need.
#pragma once

#include <cstdint>

#include "core/prefetch.hpp"
#include "replay/engine/engine_state.hpp"
#include "replay/engine/queue_entry.hpp"

namespace heddle::replay {

/// Its operation; of a message: the receive that it probably goes with.
template <class State>
[[gnu::always_inline]] inline void prefetch_program(const State& state, const QueueEntry& entry) {
  if (entry.kind == EntryKind::hop) return;
  const RankState& mine = state.units.state(entry.rank);
  if (names_op(entry.kind)) {
    prefetch(&state.programs.packed(mine, entry.op()));
  } else if (mine.posted.head != goal::kNone) {
    prefetch(state.deliveries.address_of(PostingId{mine.posted.head}));
  }
}

/// What waits for the operation.
template <class State>
[[gnu::always_inline]] inline void prefetch_waiting(const State& state, const QueueEntry& entry) {
  if (entry.kind == EntryKind::hop) return;
  const RankState& mine = state.units.state(entry.rank);
  OpId op = entry.op();
  if (!names_op(entry.kind)) {
    if (mine.posted.head == goal::kNone) return;
    op = state.deliveries.op_of(PostingId{mine.posted.head});
    prefetch(&state.programs.packed(mine, op));
  }
  state.programs.prefetch_counts(mine, op);
}

/// First the rank's state, then what that leads to, so that nothing here waits for memory. Where
/// ranks have their turns one after another the processor fetches it unasked.
template <class State>
[[gnu::always_inline]] inline void look_ahead(const State& state) {
  constexpr std::uint32_t kFewRanks = 2048;  // They stay in a cache that is near.
  if (state.units.count() <= kFewRanks) return;
  constexpr std::size_t kState = 3;
  constexpr std::size_t kProgram = 2;
  constexpr std::size_t kWaiting = 1;
  const BucketQueue& entries = state.events.entries();
  if (const BucketQueue::Entry* const packed = entries.ahead(kState)) {
    const QueueEntry entry = QueueEntry::unpack(*packed);
    if (entry.rank == QueueEntry::unpack(packed[-1]).rank + 1) return;
    if (entry.kind == EntryKind::hop) {
      state.wire.prefetch_hop(entry.link_message());
    } else {
      state.units.prefetch(entry.rank);
      if (entry.kind == EntryKind::message) prefetch(&state.deliveries[entry.message()]);
    }
  }
  if (const BucketQueue::Entry* const packed = entries.ahead(kProgram)) {
    prefetch_program(state, QueueEntry::unpack(*packed));
  }
  if (const BucketQueue::Entry* const packed = entries.ahead(kWaiting)) {
    prefetch_waiting(state, QueueEntry::unpack(*packed));
  }
}

}  // namespace heddle::replay
