// `heddle sweep`: one command at many points.
#include "cli/study/sweep_command.hpp"

#include <fmt/core.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "cli/held_signals.hpp"
#include "cli/output_options.hpp"
#include "cli/progress_line.hpp"
#include "cli/study/sweep_slurm.hpp"
#include "cli/study/sweep_workers.hpp"
#include "core/params.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "files/files_read.hpp"
#include "study/result_table.hpp"
#include "study/slurm.hpp"

namespace heddle::cli {

namespace fs = std::filesystem;
using study::ResultStore;

void StudyOptions::add_to(CommandLine line) {
  line.add_option("study", path_, "The study: a YAML file").type_name("FILE");
  line.add_option("--results", results_,
                  "The file of results; several studies can share one\n(default: results.sqlite "
                  "beside the study)")
      .type_name("FILE")
      .check(not_empty());
}

study::Study StudyOptions::read() const {
  if (path_.empty()) throw InputError({}, "no study given: accepted is the path of a YAML file");
  study::Study study = study::read_study_file(path_);
  note_files(study);
  return study;
}

/// What a study names is read by its points, now or some other day: no drawing replaces it.
void StudyOptions::note_files(const study::Study& study) const {
  const fs::path folder = fs::path(path_).parent_path();
  std::vector<Field> words;
  for (const study::Parameter& parameter : study.parameters) {
    for (const study::Value& value : parameter.values) {
      split_by_blanks(value.text, words);
      for (const Field& word : words) {
        constexpr std::string_view kFile = "file:";
        const bool map = word.text.starts_with(kFile);
        files::note_read(folder / word.text.substr(map ? kFile.size() : 0));
      }
    }
  }
}

std::string StudyOptions::results() const {
  if (!results_.empty()) return results_;
  return (fs::path(path_).parent_path() / "results.sqlite").string();
}

std::vector<study::StoredPoint> StudyOptions::points() const {
  const bool by_name = !results_.empty() && !fs::exists(path_);
  const std::string name = by_name ? path_ : read().name;
  ResultStore store(results(), ResultStore::Access::read);
  std::vector<study::StoredPoint> points = store.points(name);
  if (points.empty()) {
    throw InputError({results()}, "has no study '" + name + "'" +
                                      did_you_mean(name, store.studies()) + ": there are " +
                                      joined(store.studies()));
  }
  return points;
}

namespace {

/// How a sweep stands.
struct SweepState {
  std::size_t points = 0;
  std::size_t known = 0;  ///< From before, as far as they are wanted now.
  std::size_t todo = 0;
  std::size_t done = 0;
  std::size_t failed = 0;

  std::string line(double seconds) const {
    const auto ended = static_cast<double>(done + failed);
    std::string text = fmt::format("sweep {} of {} done", known + done, points);
    if (failed > 0) text += fmt::format(", {} failed", failed);
    if (ended > 0) {
      text += fmt::format(", {:.0f} s left", seconds * (static_cast<double>(todo) - ended) / ended);
    }
    return text;
  }
  /// Of what there is to do.
  double share() const {
    return todo == 0 ? 1 : static_cast<double>(done + failed) / static_cast<double>(todo);
  }
};

class SweepCommand final : public Command {
 public:
  explicit SweepCommand(CommandLine line) : line_(line) {
    study_.add_to(line);
    line.add_option("--jobs", jobs_, "So many points at a time (default: one more than cores)")
        .type_name("N")
        .check(whole_number(1, kMostJobs));
    line.add_option("--memory", memory_,
                    "What the process of a point may have in memory\n(default: an equal share of "
                    "90 % of the computer's)")
        .type_name("SIZE")
        .check(not_empty());
    line.add_flag("--retry-failed", retry_, "Compute points again that have failed before");
    line.add_flag("--dry-run", dry_run_, "Say what would be computed, and stop");
    output_.add_file(line, "--csv", "Write all results of the study as CSV");
    slurm_.add_to(line);
    for (const CommandKind& kind :
         {sweep_show_command(), sweep_best_command(), sweep_status_command(),
          sweep_collect_command(), sweep_cancel_command(), sweep_work_command()}) {
      commands_.add(line, kind);
    }
  }

