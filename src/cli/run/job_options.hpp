// The options that say what a job is: programs and ranks, where they run, and how they are
// simulated.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"
#include "cli/run/openmpi_options.hpp"
#include "cli/shorthand_options.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {

/// What a user can do about computation that takes no simulated time.
inline constexpr const char* kComputeAdvice =
    "programs built by heddlecc --count are charged what they do, the same in every run; --compute "
    "measure:1 has it take what it takes here, --compute fixed:TIME each stretch the same, and "
    "programs declare it with heddle_compute()";

inline const std::string kMpirun = "mpirun";

/// Of `heddle run` and `heddle mpirun`.
class JobOptions {
 public:
  void add_to(CommandLine line);
  /// Gives settings what the options say of them.
  void assign(Settings& settings) const;
  /// The job, once the words of the command line are known; to be asked for once.
  run::RunConfig config();
  /// The file that `--map` names, or "".
  std::string map_file() const;
  /// Throws InputError for what --fidelity says that does not suit the machine, which has so many
  /// nodes, or other options.
  void check_fidelity(const Settings& settings, std::uint32_t nodes,
                      const mpi::FidelityPlan& plan) const;
  /// Whether programs are to be run alone as well.
  bool slowdown() const { return slowdown_; }
  /// What repeating the job takes besides the machine: the words behind `heddle`. Programs are
  /// named in a way that means the same from everywhere.
  std::vector<std::string> words(const std::vector<run::ProgramPart>& programs) const;

 private:
  void add_rank_options(CommandLine line);
  void add_place_options(CommandLine line);
  void add_host_options(CommandLine line);
  void add_shortcut_options(CommandLine line);
  std::vector<run::ProgramPart> programs() const;
  [[noreturn]] void refuse_option(const std::string& word, bool further) const;
  run::Hosting hosting_of(const run::ProgramPart& part) const;
  void assign_compute(Settings& settings) const;
  void check_counts(Settings& settings) const;
  std::string map_words() const;
  void add_samples(run::RunConfig& config) const;
  void warn_of_idle(const run::RunConfig& config) const;
  void check_slowdown(const run::RunConfig& config) const;
  void check_hashes(const std::vector<run::ProgramPart>& programs) const;
  void check_debug_rank(const run::RunConfig& config) const;
  Time max_step() const;

  std::optional<CommandLine> line_;
  run::RunConfig config_;                           ///< As far as options fill it in.
  std::uint32_t ranks_ = run::ProgramPart().ranks;  ///< Of the first program.
  std::string worlds_;
  bool slowdown_ = false;
  bool processes_ = false;
  std::optional<OpenMpiOptions> openmpi_;  ///< Of `heddle mpirun`.
  ShorthandOptions short_;
  std::string compute_;
  std::string fidelity_;
  std::string payload_;
  std::vector<std::string> samples_;
  std::string share_pages_;
  std::string max_step_;
  std::vector<std::string> faults_;
  std::vector<std::string> hashes_;
  std::optional<std::uint32_t> debug_rank_;
};

}  // namespace heddle::cli
