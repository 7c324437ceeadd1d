// Records what the ranks of a run do, while it runs.
//
// Whoever simulates keeps a pointer to a recorder, null where nobody asked for a report: recording
// costs one test then. Records are packed into a few bytes each, compressed in chunks where they
// are many, and read back forwards or backwards when the run is over: memory does not grow with the
// run.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "record/chunk_store.hpp"
#include "record/groups.hpp"
#include "record/link_samples.hpp"
#include "record/record.hpp"

namespace heddle::record {

/// A message that has reached the hands of its receiver.
struct MessageRecord {
  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::int64_t bytes = 0;
  Way way = Way::eager;
  Time sent;
  Time met;  ///< Both sides are there.
  Time arrived;
  std::uint32_t thread = 0;  ///< Of the sender.
  std::uint64_t cause = 0;   ///< Of an answer: the number of what it answers.
  bool by_adapters = false;  ///< Whose steps are recorded, too.
};

/// A step of adapters; what the fields mean, Record says.
struct StepRecord {
  std::uint16_t what = 0;
  std::uint64_t operation = 0;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t bytes = 0;
  Time begin;
  Time end;
  std::uint64_t cause = 0;
  Time since;  ///< If there is no cause: when the rank wanted it.
  bool from_memory = false;
  bool to_memory = false;
};

/// A thread of a rank; where a rank has one only, its number does.
struct Lane {
  Lane(std::uint32_t of, std::uint32_t number = 0) : rank(of), thread(number) {}
  std::uint32_t rank;
  std::uint32_t thread;
};

/// Some kinds of records.
class Kinds {
 public:
  constexpr Kinds(std::initializer_list<Kind> kinds) {
    for (const Kind kind : kinds) bits_ |= 1U << static_cast<unsigned>(kind);
  }
  constexpr bool has(Kind kind) const { return (bits_ >> static_cast<unsigned>(kind) & 1U) != 0; }

 private:
  unsigned bits_ = 0;
};

/// Reads the records of a chunk, one after another.
class RecordReader {
 public:
  /// Before the chunk there were so many `messages` and `steps`.
  RecordReader(std::span<const std::byte> chunk, std::uint64_t messages, std::uint64_t steps)
      : at_(chunk.data()), end_(at_ + chunk.size()), messages_(messages), steps_(steps) {}
  /// Answers false when there is none left.
  bool next(Record& record);

 private:
  std::uint64_t number();
  std::int64_t signed_number();
  void rest(Record& record, unsigned detail);
  void rest_of_step(Record& record);
  std::uint64_t step_back();

  const std::byte* at_;
  const std::byte* end_;
  std::uint64_t messages_;
  std::uint64_t steps_;
  std::int64_t last_ = 0;  ///< The end of the record before.
};

/// Each record of a thread begins where another ended or later, and is told when it has ended.
class RunRecorder {
 public:
  RunRecorder();
  RunRecorder(const RunRecorder&) = delete;
  RunRecorder& operator=(const RunRecorder&) = delete;

