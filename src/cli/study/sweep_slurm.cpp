#include "cli/study/sweep_slurm.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "cli/held_signals.hpp"
#include "cli/study/sweep_command.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "report/output_file.hpp"
#include "study/slurm.hpp"

namespace heddle::cli {

namespace fs = std::filesystem;
using study::Batch;
using study::Outcome;
using study::ResultStore;

void SlurmOptions::add_to(CommandLine line) {
  line.add_option("--on", on_, "Hand points to a batch system: slurm")
      .type_name("SYSTEM")
      .check(one_of({"slurm"}));
  line.add_flag("--wait", wait_, "Slurm: wait until all is done, and hand lost points over again");
  line.add_option("--chunk", chunk_, "Slurm: points of a task (default: for at most 1,000 tasks)")
      .type_name("N")
      .check(whole_number(1, study::Study::kMostPoints));
  line.add_option("--at-once", at_once_, "Slurm: so many tasks at a time at most")
      .type_name("N")
      .check(whole_number(1, study::Study::kMostPoints));
  line.add_option("--partition", partition_, "Slurm: where").type_name("NAME").check(not_empty());
  line.add_option("--time", time_, "Slurm: how long a task may take, as sbatch has it")
      .type_name("LIMIT")
      .check(not_empty());
  line.add_option("--dependency", dependency_, "Slurm: what to wait for, as sbatch has it")
      .type_name("JOBS")
      .check(not_empty());
  line.add_option("--sbatch", more_, "Slurm: another option of sbatch, such as --mem=2G")
      .type_name("OPTION")
      .one_at_a_time();
  for (const char* option :
       {"--chunk", "--at-once", "--partition", "--time", "--dependency", "--sbatch", "--wait"}) {
    line.option(option).needs("--on");
  }
}

std::size_t SlurmOptions::chunk_for(std::size_t points) const {
  constexpr std::size_t kMostTasks = 1000;  // A cluster allows 1001 unless it says otherwise.
  return chunk_ ? *chunk_ : std::max<std::size_t>(1, (points + kMostTasks - 1) / kMostTasks);
}

std::string SlurmOptions::submit(const Batch& batch, const study::Study& study,
                                 const std::vector<PlannedPoint>& points,
                                 const WorkerLimits& limits) const {
  const std::size_t chunk = chunk_for(points.size());
  const std::size_t tasks =
      batch.create({points, study.measures, limits.jobs, limits.memory}, chunk);
  const std::string script = batch.folder() + "/script";
  report::OutputFile("batch", script)
      .write(fmt::format("#!/bin/sh\nexec {} sweep work {} --task \"$SLURM_ARRAY_TASK_ID\"\n",
                         shell_quoted(fs::read_symlink("/proc/self/exe").string()),
                         shell_quoted(batch.folder())));
  study::SlurmRequest request;
  request.name = "heddle-" + study.name;
  request.tasks = tasks;
  request.at_once = at_once_.value_or(0);
  request.cpus = limits.jobs;
  request.log = batch.log_pattern();
  request.partition = partition_;
  request.time = time_;
  request.dependency = dependency_;
  request.more = more_;
  std::string job;
  try {
    job = study::submit(request, script);
  } catch (const RunError&) {
    batch.remove();
    throw;
  }
  batch.set_job(job);
  return fmt::format("{} points are job {} of Slurm: {} tasks of at most {} points", points.size(),
                     job, tasks, chunk);
}

std::size_t collect(const Batch& batch, ResultStore& store) {
  std::vector<Outcome> outcomes = batch.outcomes();
  std::set<std::string> hashes;
  for (const Outcome& outcome : outcomes) hashes.insert(outcome.hash);
  const auto known = store.known(hashes);
  std::vector<Outcome> fresh;
  for (const Outcome& outcome : outcomes) {
    const auto found = known.find(outcome.hash);
    const bool better =
        found == known.end() || (found->second == ResultStore::Known::failed && !outcome.failed());
    if (better) fresh.push_back(outcome);
  }
  if (!fresh.empty()) store.put(fresh);
  return hashes.size();
}

namespace {

/// A study and its batch, as commands about a batch need them.
class BatchCommand : public Command {
 protected:
  explicit BatchCommand(CommandLine line) { study_.add_to(line); }

