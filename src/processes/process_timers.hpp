// The timers of a rank that is a process.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/simulation.hpp"
#include "host/rank/rank.hpp"

namespace heddle::processes {

/// What a timer sends; number 0: nothing.
struct TimerSignal {
  int number = 0;
  std::uint32_t thread = 0;  ///< As the kernel calls it; 0: whichever.
  void* value = nullptr;
};

/// The process that gets it.
class SignalledProcess {
 public:
  /// As the kernel calls it.
  virtual std::uint32_t id() const = 0;
  /// Sends the process a signal, or one of its threads.
  virtual void signal(const TimerSignal& signal) = 0;

 protected:
  ~SignalledProcess() = default;
};

/// One timer. When it expires it sends a signal, counts in a file that the process reads, or lets a
/// thread go on.
class SimulatedTimer {
 public:
  /// `file` is one of the simulator's own, which the timer closes, or -1.
  SimulatedTimer(SignalledProcess& process, host::Rank& rank, TimerSignal signal, int file);
  ~SimulatedTimer();
  SimulatedTimer(const SimulatedTimer&) = delete;
  SimulatedTimer& operator=(const SimulatedTimer&) = delete;

  /// Expires after `first`, and then again and again if there is an interval; never if both are
  /// zero.
  void set(Time first, Time interval);
  /// Waits until it has expired since this was last asked; answers how often, or -1 at its end.
  std::int64_t await();
  /// It never expires any more; answers whether nobody waits for it.
  bool end();

 private:
  void fired();
  void schedule(Time delay);

  SignalledProcess& process_;
  host::Rank& rank_;
  TimerSignal signal_;
  int file_;
  Time interval_;
  std::int64_t expirations_ = 0;
  bool over_ = false;
  host::Thread* waiter_ = nullptr;
  EventSource source_;
  MemberEvent<SimulatedTimer, &SimulatedTimer::fired> expiry_{*this};
};

/// All of a process, by numbers that it keeps.
class ProcessTimers {
 public:
  ProcessTimers(host::Rank& rank, SignalledProcess& process) : rank_(rank), process_(process) {}
  /// `file` is one of the process's own, or -1. Answers its number, or -1 if there is no such file.
  int add(TimerSignal signal, int file);
  /// Null if there is none.
  SimulatedTimer* find(int number);
  void end(int number);

 private:
  host::Rank& rank_;
  SignalledProcess& process_;
  std::vector<std::unique_ptr<SimulatedTimer>> timers_;  ///< Null where one has ended.
};

}  // namespace heddle::processes
