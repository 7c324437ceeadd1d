// Files of what a run has recorded of the calls of MPI.
#pragma once

#include <cstdint>
#include <functional>

#include "cli/output_options.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {

/// One file for each rank in a folder beside the list of them, as SimGrid does it; with the speed
/// of each rank's processor.
void write_time_independent(const report::OutputFile& list, const traces::Trace& trace,
                            const std::function<double(std::uint32_t)>& flops_of);

/// `--trace-ti FILE` and `--trace-goal FILE`.
class RecordedTraces {
 public:
  static void add_to(CommandLine line, OutputOptions& output);
  /// What a run has to record for the files that were asked for. Throws InputError where a file
  /// cannot be the standard output.
  static std::optional<run::Recorded> wanted(const OutputOptions& output);
  /// Writes what was asked for; answers what is to be looked at before trusting it.
  static std::vector<std::string> write(OutputOptions& output, run::ProgramRun& run);
};

}  // namespace heddle::cli
