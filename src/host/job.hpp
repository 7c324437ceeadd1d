// A job: the ranks of one program on a machine.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/fiber.hpp"
#include "core/params.hpp"
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
};

/// A program that is a function of ours, for tests: all ranks share the simulator's memory.
class FunctionProgram final : public Program {
 public:
  explicit FunctionProgram(std::function<int(Rank&)> body);
  ~FunctionProgram() override;
  int run(Rank& rank) override;
  AddressSpace& memory(Rank& rank) override;

 private:
  std::function<int(Rank&)> body_;
  std::unique_ptr<AddressSpace> memory_;
};

struct JobConfig {
  std::uint32_t ranks = 1;
  std::uint32_t ranks_per_node = 1;  ///< Rank r runs on node r / ranks_per_node.
};

/// Called when a rank's process has ended, before its memory goes.
using EndHook = std::function<void(Rank&)>;

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
  const platform::Platform& platform() const;
  Simulation& simulation() const;
  /// Layers above may want to know of ends.
  void at_end(EndHook hook);
  /// Exit status of a rank that has ended.
  int status(RankId id) const;

 private:
  friend class Rank;
  /// A rank's life, on its fiber.
  void run(Rank& rank);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::host
