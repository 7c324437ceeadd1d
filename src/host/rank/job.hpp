// A job: the ranks of one or several programs on a machine.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/fiber.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/rank/cores.hpp"
#include "host/rank/host_params.hpp"
#include "host/rank/launch_service.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/wait_table.hpp"
#include "host/rank/waiters.hpp"
#include "platform/noise.hpp"
#include "platform/platform.hpp"
#include "record/run_recorder.hpp"

namespace heddle::host {

/// What the ranks run.
class Program {
 public:
  virtual ~Program() = default;
  /// Runs one rank from beginning to end, on the rank's own fiber, and answers its exit status.
  virtual int run(Rank& rank) = 0;
  /// The memory of a rank; asked once, before it runs.
  virtual AddressSpace& memory(Rank& rank) = 0;
  /// What finds the thread-local variables of a rank's code, if those are its own; else null.
  virtual void* thread_pointer(Rank&) { return nullptr; }
  /// The rank's code runs next, and another's ran before; that one has left.
  virtual void enter(Rank&) {}
  virtual void leave(Rank&) {}
  /// The rank's code will not run again.
  virtual void ended(Rank&) {}
  /// Whether each rank has something else at this address, in its turn.
  virtual bool swaps(const void*) const { return false; }
  /// Whether the stacks of ranks that have not ended can be unwound.
  virtual bool unwinds() const { return true; }
  /// What the clock shows that the computation of the running thread is measured by.
  virtual Time processor_time() const;
  /// How carefully looks in vain are carried out.
  virtual PollPolicy::Effort poll_effort() const { return {}; }
};

/// A program that is a function of ours, for tests: all ranks share the simulator's memory.
class FunctionProgram final : public Program {
 public:
  explicit FunctionProgram(std::function<int(Rank&)> body) : body_(std::move(body)) {}
  int run(Rank& rank) override { return body_(rank); }
  AddressSpace& memory(Rank&) override { return memory_; }

 private:
  std::function<int(Rank&)> body_;
  GuardedMemory memory_;
};

class Job;

struct JobConfig {
  std::uint32_t ranks = 1;
  std::uint32_t ranks_per_node = 1;
  HostParams host = host_table().defaults();
  /// Of each rank, by its number; if empty, rank r runs on node r / ranks_per_node.
  std::vector<NodeId> nodes = {};
  platform::NoiseConfig noise = {};
  /// Among the jobs that share a machine, from 1; 0: there is one.
  std::uint32_t number = 0;
  /// One of those before it, if there are any. It must outlive the job.
  Job* beside = nullptr;
};

/// What a layer above keeps for a job.
class JobExtension {
 protected:
  ~JobExtension() = default;
};

/// Called when a rank's process has ended, before its memory goes.
using EndHook = std::function<void(Rank&)>;
/// Called when a rank has computed from `begin` to `end`.
using ComputeHook = std::function<void(Rank&, Time begin, Time end)>;

/// Whose globals are in the memory that ranks take turns in.
class GlobalsTurn {
 public:
  /// The rank's code runs next.
  void enter(Rank& rank);
  /// Nobody's does.
  void leave();

 private:
  Rank* inside_ = nullptr;
};

/// The ranks of a program, and of those that are added: one world of consecutive numbers. They
/// start when the simulation runs.
class Job final : private Members {
 public:
  /// All must outlive the job. Throws InputError if the machine has too few nodes.
  Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
      const JobConfig& config);
  /// Ends the scheduler's fibers.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  /// Further ranks, numbered after those that are there, which run `program` on these nodes and
  /// start when the simulation goes on; answers the first. The program must outlive the job.
  /// Layers above give them what they have for ranks.
  RankId add_ranks(Program& program, std::span<const NodeId> nodes);

