// Options of commands that record a run, and what is written from the recording.
#pragma once

#include <memory>
#include <string>

#include "cli/output_options.hpp"
#include "cli/parser.hpp"
#include "record/run_recorder.hpp"
#include "report/export_plan.hpp"
#include "report/recorded_run.hpp"

namespace heddle::cli {

/// `--report`, `--summary`, `--perfetto`, `--paje`, `--otf2`, `--tables`, `--heat-map` and what
/// they take.
class RecordingOptions {
 public:
  /// The outputs must outlive this.
  void add_to(CommandLine line, OutputOptions& output);
  /// Checks what was given; throws InputError. Call it when the outputs are open.
  void check();
  bool wanted() const;
  /// Null unless something is to be written from it.
  record::RunRecorder* recorder();
  /// Writes everything that was asked for; the recorder is finished. Says on the standard error
  /// where the page is.
  void write(report::RunFacts facts, const platform::Platform* platform,
             const record::CostOf& cost_of);

 private:
  void warn_of_empty_filter(const report::RecordedRun& run) const;
  void write_traces(const report::RecordedRun& run);
  void write_archive(const report::RecordedRun& run) const;
  void write_tables(const report::RecordedRun& run);

  OutputOptions* output_ = nullptr;
  std::string folder_;   ///< Of tables.
  std::string archive_;  ///< The folder of an OTF2 archive.
  std::string only_;
  std::string limit_;
  report::ExportFilter filter_;
  std::unique_ptr<record::RunRecorder> recorder_;
};

}  // namespace heddle::cli