  /// A thread did something other than waiting.
  void span(Lane lane, Activity activity, Time begin, Time end) {
    if (end > begin) put_span(lane, activity, begin, end);
  }
  /// The wait of a rank that begins now is overhead until its processor is free.
  void busy(std::uint32_t rank, Time until) { state(rank).busy = until; }
  /// What a rank waits for has happened; what happens until it goes on is not the cause.
  void decided(std::uint32_t rank) { state(rank).decided = true; }
  /// Who or what ended a wait, as Record has it.
  struct Waker {
    std::uint32_t thread = 0;
    std::uint64_t step = 0;
  };
  /// A thread has waited; the last `late` of it were overhead. What ended it was the message told
  /// of last for its rank, if that was meanwhile, else `waker`.
  void wait(Lane lane, Time begin, Time end, Time late, Waker waker);
  void wait(Lane lane, Time begin, Time end) { wait(lane, begin, end, Time::zero(), {}); }
  /// A thread begins, by the doing of another of its rank.
  void started(Lane lane, Time at, std::uint32_t by);
  /// Answers its number.
  std::uint64_t message(const MessageRecord& message);
  /// What a rank waits for may have come with this message now.
  void told(std::uint32_t rank, std::uint64_t number, Time now) {
    RankState& s = state(rank);
    if (s.decided) return;
    s.cause = number;
    s.owed = Activity::wait;
    s.caused_at = now;
  }
  /// What a rank waits for may have come now, after it was held up by something that is no message:
  /// then it was not waiting but had such an activity.
  void held_up(std::uint32_t rank, Activity by, Time now) {
    RankState& s = state(rank);
    // Adapters tell why.
    if (s.decided || acting_ != 0) return;
    s.cause = 0;
    s.owed = by;
    s.caused_at = now;
  }
  /// `name` must live as long as the recorder.
  void call(Lane lane, const char* name, Time begin, Time end, std::int64_t bytes);
  /// A step of an adapter; answers its number.
  std::uint64_t step(const StepRecord& step);
  /// What happens from now on happens because of this step; 0: of none.
  void because_of(std::uint64_t step) { acting_ = step; }
  std::uint64_t acting() const { return acting_; }

  /// Bytes carried by links are to be looked at as time goes by.
  void watch_links(std::uint32_t links, LinkSamples::Look look) {
    links_.watch(links, std::move(look));
  }
  const LinkSamples& links() const { return links_; }

  Groups& groups() { return groups_; }
  const Groups& groups() const { return groups_; }
  /// In the call that it makes, a thread meets the others of this group: the record of the call
  /// then has the group's number, and 1, as its own. Of threads of one rank that do so at once, one
  /// is forgotten.
  void meets(Lane lane, std::uint32_t group);

  /// Nothing more will be recorded.
  void finish(Time end);

  // When it is finished:

  /// Of those that have worlds of their own, one alone can be looked at: then its ranks are all
  /// there are, numbered from 0, and its end is the end.
  struct Program {
    std::uint32_t first = 0;
    std::uint32_t ranks = 0;
    Time end;
  };
  void look_at(const Program& program);
  void look_at_all() { program_.reset(); }

  Time end() const { return program_ ? program_->end : end_; }
  std::uint32_t ranks() const {
    return program_ ? program_->ranks : static_cast<std::uint32_t>(ranks_.size());
  }
  void at_least(std::uint32_t ranks) {
    if (ranks_.size() < ranks) ranks_.resize(ranks);
  }
  /// Who did or waited for something last.
  Lane last_active() const { return program_ ? program_last_ : last_active_; }
  const std::vector<std::string>& call_names() const { return names_; }
  std::uint64_t messages() const { return messages_; }
  /// Whether what adapters carried was recorded as messages, too.
  bool knows_adapters_messages() const { return adapters_messages_; }
  /// Whether ranks had more than their first threads.
  bool threads() const { return threads_; }
  std::uint64_t steps() const { return steps_; }
  std::uint64_t records() const { return records_; }
  std::uint64_t kept_bytes() const { return store_.kept_bytes(); }
  /// Calls `f(record)` for each, in the order of recording.
  template <class F>
  void for_each(F f) const {
    std::vector<std::byte> buffer;
    Record record;
    for (std::size_t i = 0; i < store_.chunks(); ++i) {
      for (RecordReader reader = this->reader(i, buffer); reader.next(record);) {
        if (is_looked_at(record)) f(record);
      }
    }
  }
  /// The same from the last to the first, until `f` answers false, without those that are of no
  /// kind in `kinds`.
  template <class F>
  void for_each_backwards(Kinds kinds, F f) const {
    std::vector<std::byte> buffer;
    std::vector<Record> records;
    Record record;
    for (std::size_t i = store_.chunks(); i-- > 0;) {
      records.clear();
      for (RecordReader reader = this->reader(i, buffer); reader.next(record);) {
        if (kinds.has(record.kind) && is_looked_at(record)) records.push_back(record);
      }
      for (std::size_t j = records.size(); j-- > 0;) {
        if (!f(records[j])) return;
      }
    }
  }

