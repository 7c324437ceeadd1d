// A whole run in few numbers: by rank, by call, by size of messages, by pair, and by slices of
// time.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/message_profile.hpp"
#include "record/recording.hpp"

namespace heddle::record {

struct RankTotals {
  std::array<Time, kActivities> times{};
  Time end;  ///< Of the last thing it did.
  std::uint64_t sent = 0;
  std::int64_t sent_bytes = 0;
  std::uint64_t received = 0;
  std::int64_t received_bytes = 0;
  Time late_receiver;  ///< Waits of senders for receivers that came after the message.
};

struct CallTotals {
  std::uint64_t calls = 0;
  std::int64_t bytes = 0;
  Time time;
  Time waiting;
  Time longest;
};

/// What a thread did that is not the first of its rank.
struct ThreadTotals {
  std::uint32_t rank = 0;
  std::uint32_t thread = 0;
  std::array<Time, kActivities> times{};
  Time begin = Time::never();
  Time end;
};

/// Operations of adapters, by what was asked of them.
struct Operations {
  std::uint64_t puts = 0;
  std::uint64_t gets = 0;
  std::uint64_t atomics = 0;  ///< With those that fetch.
  std::int64_t bytes = 0;     ///< That travelled, there or back.

  std::uint64_t all() const { return puts + gets + atomics; }
};

/// The n-th call of a collective operation by each member of a group of several.
struct CollectiveRound {
  std::uint16_t name = 0;
  std::uint32_t group = 0;   ///< Its number in the recording.
  std::uint32_t number = 0;  ///< n, from 0.
  std::uint32_t ranks = 0;   ///< That have made it.
  std::int64_t bytes = 0;
  Time first_begin = Time::never();
  Time last_begin = {};
  Time last_end = {};
  std::uint32_t last_rank = 0;  ///< Who came last, of ranks that came at once the first.
};

/// What a row of the timeline did in a slice. Waiting would hide the rest where ranks mostly wait:
/// it is said beside what else was done most.
struct Cell {
  std::uint8_t activity = 0;  ///< Wait only if nothing else was done; kActivities: nothing at all.
  std::uint8_t share = 0;     ///< Of the slice, in 255ths; of what was done at least one.
  std::uint8_t waiting = 0;   ///< The same of waiting.
};

/// Of exact intervals: what a rank did, or a call of it.
struct Interval {
  std::uint32_t rank;
  std::uint16_t what;  ///< An Activity, or the number of a call.
  Time begin;
  Time end;
  std::uint32_t thread = 0;
};

struct OverviewConfig {
  std::uint32_t most_rows = 1024;
  std::uint32_t most_cells = 400'000;
  std::uint32_t most_groups = 128;  ///< Of the matrix, in each direction.
  std::size_t most_intervals = 200'000;
  std::size_t most_messages = 20'000;
  std::size_t most_steps = 600;
  std::size_t most_rounds = 100'000;
  /// Ranks whose intervals are kept first, such as those on the critical path.
  std::vector<std::uint32_t> first_ranks = {};
};

struct Overview {
  std::uint32_t ranks = 0;
  Time end;
  std::vector<RankTotals> by_rank;
  std::vector<CallTotals> by_call;    ///< By number of the name.
  std::vector<ThreadTotals> threads;  ///< Ascending.
  /// Of sizes, class 0: no bytes; k: 2^(k-1) to 2^k - 1. Where adapters' steps were recorded
  /// and no messages of theirs, operations are counted like messages here, in the matrix and by
  /// rank.
  std::array<Volume, 64> by_size{};
  Volume messages;
  Operations operations;

  std::uint32_t group = 1;  ///< Ranks of a row and of a column of the matrix.
  std::uint32_t groups = 0;
  std::vector<Volume> matrix;  ///< By sender's and receiver's group.

  std::uint32_t per_row = 1;  ///< Ranks of a row of the timeline.
  std::uint32_t rows = 0;
  std::uint32_t slices = 0;
  std::vector<Cell> cells;  ///< By row and slice.

  std::vector<std::uint32_t> exact_ranks;  ///< Whose intervals are here, ascending.
  std::vector<Interval> activities;
  std::vector<Interval> calls;
  std::uint32_t every_message = 1;      ///< One of so many is kept.
  std::vector<Record> sampled;          ///< Messages.
  std::vector<Record> steps;            ///< The first.
  std::vector<CollectiveRound> rounds;  ///< In the order in which they began.
  std::uint64_t left_out_rounds = 0;    ///< Calls of those for which there was no room.
};

/// Reads the recording once or twice, forwards.
Overview make_overview(const Recording& recorder, const OverviewConfig& config);

/// Whether a step of adapters is what a message is elsewhere: data on its way between ranks of
/// which nothing above the adapters is recorded.
bool is_message(const Record& step, const Recording& recorder);

}  // namespace heddle::record
