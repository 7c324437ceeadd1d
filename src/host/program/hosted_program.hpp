// A program from a file, run by ranks inside the simulator.
#pragma once

#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/program/loading/loaded_program.hpp"
#include "host/program/process.hpp"
#include "host/program/thread_identity.hpp"
#include "host/rank/host_params.hpp"
#include "host/rank/job.hpp"

namespace heddle::host {

/// What to run.
struct ProgramConfig {
  std::string path;
  std::vector<std::string> arguments;  ///< Without the program's own name.
  Privatization privatize = Privatization::automatic;
  std::uint32_t ranks = 1;
  std::vector<std::string> private_libraries = {};  ///< Of the system's, by name.
  std::uint32_t first_rank = 0;  ///< The ranks have consecutive numbers from here.
  std::string folder = {};       ///< Where ranks start; empty: where the simulator did.
  bool own_threads = false;      ///< Each rank has thread-local variables of its own.
  CallPatches patches = {};      ///< Of all that is loaded for it.
};

/// A loaded program. How each rank gets globals of its own is up to the kinds of it.
class HostedProgram : public Program {
 public:
  ~HostedProgram() override;
  int run(Rank& rank) override;
  void* thread_pointer(Rank& rank) override;
  void leave(Rank& rank) override;
  void ended(Rank& rank) override;
  bool unwinds() const override { return false; }

  /// Sends the real process SIGTRAP before the main function of a rank, for a debugger.
  void stop_before_main(RankId rank) { stopped_ = rank; }

  /// The copy that a rank runs.
  virtual const LoadedProgram& loaded(const Rank& rank) const = 0;
  /// Runs the constructors of a rank's globals, and the destructors that the linker knows of.
  virtual void construct(Process& process, const Rank& rank);
  virtual void destruct(const Rank& rank);
  /// Takes over a function that a rank has registered for its end and that belongs to globals that
  /// others still use; false if it is for that rank alone.
  virtual bool takes(const ExitHandler&) { return false; }
  /// How ranks got their globals.
  virtual Privatization privatization() const = 0;
  /// Whether its threads may wait without the C library.
  bool waits_by_itself() const { return waits_by_itself_; }
  /// Whether it may read the processor's counter.
  bool reads_counter() const { return reads_counter_; }
  /// Whether it may load libraries while it runs.
  bool opens_libraries() const { return opens_libraries_; }
  /// Whether it has functions called when a process forks, which the C library keeps until its end.
  bool registers_forks() const { return registers_forks_; }
  /// Whether it puts code on stacks.
  bool executable_stacks() const { return executable_stacks_; }
  /// What error(3) calls it.
  void take_name() const {
    program_invocation_name = name_;
    program_invocation_short_name = short_name_;
  }
  /// Where it is, whatever the working folder.
  const std::string& file() const { return file_; }
  /// What ranks find in argv.
  const std::vector<std::string>& arguments() const { return arguments_; }
  /// What they find in `environ` before they change it.
  char** environment() const { return environment_; }
  /// Where libraries are looked for that they open.
  const LibraryPlaces& places() const { return places_; }
  /// What becomes of calls of such libraries.
  const CallPatches& patches() const { return patches_; }
  /// The C++ standard streams that they may use.
  StreamSet streams() const { return streams_; }
  /// The simulator's folder.
  const std::string& folder() const { return folder_; }

 protected:
  HostedProgram(const ProgramConfig& config, const ProgramFiles& files);
  /// A rank's number among those that run it.
  std::size_t place(const Rank& rank) const { return index(rank.id()) - first_rank_; }

 private:
  std::uint32_t first_rank_;
  std::string file_;
  std::string start_folder_;
  std::vector<std::string> arguments_;
  char* name_;        ///< The first of them,
  char* short_name_;  ///< and what comes behind its last slash.
  char** environment_;
  std::string folder_;
  LibraryPlaces places_;
  CallPatches patches_;
  StreamSet streams_;
  std::optional<RankId> stopped_;
  bool own_threads_;
  std::map<RankId, std::unique_ptr<ThreadIdentity>> threads_;  ///< Of ranks, if they have them.
  bool waits_by_itself_;
  bool reads_counter_;
  bool opens_libraries_;
  bool registers_forks_;
  bool executable_stacks_;
  /// What error(3) calls the simulator itself.
  char* own_name_ = program_invocation_name;
  char* own_short_name_ = program_invocation_short_name;
};

}  // namespace heddle::host
