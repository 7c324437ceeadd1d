// A thread of a process that runs, and does not call.
#pragma once

#include "core/time.hpp"
#include "host/rank/rank.hpp"
#include "processes/channel.hpp"

namespace heddle::processes {

/// In real time: how long the simulator sleeps before it looks again what has become of a process.
inline constexpr Time kNapTime = Time::ms(10);

/// How it has been found, from look to look, until it calls. It may compute, or wait for something
/// in its memory: it is asked where it is.
class SilentThread {
 public:
  /// `max_step` is the real time without a call that ends the run; zero: any.
  SilentThread(host::Rank& rank, const Channel& channel, const Slot& slot, Time max_step)
      : rank_(rank), channel_(channel), slot_(slot), max_step_(max_step) {}

  /// It could run, and does unless it is `held` by the system.
  void could_run(bool held);
  /// It sleeps, outside of calls; whether for too long.
  bool oversleeps();

 private:
  void ask();
  void tell_use(Time stretch);

  host::Rank& rank_;
  const Channel& channel_;
  const Slot& slot_;
  Time max_step_;
  Time asleep_since_ = Time::never();  ///< In real time.
  std::int64_t running_ = 0;           ///< Looks in a row that found it running.
  Time asked_;                         ///< When it was last asked; zero: never.
  Time used_;                          ///< Its processor time then.
};

}  // namespace heddle::processes