  /// Throws InputError if nothing was handed over.
  Batch batch() const {
    Batch batch = Batch::of(study_.results(), study_.read().name);
    if (batch.exists()) return batch;
    throw InputError({study_.path()},
                     "nothing of it is on its way: `heddle sweep STUDY --on slurm` hands it over");
  }

  /// Puts what is done into the file of results, and says so. A batch that is over is removed.
  void collect_now() {
    const Batch batch = this->batch();
    const bool over = study::states_of(batch.job()).empty();
    ResultStore store(study_.results(), ResultStore::Access::write);
    const std::size_t done = collect(batch, store);
    const auto stored = store.points(study_.read().name);
    store.put_view(study_.read().name, parameters_of(stored), measures_of(stored));
    store.finish();
    const std::size_t all = batch.points();
    fmt::print("{} of {} points are in {}\n", done, all, study_.results());
    if (!over) return;
    batch.remove();
    if (done < all) {
      fmt::print("the job is over: the same command hands the other {} over again\n", all - done);
    }
  }

  StudyOptions study_;
};

class StatusCommand final : public BatchCommand {
 public:
  explicit StatusCommand(CommandLine line) : BatchCommand(line) {}
  void run() override {
    const Batch batch = this->batch();
    const auto outcomes = batch.outcomes();
    std::set<std::string> done;
    std::set<std::string> failed;
    for (const Outcome& outcome : outcomes) {
      (outcome.failed() ? failed : done).insert(outcome.hash);
    }
    fmt::print("job {}: {} points, {} done, {} failed\n", batch.job(), batch.points(), done.size(),
               failed.size());
    const auto states = study::states_of(batch.job());
    if (states.empty()) fmt::print("the job is over; `heddle sweep collect` takes its results\n");
    for (const auto& [state, count] : states) fmt::print("tasks {}: {}\n", state, count);
  }
};

class CollectCommand final : public BatchCommand {
 public:
  explicit CollectCommand(CommandLine line) : BatchCommand(line) {}
  void run() override { collect_now(); }
};

class CancelCommand final : public BatchCommand {
 public:
  explicit CancelCommand(CommandLine line) : BatchCommand(line) {}
  void run() override {
    const std::string job = batch().job();
    study::cancel(job);
    fmt::print("job {} is cancelled\n", job);
    collect_now();
  }
};

/// One task of a batch: what the tasks of Slurm call.
class WorkCommand final : public Command {
 public:
  explicit WorkCommand(CommandLine line) {
    line.add_option("folder", folder_, "Of the batch").type_name("FOLDER").required();
    line.add_option("--task", task_, "Which of its tasks")
        .type_name("N")
        .check(whole_number(0, study::Study::kMostPoints))
        .required();
  }

  void run() override {
    const Batch batch(folder_);
    const study::BatchTask task = batch.task(task_);
    if (task.points.empty()) return;
    const study::OutcomeFile file(batch, task_);
    HeldSignals signals;
    simulate_points(task.points, task.measures, {task.jobs, task.memory},
                    [&](const std::vector<Outcome>& outcomes) {
                      for (const Outcome& outcome : outcomes) file.append(outcome);
                      signals.check();
                    });
  }

 private:
  std::string folder_;
  std::uint32_t task_ = 0;
};

}  // namespace

CommandKind sweep_work_command() {
  return {"work", "Do one task of a study that was handed over (batch systems call this)",
          "  heddle sweep work results.sqlite.slurm/study --task 0", make_command<WorkCommand>};
}

CommandKind sweep_status_command() {
  return {"status", "Say how far a study is that was handed over",
          "  heddle sweep status study.yaml", make_command<StatusCommand>};
}

CommandKind sweep_collect_command() {
  return {"collect", "Take the results of a study that was handed over",
          "  heddle sweep collect study.yaml", make_command<CollectCommand>};
}

CommandKind sweep_cancel_command() {
  return {"cancel", "Cancel a study that was handed over, and take what is done",
          "  heddle sweep cancel study.yaml", make_command<CancelCommand>};
}

}  // namespace heddle::cli
