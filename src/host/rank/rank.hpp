// A rank: one process of a simulated job.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/address_space.hpp"
#include "core/fiber.hpp"
#include "core/ids.hpp"
#include "host/rank/crash.hpp"
#include "host/rank/hosted_process.hpp"
#include "host/rank/rank_id.hpp"
#include "host/rank/slot.hpp"
#include "host/rank/thread.hpp"

namespace heddle::host {

class Job;
class Program;

/// What a layer above keeps for a rank; destroyed with the rank's process.
class RankExtension {
 public:
  virtual ~RankExtension() = default;
  /// The program has jumped out of a signal handler: calls that were under way will not return.
  virtual void calls_abandoned() {}
  /// The rank's code ran ahead of its turn, which has come: on its fiber, before that goes on.
  virtual void turn_has_come() {}
};

/// One process of the job; made by Job, valid as long as it.
class Rank {
 public:
  Rank(Job& job, Program& program, RankId id, NodeId node, std::uint32_t local);
  ~Rank();
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  Job& job() const { return job_; }
  /// What it runs.
  Program& program() const { return program_; }
  RankId id() const { return id_; }
  NodeId node() const { return node_; }
  std::uint32_t local() const { return local_; }  ///< Its number among the ranks of its node.
  AddressSpace& memory() const { return *memory_; }
  /// Its first thread starts, in this memory.
  void start(FiberScheduler& scheduler, AddressSpace& memory);

  // Time, for the code of calls that the rank makes, in whichever of its threads. A call that looks
  // for something asks its condition, then wait()s or reports that it polled(); who makes a
  // condition true ring()s.

  /// Waits until somebody calls ring(); false if `timeout` passed first. The caller asks its
  /// condition again afterwards, for the ring may have been for something else. The program's
  /// signal handlers run meanwhile, and count as a ring. `reason` completes "rank 3 ...": "waits in
  /// PtlEQWait".
  [[gnu::always_inline]] bool wait(const WaitReason& reason, Time timeout = Time::never()) {
    return thread().wait(reason, timeout);
  }
  /// A call that does not wait has found nothing: lets time pass, `host.poll_cost` or, in a long
  /// row of such calls, a multiple of it (PollPolicy) that ends when the rank is rung. `reason`
  /// completes "rank 3 ...": "polls with PtlEQGet".
  void polled(const WaitReason& reason) { thread().polled(reason); }
  /// Something for this rank has become visible: an event, a counter, data. From any code.
  void ring();
  /// The same for a rank without further threads that waits for nothing but this: it goes on
  /// `delay` later, which does not count as waiting, and nothing can wake it sooner.
  void ring_in(Time delay) { main_.ring_in(delay); }
  /// From then on nothing changes when it goes on that ring() or ring_in() lets go on, nor what it
  /// finds then; what it does then waits for its turn if others may notice (await_turn).
  void may_run_ahead(RunAhead::From from) { main_.may_run_ahead(from); }
  void await_turn() { main_.fiber().lead().await_turn(); }
  /// Has it go on `delay` from now instead; in the instant of ring_in().
  void put_off(Time delay) { main_.put_off(delay); }
  /// Lets its threads look again at what they wait for in calls of ours.
  void wake();
  /// Occupies a core for `duration`, after others that share it and came first.
  void compute(Time duration) { thread().compute(duration); }
  /// Sleeps by the program's own wish; answers what was left when a signal handler ended it.
  Time sleep(Time duration) { return thread().sleep(duration); }
  /// Waits until a signal handler has run.
  void wait_for_signal(const WaitReason& reason) { thread().wait_for_signal(reason); }
  /// What the processor did not do but the program must feel, such as reading the clock.
  void charge(Time cost) { thread().charge(cost); }
  Time now() const { return main_.now(); }
  /// Those of the first thread.
  const RankTimes& times() const { return main_.times(); }
  /// What the rank's clock of processor time shows, of all its threads.
  Time processor_time() const;
  /// A signal is to be handled: ends a wait or a sleep. From any code.
  void interrupt() { main_.interrupt(); }

