#include "run/jobs/job_run.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <numeric>

#include "core/text.hpp"
#include "files/input_stream.hpp"
#include "goal/formats/formats.hpp"
#include "goal/nccl/nccl_pattern.hpp"
#include "goal/patterns/patterns.hpp"
#include "goal/side_by_side.hpp"
#include "platform/noise.hpp"
#include "run/replay_run.hpp"

namespace heddle::run {
namespace {

/// A job has whichever nodes are free, and each of its ranks one of them.
void refuse_switches(const JobLine& job) {
  const std::uint32_t switches = goal::noted_switches(files::beginning_of(job.schedule));
  if (switches == 0) return;
  throw InputError(job.where,
                   fmt::format("'{}' has the switches inside nodes among its ranks, its last {}, "
                               "which jobs do not know: accepted are schedules of processes only, "
                               "such as NCCL's without nvls and nvls-tree",
                               job.schedule, switches));
}

/// Starts are calculations, which nothing may make longer.
void refuse_changed_calcs(const Settings& settings) {
  const bool noisy = settings.get(platform::noise_table()).kind != platform::NoiseKind::none;
  if (!noisy && !settings.has("replay.measured_on")) return;
  const std::string name = noisy ? "noise.kind" : "replay.measured_on";
  throw InputError(settings.where(name),
                   "jobs compute exactly as long as their schedules say: accepted are machines "
                   "without " +
                       name);
}

class JobRun {
 public:
  JobRun(const platform::Machine& machine, const std::vector<JobLine>& jobs,
         const std::function<void(double)>& progress)
      : machine_(machine),
        jobs_(jobs),
        progress_(progress),
        unit_(machine.settings.get(replay::replay_table()).unit),
        free_(*machine.platform,
              static_cast<std::uint64_t>(machine.settings.get(platform::noise_table()).seed)) {
    refuse_changed_calcs(machine.settings);
    for (const JobLine& job : jobs) {
      schedules_.push_back(schedule_of(job));
      check(job, schedules_.back().ranks());
    }
    mix_.jobs.resize(jobs.size());
    order_.resize(jobs.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::size_t j) { return jobs[j].arrival; });
  }

  JobMix run() {
    for (const std::size_t job : order_) begin(job);
    replay_together();
    for (const std::size_t job : order_) replay_alone(job);
    for (const JobOutcome& job : mix_.jobs) mix_.end = std::max(mix_.end, job.end);
    return std::move(mix_);
  }

 private:
  goal::Schedule schedule_of(const JobLine& job) const {
    if (job.pattern.empty()) {
      refuse_switches(job);
      return goal::read_schedule(job.schedule, {});
    }
    Settings settings = machine_.settings;
    settings.assign("pattern.ranks=" + std::to_string(job.ranks), job.where);
    for (const auto& [assignment, where] : job.settings) settings.assign(assignment, where);
    try {
      return goal::generate(job.pattern, settings.get(goal::pattern_table()));
    } catch (const InputError& error) {
      if (error.where().line != 0) throw;
      throw InputError(job.where, error.problem());
    }
  }

  std::uint32_t nodes_of(const JobLine& job, std::uint32_t ranks) const {
    return (ranks + job.ranks_per_node - 1) / job.ranks_per_node;
  }

  void check(const JobLine& job, std::uint32_t ranks) const {
    const std::uint32_t nodes = machine_.platform->nodes();
    if (nodes_of(job, ranks) > nodes) {
      throw InputError(job.where, fmt::format("{} needs {} nodes: accepted are at most the {} of "
                                              "the machine, with more ranks to a node",
                                              job.name, nodes_of(job, ranks), nodes));
    }
    if (job.placement == JobPlacement::by_group && !free_.has_groups()) {
      throw InputError(job.where,
                       "this machine has no groups of switches: accepted are "
                       "contiguous, random and by-switch");
    }
  }