  void run() override {
    if (CommandSet::named(line_)) {
      status_ = commands_.run(line_);
      return;
    }
    const study::Study study = study_.read();
    output_.open();
    output_.keep_off({study_.path(), study_.results()});
    const std::vector<PlannedPoint> points = plan(study);
    if (dry_run_) return print(points);
    const report::OutputFile writable("--results", study_.results());
    ResultStore store(study_.results(), ResultStore::Access::write);
    store.put_study(study.name, rows_of(points));
    if (slurm_.wanted()) {
      if (!hand_over(study, points, store)) return;
    } else {
      compute(study, missing(points, store), store);
    }
    const std::vector<study::StoredPoint> stored = show_to_others(study.name, store);
    store.finish();
    output_.write("--csv", [&] { return study::csv_of(stored); });
    summarise(stored);
    output_.finish();
  }
  int status() const override { return status_; }

 private:
  static void print(const std::vector<PlannedPoint>& points) {
    for (const PlannedPoint& point : points) {
      fmt::print("{}  {}\n", point.hash, shell_words(point.words));
    }
  }

  /// Makes the view of what is known by now, and answers that.
  static std::vector<study::StoredPoint> show_to_others(const std::string& name,
                                                        ResultStore& store) {
    std::vector<study::StoredPoint> stored = store.points(name);
    store.put_view(name, parameters_of(stored), measures_of(stored));
    return stored;
  }

  void compute(const study::Study& study, const std::vector<PlannedPoint>& todo,
               ResultStore& store) {
    try {
      simulate(study, todo, store);
    } catch (const Interrupted&) {
      show_to_others(study.name, store);
      throw;
    }
  }

  void simulate(const study::Study& study, const std::vector<PlannedPoint>& todo,
                ResultStore& store) {
    const auto begin = std::chrono::steady_clock::now();
    ProgressLine line("sweep");
    HeldSignals signals;
    simulate_points(
        todo, study.measures, limits(), [&](const std::vector<study::Outcome>& outcomes) {
          if (!outcomes.empty()) store.put(outcomes);
          for (const study::Outcome& outcome : outcomes) {
            ++(outcome.failed() ? state_.failed : state_.done);
          }
          line.show([this](double seconds) { return state_.line(seconds); }, state_.share());
          signals.check();
        });
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  /// Hands what is missing to Slurm. Whether all is done: else somebody has to ask again later.
  bool hand_over(const study::Study& study, const std::vector<PlannedPoint>& points,
                 ResultStore& store) {
    const study::Batch batch = study::Batch::of(study_.results(), study.name);
    refuse_second(batch);
    if (batch.exists()) collect(batch, store);
    constexpr int kMostAttempts = 3;
    const auto begin = std::chrono::steady_clock::now();
    std::size_t computed = 0;
    for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
      const std::vector<PlannedPoint> todo = missing(points, store);
      if (todo.empty()) break;
      fmt::print("{}\n", slurm_.submit(batch, study, todo, slurm_limits()));
      std::fflush(stdout);
      if (!slurm_.wait()) return false;
      computed += await(batch, store);
      retry_ = false;  // What fails once more has failed.
    }
    batch.remove();
    state_.done = computed;
    state_.failed = 0;
    seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return true;
  }

  void refuse_second(const study::Batch& batch) const {
    if (!batch.exists() || study::states_of(batch.job()).empty()) return;
    throw InputError({study_.path()},
                     "is on its way already, as job " + batch.job() +
                         " of Slurm: accepted are `heddle sweep status`, `collect` and `cancel`");
  }

  /// Until the batch is over; answers how many of its points are done or failed.
  std::size_t await(const study::Batch& batch, ResultStore& store) {
    constexpr auto kPause = std::chrono::seconds(1);
    ProgressLine line("sweep");
    HeldSignals signals;
    for (bool over = false;;) {
      const std::size_t ended = collect(batch, store);
      if (over) return ended;
      state_.done = ended;
      line.show([this](double seconds) { return state_.line(seconds); }, state_.share());
      over = study::states_of(batch.job()).empty();
      for (int i = 0; i < 10 && !over; ++i) {
        signals.check();
        std::this_thread::sleep_for(kPause / 10);
      }
    }
  }