  // Threads.

  /// The one whose code is running or ran last.
  Thread& thread() const { return *active_; }
  const Thread& first_thread() const { return main_; }
  /// The fiber of the first, which has ended when the rank has.
  Fiber& fiber() const { return main_.fiber(); }
  bool has_threads() const { return !others_.empty(); }
  /// A thread that the program starts, and its end. It must live until then.
  void add(Thread& thread) { others_.push_back(&thread); }
  void remove(Thread& thread);
  /// The one with this id, or null.
  const Thread* find_thread(int id) const;

  /// "rank 3", or "rank 3 of program 2" where several jobs share the machine.
  std::string name() const;
  std::string node_name() const;
  /// Whether its messages travel on the service networks rather than on those for computing.
  bool uses_service_network() const { return service_network_; }
  void use_service_network(bool yes) { service_network_ = yes; }

  /// What it has of its own in the C library, or null if it runs no loaded program.
  HostedProcess* process() const { return process_.get(); }
  /// It runs a loaded program from here on.
  void begin_process(std::unique_ptr<HostedProcess> process);
  /// Ends the rank, on the fiber of one of its threads.
  [[noreturn]] void end(int status);
  /// Ends the rank, on one of its fibers or in a signal handler, and with it the run.
  [[noreturn]] void crash(const Crash& crash);
  /// Ends the rank, on one of its fibers, and the whole job with this status: the run ends with an
  /// AbortError that names `call`, which must be a literal.
  [[noreturn]] void abort_job(const char* call, int status);
  /// The same for a call that went wrong, with what is to be said of it and status 1.
  [[noreturn]] void fail_job(std::string problem);
  /// Whether one of its threads has ended it.
  bool over() const { return ending_ || crashed_; }

  /// Whether it runs the program's code, rather than a call of ours or the writing of its output.
  bool in_own_code() const;
  /// The program jumps out of a signal handler, and out of the call in which that came to run.
  void abandon_calls();

  /// The place of a layer's extension, null until the layer fills it.
  std::unique_ptr<RankExtension>& extension(const Slot& of) { return extensions_[of.number()]; }

  // For its threads.

  /// A thread's code goes on soon: fetches from memory what that needs.
  void foresee() const;
  /// Its life, on the fiber of the first thread.
  void run();
  /// Its turn has come, ahead of which it ran.
  void turn_has_come();
  /// A thread's code goes on next, or has stopped; from the event loop.
  void resumed(Thread& thread);
  void paused();
  /// The thread that ended the rank is gone.
  void ended();
  /// What all threads have done is over.
  void set_end(Time end) { main_.times().end = end; }

 private:
  [[noreturn]] void end_with(const char* call, int status, std::string problem);

  Job& job_;
  Program& program_;
  RankId id_;
  NodeId node_;
  std::uint32_t local_;
  AddressSpace* memory_ = nullptr;
  Thread main_;
  Thread* active_ = &main_;
  std::vector<Thread*> others_;
  std::array<std::unique_ptr<RankExtension>, Slot::kMost> extensions_;
  Time past_processor_time_;  ///< Of threads that are gone.
  std::unique_ptr<HostedProcess> process_;
  bool crashed_ = false;
  bool ending_ = false;
  bool service_network_ = false;
};

/// The rank whose code is running; null outside of ranks. C interfaces need it.
Rank* current_rank();

/// Marks the time a rank spends in a call of ours: its computation up to here is charged (the rank
/// sleeps for it, if computation costs time), and what follows until the end of the call is not.
/// Every call that a program makes to a simulated interface begins with one.
class Call {
 public:
  explicit Call(Rank& rank) : thread_(rank.thread()) { thread_.begin_call(*this); }
  ~Call() { thread_.end_call(*this); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  const Thread& thread() const { return thread_; }
  /// Whether it is not inside of another of its thread.
  bool outermost() const { return thread_.is_outermost(*this); }

 private:
  Thread& thread_;
};

}  // namespace heddle::host
