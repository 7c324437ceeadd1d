// Where the simulated time of a thread has gone.
#pragma once

#include "core/time.hpp"
#include "record/run_recorder.hpp"

namespace heddle::host {

class ThreadSite;

/// Where the simulated time of a thread has gone; what is left of its life went into calls.
struct RankTimes {
  Time computing;
  Time waiting;   ///< For something to happen, polls in vain included.
  Time polling;   ///< Polls in vain alone.
  Time sleeping;  ///< By its own wish.
  Time end;       ///< When it ended.
};

/// Adds up what a thread says that it has done from some instant until now, and tells the recorder
/// of the run, if it has one.
class ThreadAccount {
 public:
  explicit ThreadAccount(const ThreadSite& site) : site_(site) {}

  /// Its life begins now, because of what another thread does, or none.
  void begin(const ThreadSite* by);
  /// It was over then.
  void end(Time end) { times_.end = end; }
  const RankTimes& times() const { return times_; }
  /// What its clock of processor time shows: sleeping and waiting do not count, polling does.
  Time processor_time() const;

  /// It has waited since `begin`, until it was woken; it goes on so much later than that.
  void waited(Time begin, Time late = Time::zero());
  /// The same for something that no account is kept of.
  void stood(Time begin);
  /// It has looked for something in vain.
  void polled(Time begin);
  void slept(Time begin);
  /// It has computed for `duration`, and waited for a core before.
  void computed(Time begin, Time duration);
  /// Its core was interrupted for so long.
  void held_up(Time duration);
  /// Its core has done what programs must feel.
  void charged(Time begin);
  /// Of its last wait, its processor was busy for so long.
  void worked(Time duration) { times_.waiting -= duration; }

  /// Nobody has woken it yet.
  void expect_waker() { waker_ = {}; }
  /// A thread of the same rank ends what it waits for.
  void woken_by(const ThreadSite* other);
  /// It is woken by what happens now.
  void note_waker();

 private:
  record::RunRecorder* recorder() const;
  void record(record::Activity activity, Time begin, Time end) const;

  const ThreadSite& site_;
  Time begin_;
  RankTimes times_;
  record::Waker waker_;  ///< Who woke it last; for the recording.
};

}  // namespace heddle::host