  /// A task has one processor unless the user says more, and the memory of a point is Slurm's
  /// business unless the user says how much.
  WorkerLimits slurm_limits() const {
    WorkerLimits limits = this->limits();
    limits.jobs = jobs_.value_or(1);
    if (memory_.empty()) limits.memory = Bytes(INT64_MAX);
    return limits;
  }

  static std::vector<study::StoredPoint> rows_of(const std::vector<PlannedPoint>& points) {
    std::vector<study::StoredPoint> rows;
    for (const PlannedPoint& point : points) {
      rows.push_back({static_cast<std::int64_t>(rows.size() + 1), point.hash, point.parameters});
    }
    return rows;
  }

  /// The points that nobody has computed, each once.
  std::vector<PlannedPoint> missing(const std::vector<PlannedPoint>& points, ResultStore& store) {
    state_ = {};
    state_.points = points.size();
    std::set<std::string> hashes;
    for (const PlannedPoint& point : points) hashes.insert(point.hash);
    const auto known = store.known(hashes);
    std::vector<PlannedPoint> todo;
    for (const PlannedPoint& point : points) {
      const auto found = known.find(point.hash);
      const bool wanted =
          found == known.end() || (retry_ && found->second == ResultStore::Known::failed);
      if (!wanted) {
        ++state_.known;
      } else if (hashes.erase(point.hash) == 1) {
        todo.push_back(point);
      }
    }
    state_.todo = todo.size();
    return todo;
  }

  WorkerLimits limits() const {
    WorkerLimits limits = WorkerLimits::of_computer();
    if (jobs_) {
      limits.memory = Bytes(limits.memory.count() * static_cast<std::int64_t>(limits.jobs) /
                            static_cast<std::int64_t>(*jobs_));
      limits.jobs = *jobs_;
    }
    if (memory_.empty()) return limits;
    const auto memory = parse_bytes(memory_);
    if (!memory) {
      throw InputError({"--memory"}, in_quotes(memory_) + " is not a size: accepted is " +
                                         std::string(ParamType<Bytes>::accepted));
    }
    limits.memory = *memory;
    return limits;
  }

  void summarise(const std::vector<study::StoredPoint>& points) {
    std::size_t done = 0;
    const study::StoredPoint* failed = nullptr;
    std::size_t failures = 0;
    for (const study::StoredPoint& point : points) {
      done += point.done();
      if (point.status != "failed") continue;
      ++failures;
      if (failed == nullptr) failed = &point;
    }
    fmt::print("{} points: {} done", points.size(), done);
    if (failures > 0) fmt::print(", {} failed", failures);
    if (done + failures < points.size()) {
      fmt::print(", {} interrupted", points.size() - done - failures);
    }
    fmt::print("; {} computed now in {:.3g} s\nresults: {}\n", state_.done + state_.failed,
               seconds_, study_.results());
    if (failed != nullptr) {
      fmt::print("the first that failed is number {}: {}\n  {}\n", failed->number, failed->error,
                 failed->command);
    }
    status_ = done == points.size() ? kDone : kFailed;
  }

  static constexpr std::size_t kMostJobs = 1024;
  const CommandLine line_;
  CommandSet commands_;  ///< What else can be done with a study.
  StudyOptions study_;
  std::optional<std::uint32_t> jobs_;
  std::string memory_;
  bool retry_ = false;
  bool dry_run_ = false;
  SlurmOptions slurm_;
  OutputOptions output_;
  SweepState state_;
  double seconds_ = 0;
  int status_ = kDone;
};

}  // namespace

CommandKind sweep_command() {
  return {"sweep", "Simulate one command at many points, on all cores, and keep the results",
          "  heddle sweep study.yaml                 # all points that are not yet known\n"
          "  heddle sweep study.yaml --csv all.csv   # and every result as CSV\n"
          "  heddle sweep show study.yaml            # what they are\n"
          "  heddle sweep study.yaml --on slurm --time 30:00 --partition short",
          make_command<SweepCommand>};
}

}  // namespace heddle::cli
