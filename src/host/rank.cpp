#include "host/rank.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>

#include "core/units.hpp"
#include "host/job.hpp"

namespace heddle::host {
namespace {

Rank* running = nullptr;

/// A rank that polls in vain lets this part of the time it has done so pass with each look.
constexpr std::int64_t kPollGrowth = 64;

/// Processor time of this thread. A system call, because clock_gettime is the programs' simulated
/// one.
Time processor_time() {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

}  // namespace

Rank::Rank(Job& job, RankId id, NodeId node, std::uint32_t local)
    : job_(job), id_(id), node_(node), local_(local) {}

void Rank::run(Fiber&) {
  computing_since_ = processor_time();
  job_.run(*this);
}

std::string Rank::name() const {
  return "rank " + std::to_string(static_cast<std::uint32_t>(id_));
}

void Rank::resumed() {
  running = this;
}

void Rank::paused() {
  running = nullptr;
}

Rank* current_rank() {
  return running;
}

bool Rank::wait(const WaitReason& reason, Time timeout) {
  const Time begin = now();
  polling_since_ = Time::never();
  rung_ = false;
  fiber_->suspend(reason, timeout);
  times_.waiting += now() - begin;
  return rung_;
}

void Rank::ring() {
  rung_ = true;
  fiber_->wake();
}

void Rank::polled(const WaitReason& reason) {
  const Time begin = now();
  if (rung_ || polling_since_ == Time::never()) polling_since_ = begin;
  rung_ = false;
  const Time step = poll_step();
  if (job_.poll_ends(begin - polling_since_)) {
    const Time since = polling_since_;
    const auto in_vain = [&] {
      return fmt::format("{}, in vain since {}", reason.text(), format_time(since));
    };
    fiber_->suspend(in_vain);
  } else {
    job_.poll_sleep(*fiber_, reason, step);
  }
  times_.waiting += now() - begin;
}

Time Rank::poll_step() const {
  const HostParams& params = job_.params();
  const Time polled_for = now() - polling_since_;
  if (polled_for > params.poll_patience) return params.poll_cost;
  return std::max(params.poll_cost, polled_for / kPollGrowth);
}

void Rank::compute(Time duration) {
  const Time begin = now();
  polling_since_ = Time::never();
  fiber_->sleep(job_.reserve_core(*this, duration) - begin);
  times_.computing += duration;
  times_.waiting += now() - begin - duration;
  job_.computed(*this, now() - duration, now());
}

Time Rank::sleep(Time duration) {
  const Time begin = now();
  polling_since_ = Time::never();
  fiber_->sleep(duration);
  times_.sleeping += now() - begin;
  return duration - (now() - begin);
}

void Rank::charge_computation() {
  const HostParams& params = job_.params();
  if (params.compute == ComputeModel::none) return;
  const Time cost = params.compute == ComputeModel::fixed
                        ? params.compute_time
                        : job_.scaled(processor_time() - computing_since_);
  if (cost > Time::zero()) compute(cost);
}

Call::Call(Rank& rank) : rank_(rank) {
  if (rank.call_depth_++ == 0) rank.charge_computation();
}

Call::~Call() {
  if (--rank_.call_depth_ > 0) return;
  if (rank_.job().params().compute == ComputeModel::measure)
    rank_.computing_since_ = processor_time();
}

}  // namespace heddle::host
