#include "cli/study/sweep_workers.hpp"

#include <fmt/core.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "cli/command.hpp"
#include "cli/held_signals.hpp"
#include "cli/notes.hpp"
#include "core/forked_tasks.hpp"
#include "core/units.hpp"
#include "files/temporary_folder.hpp"
#include "host/rank/crash.hpp"
#include "platform/text_file.hpp"
#include "study/measures.hpp"

namespace heddle::cli {
namespace {

using report::Json;

/// What a process writes to its standard output and error from now on, kept in memory.
class CapturedOutput {
 public:
  CapturedOutput() : file_(memfd_create("output", MFD_CLOEXEC)) {
    std::fflush(nullptr);
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) dup2(file_, stream);
  }
  /// So far, of long output the last part.
  std::string text() const {
    constexpr off_t kMost = 1 << 20;
    std::fflush(nullptr);
    const off_t size = lseek(file_, 0, SEEK_END);
    const off_t begin = std::max<off_t>(0, size - kMost);
    std::string text(static_cast<std::size_t>(size - begin), '\0');
    const ssize_t count = pread(file_, text.data(), text.size(), begin);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
    return text;
  }

 private:
  int file_;
};

/// The command line with where its results go, and what keeps it in this process.
std::vector<std::string> executed(const PlannedPoint& point, const std::string& results) {
  std::vector<std::string> words = point.words;
  std::vector<std::string> added = {"--json", results};
  if (words.front() == "traffic") added.insert(added.end(), {"--jobs", "1"});
  if (words.front() == "run") added.emplace_back("--quiet");
  words.insert(words.begin() + 1, added.begin(), added.end());
  return words;
}

/// The last thing that the program said, if it said anything.
std::string last_line(const std::string& output) {
  const std::size_t end = output.find_last_not_of('\n');
  if (end == output.npos) return "";
  const std::size_t before = output.rfind('\n', end);
  const std::size_t begin = before == output.npos ? 0 : before + 1;
  return output.substr(begin, end + 1 - begin);
}

/// What went wrong with a command line that is run now; "" if nothing did.
std::string problem_of(const std::vector<std::string>& words, const CapturedOutput& output) {
  try {
    const int status = run_words(words);
    if (status == kDone) return "";
    const std::string said = last_line(output.text());
    return fmt::format("ended with status {}{}{}", status, said.empty() ? "" : ": ", said);
  } catch (const Interrupted&) {
    throw;
  } catch (const host::StopError&) {
    throw;
  } catch (const std::bad_alloc&) {
    return "not enough memory";
  } catch (const std::exception& error) {
    return error.what();
  }
}

/// In a process of its own: simulates the point and answers what became of it as JSON.
std::string simulate_point(const PlannedPoint& point, const std::vector<study::Measure>& measures,
                           const std::string& results) {
  setpgid(0, 0);  // Ctrl-C is for the one that waits for this process.
  Notes::leave_out();
  const auto begin = std::chrono::steady_clock::now();
  const CapturedOutput output;
  Json outcome;
  outcome["error"] = problem_of(executed(point, results), output);
  outcome["result"] = Json::object();
  if (std::filesystem::exists(results)) {
    const Json document = report::parse_json(platform::read_text_file(results));
    outcome["result"] = study::measures_in(document);
    std::filesystem::remove(results);
  }
  if (!measures.empty()) study::add_measures(outcome["result"], measures, output.text());
  outcome["seconds"] =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report::dump_line(outcome);
}

std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

/// Why a process that answered nothing did not.
std::string why_none(const ForkedTasks::Ending& ending, Bytes memory) {
  if (ending.too_large) {
    return fmt::format("took more memory than the {} of a point: accepted is --memory with more",
                       format_bytes(memory));
  }
  const char* name = sigabbrev_np(ending.signal);
  return name == nullptr ? "ended without a result"
                         : fmt::format("the process was ended by SIG{}", name);
}

study::Outcome outcome_of(const PlannedPoint& point, const ForkedTasks::Ending& ending,
                          Bytes memory) {
  study::Outcome outcome;
  outcome.hash = point.hash;
  outcome.command = shell_words(point.words);
  outcome.host = host_name();
  outcome.memory = ending.memory.count();
  if (!ending.result) {
    outcome.error = why_none(ending, memory);
    outcome.result = Json::object();
    outcome.seconds = ending.processor_seconds;
    return outcome;
  }
  const Json answer = report::parse_json(*ending.result);
  outcome.error = answer["error"];
  outcome.result = answer["result"];
  outcome.seconds = answer["seconds"];
  return outcome;
}

}  // namespace

WorkerLimits WorkerLimits::of_computer() {
  // One more than there are cores: while short points end and begin, and their results are written,
  // no core has nothing to do.
  const std::size_t jobs = ForkedTasks::cores() + 1;
  const std::int64_t memory =
      static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  return {jobs, Bytes(memory / 10 * 9 / static_cast<std::int64_t>(jobs))};
}

void simulate_points(const std::vector<PlannedPoint>& points,
                     const std::vector<study::Measure>& measures, const WorkerLimits& limits,
                     const std::function<void(const std::vector<study::Outcome>&)>& take) {
  const files::ScratchFolder scratch;
  constexpr const char* kInterrupted = "interrupted";
  const auto task = [&](std::size_t number) -> std::string {
    try {
      return simulate_point(points[number], measures,
                            scratch.file(std::to_string(number) + ".json"));
    } catch (const RunError&) {  // What asked it to end will ask the others, too.
      return kInterrupted;
    }
  };
  ForkedTasks tasks(task, points.size(), limits.jobs);
  tasks.limit_memory(limits.memory);
  for (bool more = true; more;) {
    more = tasks.wait();
    std::vector<study::Outcome> outcomes;
    for (const ForkedTasks::Ending& ending : tasks.take_endings()) {
      if (ending.result == kInterrupted) continue;
      outcomes.push_back(outcome_of(points[ending.number], ending, limits.memory));
    }
    take(outcomes);
  }
}

}  // namespace heddle::cli
