// A rank that is a process of its own: how the simulator and the process take turns.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "processes/channel.hpp"
#include "processes/child.hpp"
#include "processes/idle_threads.hpp"
#include "processes/process_timers.hpp"
#include "processes/remote_memory.hpp"
#include "processes/silent_thread.hpp"

namespace heddle::processes {

/// The processes that may run at a time: those of ranks that go on in the same instant.
class Crew {
 public:
  explicit Crew(std::uint32_t most) : most_(most) {}
  /// Whether one more may run while the simulator does other things.
  bool has_place() const { return most_ > 1 && running_ < most_; }
  void joined() { ++running_; }
  void left() { --running_; }

 private:
  std::uint32_t most_;
  std::uint32_t running_ = 0;
};

class RankProcess;

/// A thread of a process besides its first: what it asks for is done on a fiber of its own.
class ServedThread final : private host::ThreadBody {
 public:
  ServedThread(RankProcess& process, host::Rank& rank, std::uint32_t slot, std::uint32_t number);
  std::uint32_t slot() const { return slot_; }
  bool over() const { return over_; }
  host::Thread& thread() { return thread_; }

 private:
  void run() override;
  void ended() override;

  RankProcess& process_;
  std::uint32_t slot_;
  host::Thread thread_;
  bool over_ = false;
};

/// The process of one rank, as the simulator sees it. Everything happens on fibers of the rank.
class RankProcess final : public SignalledProcess {
 public:
  RankProcess(const ChildConfig& config, Channel& channel, Crew& crew, Time max_step)
      : channel_(channel), crew_(crew), max_step_(max_step), child_(config), memory_(channel) {}
  RankProcess(const RankProcess&) = delete;
  RankProcess& operator=(const RankProcess&) = delete;

  /// The life of the rank: answers the exit status of the process.
  int run();
  /// Does what one thread asks for, again and again, until it has ended.
  void converse(std::uint32_t slot);

  const Child& child() const { return child_; }
  /// As the kernel calls the process that is the rank; the one that was started may have started
  /// it.
  std::uint32_t id() const override { return channel_.process; }
  /// Says which rank it is; answers its memory.
  RemoteMemory& join(host::Rank& rank) {
    rank_ = &rank;
    return memory_;
  }
  /// Of the thread that calls.
  Time processor_time() const;
  /// Sleeps until it is over or a signal is sent; answers what was left then.
  Time sleep(Time duration);
  /// Waits until another thread of the process may have done something, or a timer has sent a
  /// signal, at most to the deadline.
  void wait_for_others(Time deadline);
  /// The thread that calls looks at its memory at this place, again and again.
  void spin(const void* place, bool anew);
  ProcessTimers& timers();
  void signal(const TimerSignal& signal) override;

 private:
  /// Waits until the thread of a slot calls.
  void await(std::uint32_t slot);
  /// One look at a thread that does not call: lets it go on, or time pass, or ends the rank.
  void look_after(std::uint32_t slot, SilentThread& silent);
  void check_stop_and_end();
  /// What the process has started or woken meanwhile, but for the thread of a slot (kSlots: all).
  void settle_others(std::uint32_t slot);
  void settle(const Slot& slot);
  /// Threads that the process has started get somebody to serve them.
  void adopt_started();
  bool others_call(std::uint32_t slot) const;
  void adopt(std::uint32_t slot);
  void block(std::uint32_t slot);
  void answer(std::uint32_t slot);
  void leave_crew(std::uint32_t slot);
  void describe();
  void release(std::uint32_t slot);
  [[noreturn]] void end(const Ending& ending);

  Channel& channel_;
  Crew& crew_;
  Time max_step_;
  Child child_;
  RemoteMemory memory_;
  host::Rank* rank_ = nullptr;
  std::deque<std::unique_ptr<ServedThread>> threads_;
  std::array<host::Thread*, kSlots> servers_{};  ///< By slot; null where there is none.
  std::array<bool, kSlots> blocked_{};           ///< Threads that sleep outside of calls.
  std::array<bool, kSlots> in_crew_{};           ///< Threads that run while the simulator does.
  std::uint32_t numbers_ = 0;                    ///< Of threads.
  IdleThreads idle_;
  bool signalled_ = false;
  std::optional<ProcessTimers> timers_;  ///< Once there was one.
};

}  // namespace heddle::processes
