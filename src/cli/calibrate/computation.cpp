#include "cli/calibrate/computation.hpp"

#include <fmt/core.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/error.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "files/temporary_folder.hpp"
#include "report/table.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

/// At this rate a unit that is counted takes a nanosecond.
constexpr const char* kCounting = "--compute count:1G";
constexpr const char* kMeasuring = "--compute measure:1 --set host.compute_threshold=0ns";

/// What the ranks of a command compute in a run of its own, together.
Time computing(const ComputationPlan& plan, const std::string& command, const char* how) {
  const files::ScratchFolder folder;
  const std::string results = folder.file("run.json");
  const std::string errors = folder.file("errors");
  const std::string line =
      fmt::format("{} run -q -n {} {} --json {} {} >/dev/null 2>{}",
                  shell_quoted(fs::read_symlink("/proc/self/exe").string()), plan.ranks, how,
                  shell_quoted(results), command, shell_quoted(errors));
  const int status = std::system(line.c_str());
  if (status != 0) {
    std::ifstream text(errors);
    const std::string said(std::istreambuf_iterator<char>(text), {});
    throw RunError(fmt::format("{} failed with status {}: {}", in_quotes(command),
                               WIFEXITED(status) ? WEXITSTATUS(status) : status, trimmed(said)));
  }
  std::ifstream file(results);
  const report::Json document = report::Json::parse(file);
  Time sum;
  for (const report::Json& rank : document.at("ranks")) {
    sum += Time::ps(rank.at("computing_ps").get<std::int64_t>());
  }
  return sum;
}

/// The command with another program in place of its own.
std::string with_program(const std::string& command, const std::string& program) {
  if (program.empty()) return command;
  const std::size_t end = command.find(' ');
  return shell_quoted(program) + (end == command.npos ? "" : command.substr(end));
}

ComputationRun measured(const ComputationPlan& plan, std::size_t number) {
  const std::string& command = plan.commands[number];
  ComputationRun run;
  run.command = command;
  run.counted = static_cast<std::uint64_t>(computing(plan, command, kCounting).ps() / 1000);
  if (run.counted == 0) throw RunError(in_quotes(command) + " counts nothing");
  const std::string plain = with_program(command, plan.plain);
  run.least = run.in_place = Time::never();
  for (std::uint32_t i = 0; i < plan.repeats; ++i) {
    const Time time = computing(plan, plain, kMeasuring);
    run.least = std::min(run.least, time);
    run.most = std::max(run.most, time);
    // By turns, so that both see the same of what else goes on here.
    if (!plan.plain.empty()) {
      run.in_place = std::min(run.in_place, computing(plan, command, kMeasuring));
    }
  }
  if (plan.plain.empty()) run.in_place = run.least;
  run.native = number < plan.native.size() ? plan.native[number] : run.least;
  if (run.native <= Time::zero()) throw RunError(in_quotes(command) + " takes no time");
  return run;
}

double mean_of(const std::vector<ComputationRun>& runs, double (*ratio)(const ComputationRun&)) {
  double sum = 0;
  for (const ComputationRun& run : runs) sum += std::log(ratio(run));
  return std::exp(sum / static_cast<double>(runs.size()));
}

Time predicted(const Computation& found, const ComputationRun& run) {
  return Time::ps(std::llround(static_cast<double>(run.counted) / found.rate * 1e12));
}

std::string signed_percent(double ratio) {
  return fmt::format("{:+.1f} %", 100 * (ratio - 1));
}

}  // namespace

Computation calibrated(const ComputationPlan& plan) {
  Computation found;
  for (std::size_t i = 0; i < plan.commands.size(); ++i) found.runs.push_back(measured(plan, i));
  found.rate = mean_of(found.runs, [](const ComputationRun& run) {
    return static_cast<double>(run.counted) / run.native.seconds();
  });
  found.factor = mean_of(found.runs, [](const ComputationRun& run) {
    return run.native.seconds() / run.in_place.seconds();
  });
  return found;
}

std::string text_of(const Computation& found) {
  using report::Align;
  report::Table table({{"run"},
                       {"counted", Align::right},
                       {"native", Align::right},
                       {"varied here", Align::right},
                       {"by count", Align::right},
                       {"error", Align::right},
                       {"cost of counting", Align::right}});
  for (const ComputationRun& run : found.runs) {
    const Time time = predicted(found, run);
    table.add({run.command, std::to_string(run.counted), format_time(run.native),
               signed_percent(run.most.seconds() / run.least.seconds()), format_time(time),
               signed_percent(time.seconds() / run.native.seconds()),
               signed_percent(run.in_place.seconds() / run.least.seconds())});
  }
  return table.text() +
         fmt::format(
             "\nhost.count_rate={:.4g}G: {:.4g} thousand million of what the program counts take a "
             "second\nhost.compute_factor={:.4g}: native time for time that --compute measure sees "
             "in the program that counts\n",
             found.rate / 1e9, found.rate / 1e9, found.factor);
}

report::Json json_of(const Computation& found, const ComputationPlan& plan,
                     const std::string& machine) {
  report::Json document = report::new_document("heddle.computation/1");
  document["ranks"] = plan.ranks;
  document["repeats"] = plan.repeats;
  document["count_rate"] = found.rate;
  document["compute_factor"] = found.factor;
  document["runs"] = report::Json::array();
  for (const ComputationRun& run : found.runs) {
    report::Json& entry = document["runs"].emplace_back();
    entry["command"] = run.command;
    entry["counted"] = run.counted;
    report::put(entry, "native", run.native);
    report::put(entry, "least", run.least);
    report::put(entry, "most", run.most);
    report::put(entry, "counting", run.in_place);
    report::put(entry, "by_count", predicted(found, run));
  }
  document["machine"] = machine.empty() ? report::Json(nullptr) : report::Json(machine);
  return document;
}

std::string machine_text_of(const Computation& found, Machine machine) {
  std::string text = fmt::format("# Calibrated by heddle {} from\n", report::version());
  for (const ComputationRun& run : found.runs) {
    text += fmt::format("#   {}: {} counted, {}, which varied by {}\n", run.command, run.counted,
                        format_time(run.native),
                        signed_percent(run.most.seconds() / run.least.seconds()));
  }
  const SourceLocation here{"heddle calibrate --compute"};
  machine.settings.assign("host.count_rate", std::to_string(std::llround(found.rate)), here);
  machine.settings.assign("host.compute_factor", fmt::format("{:.6g}", found.factor), here);
  return text + machine.config();
}

}  // namespace heddle::cli
