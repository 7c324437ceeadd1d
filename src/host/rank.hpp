// A rank: one process of a simulated job.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "core/fiber.hpp"
#include "core/ids.hpp"
#include "host/address_space.hpp"
#include "host/crash.hpp"

namespace heddle::host {

enum class RankId : std::uint32_t {};

class Job;
class Process;
class Call;
class HostedProgram;

/// What a layer above keeps for a rank; destroyed with the rank's process.
class RankExtension {
 public:
  virtual ~RankExtension() = default;
  /// The program has jumped out of a signal handler: calls that were under way will not return.
  virtual void calls_abandoned() {}
};
/// Which layer an extension belongs to.
enum class Layer : std::uint8_t { portals, mpi, shmem };
inline constexpr std::size_t kLayers = 3;

/// Where the simulated time of a rank has gone; what is left of its life went into calls.
struct RankTimes {
  Time computing;
  Time waiting;   ///< For something to happen, polls in vain included.
  Time polling;   ///< Polls in vain alone.
  Time sleeping;  ///< By its own wish.
  Time end;       ///< When it ended.
};

/// One process of the job; made by Job, valid as long as it.
class Rank final : private FiberTask {
 public:
  Rank(Job& job, RankId id, NodeId node, std::uint32_t local);
  ~Rank();
  Rank(const Rank&) = delete;
  Rank& operator=(const Rank&) = delete;

  Job& job() const { return job_; }
  RankId id() const { return id_; }
  NodeId node() const { return node_; }
  std::uint32_t local() const { return local_; }  ///< Its number among the ranks of its node.
  Fiber& fiber() const { return *fiber_; }
  AddressSpace& memory() const { return *memory_; }

  // Time, for the code of calls that the rank makes. A call that looks for something asks its
  // condition, then wait()s or reports that it polled(); who makes a condition true ring()s.

  /// Waits until somebody calls ring(); false if `timeout` passed first. The caller asks its
  /// condition again afterwards, for the ring may have been for something else. The program's
  /// signal handlers run meanwhile, and count as a ring. `reason` completes "rank 3 ...": "waits in
  /// PtlEQWait".
  bool wait(const WaitReason& reason, Time timeout = Time::never());
  /// A call that does not wait has found nothing: lets time pass. That is `host.poll_cost`, or
  /// more if the rank has polled in vain for long already (1/64 of that time, so that no count of
  /// polls takes for ever), but ends when the rank is rung. `reason` completes "rank 3 ...": "polls
  /// with PtlEQGet".
  void polled(const WaitReason& reason);
  /// Something for this rank has become visible: an event, a counter, data. From any code.
  void ring();
  /// Occupies the rank's core for `duration`, after others that share the core and came first.
  void compute(Time duration);
  /// Sleeps by the program's own wish; answers what was left when a signal handler ended it.
  Time sleep(Time duration);
  /// Waits until a signal handler has run.
  void wait_for_signal(const WaitReason& reason);
  /// What the processor did not do but the program must feel, such as reading the clock.
  void charge(Time cost);
  Time now() const { return fiber_->scheduler().simulation().now(); }
  const RankTimes& times() const { return times_; }
  /// What the rank's clock of processor time shows: sleeping and waiting do not count, polling
  /// does.
  Time processor_time() const;
  /// A signal is to be handled: ends a wait or a sleep. From any code.
  void interrupt();

  std::string node_name() const;
  /// Whether its messages travel on the service networks rather than on those for computing.
  bool uses_service_network() const { return service_network_; }
  void use_service_network(bool yes) { service_network_ = yes; }

  /// What it has of its own in the C library, or null if it runs no loaded program.
  Process* process() const { return process_.get(); }
  Process& begin_process(HostedProgram& program);
  /// Ends the rank, on its fiber.
  [[noreturn]] void end(int status);
  /// Ends the rank, on its fiber or in a signal handler, and with it the run.
  [[noreturn]] void crash(const Crash& crash);
  /// Ends the rank, on its fiber, and the whole job with this status: the run ends with an
  /// AbortError that names `call`, which must be a literal.
  [[noreturn]] void abort_job(const char* call, int status);
  /// The same for a call that went wrong, with what is to be said of it and status 1.
  [[noreturn]] void fail_job(std::string problem);

  /// Whether it runs the program's code, rather than a call of ours or the writing of its output.
  bool in_own_code() const;
  /// The program jumps out of a signal handler, and out of the call in which that came to run.
  void abandon_calls();

  /// The place of a layer's extension, null until the layer fills it.
  std::unique_ptr<RankExtension>& extension(Layer layer) {
    return extensions_[static_cast<std::size_t>(layer)];
  }

 private:
  friend class Job;
  friend class Call;
  void run(Fiber& fiber) override;
  std::string name() const override;
  void resumed() override;
  void paused() override;
  void ended() override;
  bool unwinds() const override;
  Time poll_step() const;
  /// Runs signal handlers that are due; true if any ran.
  bool handle_signals();
  /// Suspends until `deadline`, a wake or a signal.
  void pause(const WaitReason& reason, Time deadline);
  /// Lets what the rank has computed since its last call take its time; no handler runs.
  void charge_computation();
  void occupy_core(Time duration);

  Job& job_;
  RankId id_;
  NodeId node_;
  std::uint32_t local_;
  Fiber* fiber_ = nullptr;
  AddressSpace* memory_ = nullptr;
  std::array<std::unique_ptr<RankExtension>, kLayers> extensions_;
  RankTimes times_;
  Time polling_since_ = Time::never();  ///< When it began to poll in vain and do nothing else.
  Time computing_since_;  ///< Processor time of the host, when computation is measured.
  std::unique_ptr<Process> process_;
  bool crashed_ = false;
  bool service_network_ = false;
  bool pausing_ = false;        ///< In pause(), which a signal may end.
  bool rung_ = false;           ///< Since it was last looked at.
  const Call* call_ = nullptr;  ///< The outermost under way.
};

/// The rank whose code is running. The one global that C interfaces need; null outside of ranks.
Rank* current_rank();

/// Marks the time a rank spends in a call of ours: its computation up to here is charged (the rank
/// sleeps for it, if computation costs time), and what follows until the end of the call is not.
/// Every call that a program makes to a simulated interface begins with one.
class Call {
 public:
  explicit Call(Rank& rank);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  Rank& rank_;
};

}  // namespace heddle::host
