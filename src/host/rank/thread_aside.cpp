#include "host/rank/thread_aside.hpp"

#include <sys/syscall.h>
#include <time.h>

#include <utility>

#include "core/kernel_call.hpp"
#include "host/rank/crash.hpp"

namespace heddle::host {
namespace {

/// By the kernel itself: functions of the C library may be those of ranks, which wait for their
/// turn.
Time real_processor_time() {
  timespec t{};
  kernel_call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, reinterpret_cast<long>(&t));
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

}  // namespace

ThreadAside::ThreadAside(ThreadSite& site, ThreadWork& work, const ThreadLooks& looks)
    : site_(site), work_(work), looks_(looks) {
  work_.may_depart();
}

void ThreadAside::may_begin(RunAhead::From from) {
  // What is measured departs in its turn: how long it takes is not known before.
  if (work_.departs()) return;
  if (possible() && worth_.tries_next()) site_.fiber().lead().may_begin(from);
}

bool ThreadAside::possible() const {
  const RankSite& rank = site_.rank_site();
  if (rank.has_threads() || looks_.spinner() != nullptr) return false;
  const HostedProcess* const process = rank.process();
  return process != nullptr && !process->uses_signals();
}

void ThreadAside::leave() {
  if (site_.fiber().scheduler().running_ahead()) {
    site_.fiber().lead().go_aside();
  } else if (work_.departs()) {
    depart();
  }
}

void ThreadAside::depart() {
  if (!work_.expects_long() || !possible()) return;
  work_.depart();
  site_.fiber().lead().depart();
}

void ThreadAside::gone_aside() {
  since_ = real_processor_time();
}

void ThreadAside::coming_back() {
  taken_ = real_processor_time() - since_;
  worth_.took(taken_);
}

void ThreadAside::come_back() {
  const Time taken = std::exchange(taken_, Time::zero());
  work_.came_back(taken);
  ProcessorUse* const use = site_.job_site().shared().processor_use();
  if (use != nullptr && taken > Time::zero()) {
    use->computed_aside(site_.lane().rank, taken);
  }
  site_.rank_site().extensions().turn_has_come();
}

Time ThreadAside::aside_until(Time computed) {
  if (const int signal = stop_signal()) throw StopError(site_.now(), signal);
  return work_.departed_until(computed);
}

}  // namespace heddle::host
