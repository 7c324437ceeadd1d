// A study of 1,000 points of traffic: what it adds to the runs themselves, and whether it keeps the
// cores busy.
#include <chrono>

#include "cases.hpp"
#include "core/forked_tasks.hpp"
#include "programs.hpp"

namespace heddle::bench {
namespace {

constexpr int kPoints = 1000;
constexpr const char* kStudy =
    "command: traffic\n"
    "set: {platform: dragonfly-72, duration: 20us}\n"
    "grid: {pattern: [uniform, tornado], routing: [minimal, valiant], load: 0.1:1.0:0.1,\n"
    "       seed: 1:25:1}\n";

/// The processor time of all points, of the process that hands them out, and of the file of
/// results.
Sample study() {
  const Programs folder;
  folder.write("s.yaml", kStudy);
  return timed_command(kPoints,
                       folder.in(std::string(HEDDLE_PROGRAM) + " sweep s.yaml >/dev/null"));
}

/// The same runs, each by a command of its own; one seed of each, for they take long.
Sample single_runs() {
  const Programs folder;
  const std::string run = std::string(HEDDLE_PROGRAM) +
                          " traffic -p dragonfly-72 --duration 20us --jobs 1 --json x.json"
                          " --pattern $p --routing $r --load $l >/dev/null || exit 1; ";
  return timed_command(kPoints / 25, folder.in("for p in uniform tornado; do for r in minimal "
                                               "valiant; do for l in 0.1 0.2 0.3 0.4 0.5 0.6 0.7 "
                                               "0.8 0.9 1.0; do " +
                                               run + "done; done; done"));
}

/// What the cores could have computed in the time that the study took, per second that they have.
Sample cores_on_the_clock() {
  const auto begin = std::chrono::steady_clock::now();
  const Sample computed = study();
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return {taken.count() * static_cast<double>(ForkedTasks::cores()), computed.amount};
}

}  // namespace

void add_study_cases(Suite& suite) {
  Case cost{"study",
            "1,000 points of traffic, beside single commands",
            {1e3, "ms/point"},
            study,
            single_runs};
  // 5 ms more than a command of its own are allowed; none are needed.
  cost.target_ratio = 1;
  cost.max_repetitions = 2;
  suite.cases.push_back(std::move(cost));
  // Means something on an idle machine only: 95 % of the cores' time is computed in.
  Case idle{"study",
            "1,000 points of traffic, time of the cores over time computed",
            {1, "s/s"},
            cores_on_the_clock};
  idle.limit = 1 / 0.95;
  idle.max_repetitions = 2;
  suite.cases.push_back(std::move(idle));
}

}  // namespace heddle::bench
