#include "host/rank.hpp"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/units.hpp"
#include "host/job.hpp"
#include "host/process.hpp"

namespace heddle::host {
namespace {

Rank* running = nullptr;

/// A rank that polls in vain lets this part of the time it has done so pass with each look.
constexpr std::int64_t kPollGrowth = 64;

/// Processor time of this thread. A system call, because clock_gettime is the programs' simulated
/// one.
Time real_processor_time() {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

}  // namespace

Rank::Rank(Job& job, RankId id, NodeId node, std::uint32_t local)
    : job_(job), id_(id), node_(node), local_(local) {}

Rank::~Rank() = default;

void Rank::run(Fiber&) {
  computing_since_ = real_processor_time();
  job_.run(*this);
}

std::string Rank::name() const {
  return "rank " + std::to_string(static_cast<std::uint32_t>(id_));
}

void Rank::resumed() {
  if (const int signal = stop_signal()) throw StopError(*this, signal);
  job_.enter(*this);
  running = this;
}

void Rank::paused() {
  if (process_ != nullptr) process_->drain_streams();
  running = nullptr;
}

void Rank::ended() {
  if (crashed_ && job_.crash_.cause == Crash::Cause::stopped)
    throw StopError(*this, job_.crash_.signal);
  if (crashed_) throw CrashError(*this, job_.crash_);
  if (job_.abort_.rank == this) {
    if (!job_.abort_.problem.empty()) throw AbortError(job_.abort_.problem, job_.abort_.status);
    throw AbortError(*this, job_.abort_.call, job_.abort_.status);
  }
  job_.ended(*this);
  process_.reset();
}

bool Rank::unwinds() const {
  return job_.unwinds();
}

std::string Rank::node_name() const {
  return job_.platform().topology().name(VertexId{static_cast<std::uint32_t>(node_)});
}

Process& Rank::begin_process(HostedProgram& program) {
  process_ = std::make_unique<Process>(*this, program);
  process_->enter();
  return *process_;
}

void Rank::end(int status) {
  job_.finish(*this, status);
  fiber_->end();
}

void Rank::crash(const Crash& crash) {
  crashed_ = true;
  job_.crash_ = crash;
  times_.end = now();
  fiber_->end();
}

void Rank::abort_job(const char* call, int status) {
  job_.abort_ = {this, call, status, ""};
  times_.end = now();
  fiber_->end();
}

void Rank::fail_job(std::string problem) {
  job_.abort_ = {this, "", EXIT_FAILURE, std::move(problem)};
  times_.end = now();
  fiber_->end();
}

bool Rank::in_own_code() const {
  const RankStreams* streams = RankStreams::instance();
  return process_ != nullptr && call_ == nullptr && (streams == nullptr || !streams->writing());
}

void Rank::abandon_calls() {
  if (call_ != nullptr) computing_since_ = real_processor_time();
  call_ = nullptr;
  for (auto& extension : extensions_) {
    if (extension != nullptr) extension->calls_abandoned();
  }
}

void Rank::interrupt() {
  if (pausing_) fiber_->wake();
}

bool Rank::handle_signals() {
  return process_ != nullptr && process_->handle_signals();
}

void Rank::pause(const WaitReason& reason, Time deadline) {
  pausing_ = true;
  fiber_->suspend(reason, deadline == Time::never() ? deadline : deadline - now());
  pausing_ = false;
}

Rank* current_rank() {
  return running;
}

bool Rank::wait(const WaitReason& reason, Time timeout) {
  const Time begin = now();
  const Time deadline = begin + timeout;
  polling_since_ = Time::never();
  rung_ = false;
  while (!rung_ && now() < deadline) {
    pause(reason, deadline);
    // What the caller waits for may have been done by a handler.
    if (handle_signals()) rung_ = true;
  }
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
  times_.polling += now() - begin;
  handle_signals();
}

Time Rank::processor_time() const {
  return now() - times_.sleeping - (times_.waiting - times_.polling);
}

Time Rank::poll_step() const {
  const HostParams& params = job_.params();
  const Time polled_for = now() - polling_since_;
  if (polled_for > params.poll_patience) return params.poll_cost;
  return std::max(params.poll_cost, polled_for / kPollGrowth);
}

void Rank::compute(Time duration) {
  occupy_core(duration);
  handle_signals();
}

void Rank::occupy_core(Time duration) {
  const Time begin = now();
  polling_since_ = Time::never();
  fiber_->sleep(job_.reserve_core(*this, duration) - begin);
  times_.computing += duration;
  times_.waiting += now() - begin - duration;
  job_.computed(*this, now() - duration, now());
}

Time Rank::sleep(Time duration) {
  const Time begin = now();
  const Time deadline = begin + duration;
  polling_since_ = Time::never();
  // Rings are for others; a sleep of zero still lets others go first.
  do {
    pause("sleeps", deadline);
  } while (!handle_signals() && now() < deadline);
  times_.sleeping += now() - begin;
  return std::max(deadline - now(), Time::zero());
}

void Rank::wait_for_signal(const WaitReason& reason) {
  const Time begin = now();
  while (!handle_signals()) pause(reason, Time::never());
  times_.waiting += now() - begin;
}

void Rank::charge(Time cost) {
  fiber_->sleep(cost);
  handle_signals();
}

void Rank::charge_computation() {
  const HostParams& params = job_.params();
  if (params.compute == ComputeModel::none) return;
  const Time cost = params.compute == ComputeModel::fixed
                        ? params.compute_time
                        : job_.scaled(real_processor_time() - computing_since_);
  if (cost > Time::zero()) occupy_core(cost);
}

Call::Call(Rank& rank) : rank_(rank) {
  if (rank.call_ != nullptr) return;
  rank.call_ = this;
  if (rank.job().params().compute == ComputeModel::none) return;
  rank.charge_computation();
  rank.handle_signals();
}

Call::~Call() {
  if (rank_.call_ != this) return;
  rank_.call_ = nullptr;
  if (rank_.job().params().compute == ComputeModel::measure)
    rank_.computing_since_ = real_processor_time();
}

}  // namespace heddle::host
