// Records what the ranks of a run do, while it runs.
//
// Whoever simulates keeps a pointer to a recorder, null where nobody asked for a report: recording
// costs one test then. Records are packed into a few bytes each, compressed in chunks where they
// are many, and read back forwards or backwards when the run is over: memory does not grow with the
// run.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "record/group_meetings.hpp"
#include "record/record_packer.hpp"
#include "record/recording.hpp"
#include "record/wait_causes.hpp"

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

/// Who or what ended a wait, as Record has it.
struct Waker {
  std::uint32_t thread = 0;
  std::uint64_t step = 0;
};

/// Each record of a thread begins where another ended or later, and is told when it has ended.
class RunRecorder final : public Recording {
 public:
  /// A thread did something other than waiting.
  void span(RankThread who, Activity activity, Time begin, Time end) {
    if (end > begin) put_span(who, activity, begin, end);
  }
  /// A thread has waited; the last `late` of it were overhead. What ended it was the message told
  /// of last for its rank, if that was meanwhile, else `waker`.
  void wait(RankThread who, Time begin, Time end, Time late = Time::zero(), Waker waker = {});
  /// A thread begins, by the doing of another of its rank.
  void started(RankThread who, Time at, std::uint32_t by);
  /// Answers its number.
  std::uint64_t message(const MessageRecord& message);
  /// Is told why waits end.
  WaitCauses& causes() { return causes_; }
  const WaitCauses& causes() const { return causes_; }
  /// `name` must live as long as the recorder.
  void call(RankThread who, const char* name, Time begin, Time end, std::int64_t bytes);
  /// A step of an adapter; answers its number.
  std::uint64_t step(const StepRecord& step);

  /// Bytes carried by links are to be looked at as time goes by.
  void watch_links(std::uint32_t links, LinkSamples::Look look) {
    links_.watch(links, std::move(look));
  }
  /// And what waits for them.
  void watch_waits(WaitSamples::Look look) { waits_.watch(std::move(look)); }
  Groups& groups() { return groups_; }
  using Recording::groups;
  /// In the call that it makes, a thread meets the others of this group: the record of the call
  /// then has the group's number, and 1, as its own. Of threads of one rank that do so at once, one
  /// is forgotten.
  void meets(RankThread who, std::uint32_t group) { met_.note(who, group); }

  /// There are so many ranks, or more.
  void at_least(std::uint32_t ranks) { rank_count_ = std::max(rank_count_, ranks); }
  /// Nothing more will be recorded.
  void finish(Time end);

 private:
  void put_span(RankThread who, Activity activity, Time begin, Time end);
  void put(Kind kind, unsigned detail, std::uint32_t rank, Time begin, Time end);
  /// The same, and which thread.
  void put_of(Kind kind, unsigned detail, RankThread who, Time begin, Time end);
  void put_step(std::uint64_t step) { packer_.number(step == 0 ? 0 : steps_ - step + 1); }
  void end_record() {
    ++records_;
    if (packer_.is_full()) end_chunk();
  }
  void end_chunk();

  RecordPacker packer_;
  Counts chunk_begin_;
  WaitCauses causes_;
  Time latest_;  ///< The latest end of what was done or waited for.
  GroupMeetings met_;
};

/// What software does in its life it does because of a step of adapters that it was told of before.
class Because {
 public:
  Because(RunRecorder* recorder, std::uint64_t step) : recorder_(recorder) {
    if (recorder_ != nullptr) recorder_->causes().because_of(step);
  }
  ~Because() {
    if (recorder_ != nullptr) recorder_->causes().because_of(0);
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
