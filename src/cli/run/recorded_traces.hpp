// Files of what a run has recorded of the calls of MPI.
#pragma once

#include "cli/output_options.hpp"
#include "run/program_run.hpp"

namespace heddle::cli {

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