 private:
  /// Numbers its ranks as they are looked at.
  bool is_looked_at(Record& record) const {
    if (!program_) return true;
    record.rank -= program_->first;
    record.peer -= program_->first;
    return record.rank < program_->ranks;
  }

  /// Its records fit a cache, packed and unpacked.
  static constexpr std::size_t kChunk = std::size_t{64} << 10;
  static constexpr std::size_t kLongest = 96;  ///< Of one packed record.
  /// What is to be remembered of a rank.
  struct RankState {
    Time busy;
    Time caused_at = Time::ps(-1);
    std::uint64_t cause = 0;
    Activity owed = Activity::wait;
    bool decided = false;
  };

  RankState& state(std::uint32_t rank) {
    if (rank >= ranks_.size()) ranks_.resize(std::size_t{rank} + 1);
    return ranks_[rank];
  }
  void put_span(Lane lane, Activity activity, Time begin, Time end);
  void put(Kind kind, unsigned detail, std::uint32_t rank, Time begin, Time end);
  /// The same, and which thread.
  void put_lane(Kind kind, unsigned detail, Lane lane, Time begin, Time end);
  void put_number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at_++ = static_cast<std::byte>(value | 0x80);
    *at_++ = static_cast<std::byte>(value);
  }
  void put_signed(std::int64_t value) {
    put_number((static_cast<std::uint64_t>(value) << 1) ^ static_cast<std::uint64_t>(value >> 63));
  }
  void end_record() {
    ++records_;
    if (at_ > limit_) end_chunk();
  }
  void put_step(std::uint64_t step) { put_number(step == 0 ? 0 : steps_ - step + 1); }
  void end_chunk();
  std::uint16_t number_of(const char* name);
  std::uint32_t take_met(Lane lane);
  RecordReader reader(std::size_t chunk, std::vector<std::byte>& buffer) const {
    return {store_.read(chunk, buffer), before_[chunk].messages, before_[chunk].steps};
  }

  ChunkStore store_;
  LinkSamples links_;
  std::vector<std::byte> chunk_;
  std::byte* at_;
  std::byte* limit_;
  std::int64_t last_ = 0;  ///< The end of the record before, of this chunk.
  struct Counts {
    std::uint64_t messages = 0;
    std::uint64_t steps = 0;
  };
  Counts chunk_begin_;
  std::vector<Counts> before_;  ///< By chunk: what there was before it.
  std::vector<RankState> ranks_;
  std::vector<std::string> names_;
  std::unordered_map<const char*, std::uint16_t> numbers_;
  const char* last_name_ = nullptr;
  std::uint16_t last_number_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t steps_ = 0;
  std::uint64_t acting_ = 0;
  std::uint64_t records_ = 0;
  Time latest_;  ///< The latest end of what was done or waited for.
  Lane last_active_{0};
  bool threads_ = false;
  bool adapters_messages_ = false;
  Time end_;
  Groups groups_;
  std::vector<bool> together_;  ///< By number of a name: whether groups make such calls together.
  /// By rank: the number of the group met, and 1, by which thread; 0: none.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> met_;
  std::optional<Program> program_;
  Lane program_last_{0};
};

/// What software does in its life it does because of a step of adapters that it was told of before.
class Because {
 public:
  Because(RunRecorder* recorder, std::uint64_t step) : recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->because_of(step);
  }
  ~Because() {
    if (recorder_ != nullptr) recorder_->because_of(0);
  }
  Because(const Because&) = delete;
  Because& operator=(const Because&) = delete;

 private:
  RunRecorder* recorder_;
};

/// The recorder as one of several worlds sees it, whose ranks have numbers of their own.
struct WorldRecorder {
  RunRecorder* recorder = nullptr;
  std::uint32_t first = 0;  ///< The number of its rank 0.
};

}  // namespace heddle::record