  /// Of the job, in the order of arrival.
  void begin(std::size_t number) {
    const JobLine& job = jobs_[number];
    JobOutcome& outcome = mix_.jobs[number];
    outcome.ranks = schedules_[number].ranks();
    const std::uint32_t wanted = nodes_of(job, outcome.ranks);
    Time now = std::max(last_start_, job.arrival);
    end_those_before(now);
    while (free_.count() < wanted) {
      now = next_end(now);
      end_those_before(now);
    }
    outcome.nodes = free_.take(wanted, job.placement);
    outcome.start = rounded(now);
    outcome.end = Time::never();
    if (replayed_ == begun_.size()) unknown_from_ = now;
    last_start_ = now;
    running_.push_back(number);
    begun_.push_back(number);
  }

  Time rounded(Time t) const {
    const std::int64_t units = (t.ps() + unit_.ps() - 1) / unit_.ps();
    return unit_ * units;
  }

  /// What ends up to `now` gives its nodes back. Who begins changes no end before that: ends up to
  /// the first start since the last replay are known.
  void end_those_before(Time now) {
    if (replayed_ < begun_.size() && now > unknown_from_) replay_together();
    std::erase_if(running_, [&](std::size_t job) {
      const bool over = mix_.jobs[job].end <= now;
      if (over) free_.give_back(mix_.jobs[job].nodes);
      return over;
    });
  }

  /// The first end of those that run.
  Time next_end(Time now) {
    if (replayed_ < begun_.size()) replay_together();
    Time next = Time::never();
    for (const std::size_t job : running_) next = std::min(next, mix_.jobs[job].end);
    return std::max(now, next);
  }

  /// All that have begun.
  void replay_together() {
    std::vector<goal::LateSchedule> parts;
    std::vector<NodeId> places;
    for (const std::size_t job : begun_) add(job, parts, places);
    const ReplayOutcome outcome = replay(parts, std::move(places));
    mix_.fingerprint = outcome.fingerprint();
    std::size_t rank = 0;
    for (const std::size_t job : begun_) {
      JobOutcome& one = mix_.jobs[job];
      one.end = Time::zero();
      for (std::uint32_t r = 0; r < one.ranks; ++r) {
        one.end = std::max(one.end, outcome.result.finish[rank++]);
      }
    }
    replayed_ = begun_.size();
  }

  void replay_alone(std::size_t job) {
    std::vector<goal::LateSchedule> parts;
    std::vector<NodeId> places;
    add(job, parts, places);
    mix_.jobs[job].alone =
        replay(parts, std::move(places)).result.makespan() - mix_.jobs[job].start;
  }

  void add(std::size_t job, std::vector<goal::LateSchedule>& parts,
           std::vector<NodeId>& places) const {
    const JobOutcome& outcome = mix_.jobs[job];
    const auto start = static_cast<std::uint64_t>(outcome.start.ps() / unit_.ps());
    parts.push_back({&schedules_[job], start});
    for (std::uint32_t r = 0; r < outcome.ranks; ++r) {
      places.push_back(outcome.nodes[r / jobs_[job].ranks_per_node]);
    }
  }

  ReplayOutcome replay(const std::vector<goal::LateSchedule>& parts, std::vector<NodeId> places) {
    const goal::Schedule schedule = goal::side_by_side(parts);
    ReplayRequest request{machine_, schedule};
    request.places = std::move(places);
    ReplayOutcome outcome = replay_schedule(request);
    ++mix_.replays;
    if (progress_) {
      progress_(static_cast<double>(mix_.replays) / static_cast<double>(2 * jobs_.size() + 1));
    }
    return outcome;
  }

  const platform::Machine& machine_;
  const std::vector<JobLine>& jobs_;
  const std::function<void(double)>& progress_;
  Time unit_;
  FreeNodes free_;
  std::vector<goal::Schedule> schedules_;  ///< By place in the list, as all below.
  std::vector<std::size_t> order_;
  std::vector<std::size_t> begun_;
  std::vector<std::size_t> running_;
  std::size_t replayed_ = 0;  ///< Of those that have begun.
  Time last_start_;
  Time unknown_from_;  ///< Ends after this are not known, if some that have begun are not replayed.
  JobMix mix_;
};

}  // namespace

JobMix run_jobs(const platform::Machine& machine, const std::vector<JobLine>& jobs,
                const std::function<void(double)>& progress) {
  return JobRun(machine, jobs, progress).run();
}

}  // namespace heddle::run
