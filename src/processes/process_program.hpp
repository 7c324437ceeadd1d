// A program whose ranks are processes of their own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/rank/job.hpp"
#include "processes/channel.hpp"
#include "processes/rank_process.hpp"
#include "processes/shared_memory.hpp"

namespace heddle::processes {

/// What to run.
struct ProcessConfig {
  std::string path;  ///< Of the program, or its name, to be found as a shell does.
  std::vector<std::string> arguments;  ///< Without the program's own name.
  std::uint32_t ranks = 1;
  std::uint32_t first_rank = 0;  ///< The ranks have consecutive numbers from here.
  /// "NAME=VALUE", besides the simulator's own.
  std::vector<std::string> environment = {};
  std::uint32_t parallel = 1;  ///< How many may run at a time.
  Time max_step = {};          ///< Real time without a call that ends the run; zero: any.
  bool counts = false;         ///< Its libraries read the processor's counter, if not itself.
};

/// The program. Its processes start with it, and are all gone when it is.
class ProcessProgram final : public host::Program {
 public:
  /// Throws InputError if there is no such program, RunError if it cannot be started.
  explicit ProcessProgram(const ProcessConfig& config);
  ~ProcessProgram() override;

  int run(host::Rank& rank) override { return process(rank).run(); }
  AddressSpace& memory(host::Rank& rank) override { return process(rank).join(rank); }
  bool unwinds() const override { return false; }  // Nothing is on their stacks.
  Time processor_time() const override;
  /// A look of a process costs a thousand times as much as one of a fiber.
  host::PollPolicy::Effort poll_effort() const override { return {16, 1000}; }

  RankProcess& process(const host::Rank& rank) {
    return *processes_[index(rank.id()) - first_rank_];
  }

 private:
  std::uint32_t first_rank_;
  SharedMemory<Channel> channels_;
  Crew crew_;
  std::vector<std::unique_ptr<RankProcess>> processes_;
};

/// The file that a program's name means: as it is, or in the folders of PATH; empty if there is
/// none.
std::string find_program(const std::string& name);

/// The library that stands between processes and the system, which they are to be started with.
std::string preloaded_library();

}  // namespace heddle::processes
