#include "host/rank/thread_work.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/rank/counted.hpp"
#include "host/rank/crash.hpp"

namespace heddle::host {
namespace {

/// Simulated time for what a program has counted, on a node that is so much slower than others.
Time counted_time(const HostParams& params, std::uint64_t counted, double slowness) {
  return Time::ps(std::llround(static_cast<double>(counted) * slowness * 1e12 /
                               static_cast<double>(params.count_rate)));
}

}  // namespace

void ThreadWork::compute(Time duration) {
  occupy_core(duration, site_.now());
  site_.rank_site().handle_signals();
}

void ThreadWork::charge(Time cost) {
  const Time begin = site_.now();
  pass(cost);
  waits_.account().charged(begin);
  site_.rank_site().handle_signals();
}

void ThreadWork::begin_stretch() {
  if (departs()) departures_->since = Time::never();
  came_back(Time::zero());
  counted_since_ = heddle_counted;
}

void ThreadWork::came_back(Time taken) {
  if (site_.job_site().params().compute == ComputeModel::measure) {
    measured_since_ = site_.rank_site().program().processor_time() - taken;
  }
}

void ThreadWork::end_stretch() {
  Time begin = site_.now();
  if (departs()) {
    departures_->stretches.add(measured() >= Stretches::kLong);
    begin = std::min(begin, std::exchange(departures_->since, Time::never()));
  }
  const Time took = cost();
  if (took > Time::zero()) occupy_core(took, begin);
}

void ThreadWork::may_depart() {
  if (site_.job_site().params().compute != ComputeModel::measure) return;
  departures_ = std::make_unique<Departures>();
}

void ThreadWork::begin_call() {
  end_stretch();
  wait_for_core();
  site_.rank_site().handle_signals();
}

Time ThreadWork::measured() const {
  return site_.rank_site().program().processor_time() - measured_since_;
}

Time ThreadWork::scaled(Time measured) const {
  const HostParams& params = site_.job_site().params();
  const Time cost = Time::ps(
      static_cast<std::int64_t>(static_cast<double>(measured.ps()) * params.compute_factor));
  return cost < params.compute_threshold ? Time::zero() : cost;
}

Time ThreadWork::cost() const {
  JobSite& job = site_.job_site();
  const HostParams& params = job.params();
  switch (params.compute) {
    case ComputeModel::none:
      break;
    case ComputeModel::fixed:
      return params.compute_time;
    case ComputeModel::measure:
      return scaled(measured());
    case ComputeModel::count:
      return counted_time(params, heddle_counted - counted_since_,
                          job.processors().cores().slowness(site_.rank_site().node()));
  }
  return Time::zero();
}

void ThreadWork::pass(Time duration) {
  Fiber& fiber = site_.fiber();
  // Who asks the simulator to end is heard in the event loop.
  if (stop_signal() != 0 || !fiber.advance(duration)) fiber.sleep(duration);
}

void ThreadWork::occupy_core(Time duration, Time begin) {
  waits_.polls().start_anew();
  const RankSite& rank = site_.rank_site();
  JobSite& job = site_.job_site();
  const Cores::Member member{static_cast<std::uint32_t>(rank.id()), rank.node(),
                             job.ranks_on(rank.node()).size(), rank.has_threads()};
  const Time end = job.processors().reserve(member, begin, duration);
  if (end > site_.now() || begin == site_.now()) pass(end - site_.now());
  waits_.account().computed(begin, duration);
  job.processors().computed(site_.rank(), site_.now() - duration, site_.now());
}

void ThreadWork::wait_for_core() {
  const RankId rank = site_.rank_site().id();
  const Time rest = site_.job_site().processors().interrupted(rank, site_.now());
  if (rest == Time::zero()) return;
  pass(rest);
  waits_.account().held_up(rest);
}

}  // namespace heddle::host
