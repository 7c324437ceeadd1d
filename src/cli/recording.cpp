#include "cli/recording.hpp"

#include <fmt/core.h>

#include <filesystem>

#include "cli/notes.hpp"
#include "core/units.hpp"
#include "report/exports.hpp"
#include "report/fabric_map.hpp"
#include "report/page.hpp"
#include "report/repeat.hpp"

namespace heddle::cli {
namespace {

constexpr const char* kFromRecording[] = {"--report", "--summary", "--perfetto", "--paje",
                                          "--heat-map"};

}  // namespace

void RecordingOptions::add_to(CommandLine line, OutputOptions& output) {
  output_ = &output;
  output.add_file(line, "--report", "Write a page that shows where the time went, for a browser");
  output.add_file(line, "--summary",
                  "Write what the page says as JSON; heddle report compares such");
  output.add_file(line, "--perfetto", "Write a trace for Perfetto and Chrome (JSON)");
  output.add_file(line, "--paje", "Write a trace in the format of Paje");
  line.add_option("--otf2", archive_,
                  "Write an OTF2 archive to this new folder, for Vampir,\nScalasca and others")
      .type_name("FOLDER")
      .check(not_empty());
  output.add_file(line, "--heat-map", "Draw how much the links were used as SVG");
  line.add_option("--tables", folder_,
                  "Write ranks.csv, links.csv, messages.csv and\ncollectives.csv to this folder")
      .type_name("FOLDER")
      .check(not_empty());
  line.add_option(
          "--trace-only", only_,
          "What --perfetto, --paje and --otf2 show, such as\nranks=0-7,time=1ms:2ms,kinds=calls")
      .type_name("WHAT")
      .check(not_empty());
  line.add_option(
          "--trace-limit", limit_,
          "About how large the files of --perfetto and --paje may get,\nand, if it is given, "
          "of --otf2; beyond, the shortest\nintervals are left out, and of messages all "
          "but every n-th")
      .type_name("SIZE")
      .check(not_empty())
      .default_text("64MiB");
}

void RecordingOptions::check() {
  if (output_->file("--report") != nullptr) report::require_page();
  filter_ = report::parse_filter(only_, "--trace-only");
  if (!archive_.empty()) report::check_otf2_folder(archive_, "--otf2");
  if (output_->file("--perfetto") == nullptr && output_->file("--paje") == nullptr &&
      archive_.empty()) {
    for (const auto& [option, text] :
         {std::pair{"--trace-only", &only_}, {"--trace-limit", &limit_}}) {
      if (text->empty()) continue;
      logger().warning("{} has no effect here: it is for what --perfetto, --paje and --otf2 write",
                       option);
    }
  }
  if (!limit_.empty()) {
    const auto size = parse_bytes(limit_);
    if (!size || size->count() < 4096) {
      throw InputError({"--trace-limit"}, "'" + limit_ +
                                              "' is not accepted: accepted is a size such as "
                                              "64MiB, at least 4KiB");
    }
    filter_.most_bytes = size->count();
  }
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) {
    throw InputError({"--tables"}, "the folder '" + folder_ +
                                       "' cannot be made: " + error.message() +
                                       "; accepted is one that can be written to");
  }
}

bool RecordingOptions::wanted() const {
  if (!folder_.empty() || !archive_.empty()) return true;
  for (const char* option : kFromRecording) {
    if (output_->file(option) != nullptr) return true;
  }
  return false;
}

record::RunRecorder* RecordingOptions::recorder() {
  if (wanted() && recorder_ == nullptr) recorder_ = std::make_unique<record::RunRecorder>();
  return recorder_.get();
}

void RecordingOptions::write(report::RunFacts facts, const platform::Platform* platform,
                             const record::CostOf& cost_of) {
  if (recorder_ == nullptr) return;
  facts.command = report::without_places(std::move(facts.command));
  const report::RecordedRun run = analyse(std::move(facts), *recorder_, platform, cost_of);
  output_->write("--report", [&] { return report::page(page_data(run)); });
  output_->write("--summary", [&] { return report::dump(summary_of(run)); });
  output_->write("--heat-map", [&]() -> std::string {
    if (platform == nullptr) throw RunError("--heat-map: there are no links without a machine");
    return report::heat_map_svg(
        *platform, uses_of(run),
        fmt::format("{} on {}: use of links", run.facts.title, run.facts.platform));
  });
  write_traces(run);
  if (!folder_.empty()) write_tables(run);
}

/// A filter that nothing passes is a mistake.
void RecordingOptions::warn_of_empty_filter(const report::RecordedRun& run) const {
  if (only_.empty()) return;
  if (filter_.ranks.size() > run.facts.ranks) {
    logger().warning("--trace-only: there is no rank {}: the last is {}", filter_.ranks.size() - 1,
                     run.facts.ranks - 1);
  }
  const Time end = run.recorder->end();
  if (filter_.from > end) {
    logger().warning("--trace-only: nothing happens from {} on: the run ends at {}",
                     format_time(filter_.from), format_time(end));
  }
}

void RecordingOptions::write_traces(const report::RecordedRun& run) {
  warn_of_empty_filter(run);
  const auto stream = [&](const char* option, auto writer) {
    const report::OutputFile* const file = output_->file(option);
    if (file == nullptr) return;
    output_->attempt([&] {
      report::OutputStream out(*file);
      writer(run, filter_, [&](std::string_view text) { out.append(text); });
      out.finish();
    });
  };
  stream("--perfetto", report::write_perfetto);
  stream("--paje", report::write_paje);
  if (!archive_.empty()) output_->attempt([&] { write_archive(run); });
}

/// Others convert archives again: nothing is left out unless a size is asked for, and then it is
/// told.
void RecordingOptions::write_archive(const report::RecordedRun& run) const {
  report::ExportFilter filter = filter_;
  if (limit_.empty()) filter.most_bytes = INT64_MAX;
  const std::string missing = write_otf2(run, filter, archive_);
  if (!missing.empty()) logger().warning("--otf2: {}, as --trace-limit says", missing);
}

void RecordingOptions::write_tables(const report::RecordedRun& run) {
  for (const auto& [name, text] : tables_of(run)) {
    const std::string& table = text;
    const std::string path = folder_ + "/" + name;
    output_->attempt([&] { report::OutputFile("--tables", path).write(table); });
  }
}

}  // namespace heddle::cli