  std::uint32_t size() const override;
  Rank& rank(RankId id);
  /// Those of a node, in the order of their numbers: the place of each is its local().
  std::span<const RankId> ranks_on(NodeId node) const;
  const platform::Platform& platform() const;
  Simulation& simulation() const;
  /// Layers above may want to know of ends.
  void at_end(EndHook hook);
  void at_compute(ComputeHook hook);
  /// What a layer above calls a rank's process on its node; their numbers on it unless it says.
  void set_pid_of(std::function<std::uint32_t(const Rank&)> pid_of) { pid_of_ = std::move(pid_of); }
  std::uint32_t pid_of(const Rank& rank) const { return pid_of_ ? pid_of_(rank) : rank.local(); }
  const HostParams& params() const { return params_; }
  /// Among the jobs that share a machine, from 1; 0 where there is one.
  std::uint32_t number() const { return number_; }
  /// What a layer has for this job, or null.
  JobExtension* extension(const Slot& of) const { return extensions_[of.number()]; }
  void set_extension(const Slot& of, JobExtension* extension) {
    extensions_[of.number()] = extension;
  }
  LaunchService& launcher() { return launcher_; }
  /// Who records what ranks do, or null; must outlive the job.
  record::RunRecorder* recorder() const { return recorder_.recorder; }
  void set_recorder(const record::WorldRecorder& recorder) { recorder_ = recorder; }
  /// What the recorder knows a rank by.
  std::uint32_t recorded_as(RankId id) const {
    return recorder_.first + static_cast<std::uint32_t>(id);
  }
  /// Ends lines that unfinished ranks have begun to write; for the end of a run.
  void flush_lines();
  /// Exit status of a rank that has ended.
  int status(RankId id) const;

  // For the job's ranks.

  /// A rank's life, on its fiber.
  void run(Rank& rank);
  /// A rank's own end, on a fiber of its still, and what is left to do when that is gone.
  void finish(Rank& rank, int status);
  void ended(Rank& rank);
  GlobalsTurn& turn() { return *turn_; }
  void computed(Rank& rank, Time begin, Time end);
  Cores& cores() { return cores_; }
  /// How much longer work of a rank takes that begins now, because its processor is interrupted.
  Time noise_in(const Rank& rank, Time begin, Time duration) const {
    const auto number = static_cast<std::uint32_t>(rank.id());
    return Time::ps(noise_.delay(number, begin.ps(), duration.ps()));
  }
  /// Whether neither computation nor noise comes before a call.
  bool calls_begin_at_once() const { return at_once_; }
  WaitTable& waits() { return waits_; }
  /// Those that wait by looking, of all jobs of the simulation.
  Waiters& waiters() { return *waiters_; }
  int next_thread_serial() { return threads_++; }
  /// What to call the thread with this id.
  std::string thread_name(int id);
  /// The rank that ended the job, if one did, and what is to be said of it.
  struct Abort {
    const Rank* rank = nullptr;
    const char* call = "";
    int status = 0;
    std::string problem;  ///< In words of its own, or empty.
  };
  const Abort& abort() const { return abort_; }
  void set_abort(Abort abort) { abort_ = std::move(abort); }
  /// How the rank that crashed did.
  const Crash& crash() const { return crash_; }
  void set_crash(const Crash& crash) { crash_ = crash; }

  /// As long as it lives, a thread has looked in vain and will look again by itself.
  class Poller {
   public:
    explicit Poller(Job& job) : pollers_(*job.pollers_) { ++pollers_; }
    ~Poller() { --pollers_; }
    Poller(const Poller&) = delete;
    Poller& operator=(const Poller&) = delete;

   private:
    std::size_t& pollers_;
  };
  /// Whether nothing is left to happen but that pollers look again.
  bool only_pollers() const { return simulation().pending() <= *pollers_; }

 private:
  void wait(RankId member, const WaitReason& reason) override { rank(member).wait(reason); }
  void ring_all() override;

  struct State;
  HostParams params_;
  std::uint32_t number_;
  platform::Noise noise_;
  bool at_once_;
  LaunchService launcher_;
  std::function<std::uint32_t(const Rank&)> pid_of_;
  Crash crash_;
  Cores cores_;
  GlobalsTurn own_turn_;
  GlobalsTurn* turn_;  ///< Of all jobs of the simulation.
  WaitTable waits_;
  Waiters own_waiters_;
  Waiters* waiters_;  ///< Of all jobs of the simulation.
  int threads_ = 0;   ///< That programs have started.
  std::size_t own_pollers_ = 0;
  std::size_t* pollers_;  ///< Of all jobs of the simulation.
  std::array<JobExtension*, Slot::kMost> extensions_{};
  Abort abort_;
  record::WorldRecorder recorder_;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
