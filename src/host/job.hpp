// A job: the ranks of one program on a machine.
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
#include "host/guarded_memory.hpp"
#include "host/host_params.hpp"
#include "host/launch_service.hpp"
#include "host/rank.hpp"
#include "platform/platform.hpp"

namespace heddle::host {

/// What the ranks run.
class Program {
 public:
  virtual ~Program() = default;
  /// Runs one rank from beginning to end, on the rank's own fiber, and answers its exit status.
  virtual int run(Rank& rank) = 0;
  /// The memory of a rank; asked once, before it runs.
  virtual AddressSpace& memory(Rank& rank) = 0;
  /// The rank's code runs next, and another's ran before; that one has left.
  virtual void enter(Rank&) {}
  virtual void leave(Rank&) {}
  /// The rank's code will not run again.
  virtual void ended(Rank&) {}
  /// Whether the stacks of ranks that have not ended can be unwound.
  virtual bool unwinds() const { return true; }
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

struct JobConfig {
  std::uint32_t ranks = 1;
  std::uint32_t ranks_per_node = 1;
  HostParams host = host_table().defaults();
  /// Of each rank, by its number; if empty, rank r runs on node r / ranks_per_node.
  std::vector<NodeId> nodes = {};
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

/// The ranks of one program. They start when the simulation runs.
class Job {
 public:
  /// All must outlive the job. Throws InputError if the machine has too few nodes.
  Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
      const JobConfig& config);
  /// Ends the scheduler's fibers.
  ~Job();

  std::uint32_t size() const;
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
  /// What a layer has for this job, or null.
  JobExtension* extension(Layer layer) const {
    return extensions_[static_cast<std::size_t>(layer)];
  }
  void set_extension(Layer layer, JobExtension* extension) {
    extensions_[static_cast<std::size_t>(layer)] = extension;
  }
  LaunchService& launcher() { return launcher_; }
  /// Ends lines that unfinished ranks have begun to write; for the end of a run.
  void flush_lines();
  /// Exit status of a rank that has ended.
  int status(RankId id) const;

 private:
  friend class Rank;
  /// A rank's life, on its fiber.
  void run(Rank& rank);
  bool unwinds() const;
  /// The rank's own end, on its fiber still, and what is left to do when that is gone.
  void finish(Rank& rank, int status);
  void ended(Rank& rank);
  /// Gives the rank its place in the memory that ranks take turns in.
  void enter(Rank& rank);
  void leave();
  void computed(Rank& rank, Time begin, Time end);
  /// When a computation of `duration` that begins now is done, on a core that may be shared.
  Time reserve_core(const Rank& rank, Time duration);
  /// Simulated time for measured processor time.
  Time scaled(Time measured) const;
  /// Sleeps for `step` unless the rank is rung before, at least for the cost of a poll.
  void poll_sleep(Fiber& fiber, const WaitReason& reason, Time step);
  /// Whether a rank that has polled in vain for so long has nothing to hope for.
  bool poll_ends(Time polled_for);

  struct State;
  HostParams params_;
  LaunchService launcher_;
  std::function<std::uint32_t(const Rank&)> pid_of_;
  Crash crash_;  ///< Of the rank that crashed.
  std::array<JobExtension*, kLayers> extensions_{};
  /// Of the rank that ended the job, if one did.
  struct Abort {
    const Rank* rank = nullptr;
    const char* call = "";
    int status = 0;
    std::string problem;  ///< In words of its own, or empty.
  };
  Abort abort_;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
