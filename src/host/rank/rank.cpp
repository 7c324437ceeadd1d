#include "host/rank/rank.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <utility>

#include "core/prefetch.hpp"
#include "host/rank/job.hpp"
#include "platform/node_names.hpp"

namespace heddle::host {
namespace {

std::string who(const Rank& rank) {
  const std::string node = platform::node_name(rank.job().platform().topology(), rank.node());
  return fmt::format("{} (node {})", rank.name(), node);
}

}  // namespace

Rank::Rank(Job& job, Program& program, RankId id, NodeId node, std::uint32_t local)
    : job_(job), program_(program), id_(id), node_(node), local_(local), main_(*this, 0) {}

Rank::~Rank() = default;

void Rank::start(FiberScheduler& scheduler, AddressSpace& memory) {
  memory_ = &memory;
  memory.tell(&job_.waiters());
  main_.start(scheduler, nullptr, {{}, program_.thread_pointer(*this)});
}

void Rank::foresee() const {
  constexpr std::size_t kExtension = 256;  ///< The first of it, at least.
  prefetch_whole(*this);
  if (process_ != nullptr) prefetch_bytes(process_.get(), HostedProcess::kTurn);
  for (const auto& extension : extensions_) {
    if (extension != nullptr) prefetch_bytes(extension.get(), kExtension);
  }
}

void Rank::run() {
  job_.run(*this);
}

void Rank::resumed(Thread& thread) {
  job_.turn().enter(*this);
  active_ = &thread;
}

void Rank::paused() {
  if (process_ != nullptr) process_->paused();
}

void Rank::turn_has_come() {
  for (auto& extension : extensions_) {
    if (extension != nullptr) extension->turn_has_come();
  }
}

void Rank::ended() {
  if (crashed_ && job_.crash().cause == Crash::Cause::stopped) {
    throw StopError(now(), job_.crash().signal);
  }
  if (crashed_) throw CrashError(who(*this), job_.crash());
  if (job_.abort().rank == this) {
    const Job::Abort& abort = job_.abort();
    if (!abort.problem.empty()) throw AbortError(abort.problem, abort.status);
    throw AbortError(who(*this), abort.call, abort.status);
  }
  ending_ = true;
  if (active_ != &main_) {
    job_.waiters().remove(main_.fiber());
    main_.fiber().discard();
  }
  for (Thread* thread : others_) {
    if (thread == active_) continue;
    job_.waiters().remove(thread->fiber());
    thread->fiber().discard();
  }
  job_.ended(*this);
  process_.reset();
}

void Rank::ring() {
  main_.ring();
  for (Thread* thread : others_) thread->ring();
}

void Rank::wake() {
  main_.wake();
  for (Thread* thread : others_) thread->wake();
}

void Rank::remove(Thread& thread) {
  past_processor_time_ += thread.processor_time();
  std::erase(others_, &thread);
}

const Thread* Rank::find_thread(int id) const {
  if (main_.id() == id) return &main_;
  for (const Thread* thread : others_) {
    if (thread->id() == id) return thread;
  }
  return nullptr;
}

Time Rank::processor_time() const {
  Time time = main_.processor_time() + past_processor_time_;
  for (const Thread* thread : others_) time += thread->processor_time();
  return time;
}

std::string Rank::name() const {
  std::string name = fmt::format("rank {}", index(id_));
  if (job_.number() > 0) name += fmt::format(" of program {}", job_.number());
  return name;
}

std::string Rank::node_name() const {
  return platform::host_name(job_.platform().topology(), node_);
}

void Rank::begin_process(std::unique_ptr<HostedProcess> process) {
  process_ = std::move(process);
  process_->enter();
}

void Rank::end(int status) {
  job_.finish(*this, status);
  ending_ = true;
  thread().fiber().end();
}

void Rank::crash(const Crash& crash) {
  crashed_ = true;
  job_.set_crash(crash);
  set_end(now());
  thread().fiber().end();
}

/// Nothing is destroyed on the stack that this leaves.
void Rank::end_with(const char* call, int status, std::string problem) {
  ending_ = true;
  job_.set_abort({this, call, status, std::move(problem)});
  set_end(now());
  thread().fiber().end();
}

void Rank::abort_job(const char* call, int status) {
  end_with(call, status, "");
}

void Rank::fail_job(std::string problem) {
  end_with("", EXIT_FAILURE, std::move(problem));
}

bool Rank::in_own_code() const {
  return process_ != nullptr && !thread().in_call() && !process_->writing();
}

void Rank::abandon_calls() {
  thread().abandon_calls();
  for (auto& extension : extensions_) {
    if (extension != nullptr) extension->calls_abandoned();
  }
}

}  // namespace heddle::host
