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

/// Steps of the processor's counter in a stretch that is long: about as many as in
/// Stretches::kLong.
constexpr std::uint64_t kLong = 40'000;

/// Not exact, but asked for in no time: zero where ranks stay on one thread anyway.
std::uint64_t processor_counter() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}

}  // namespace

ThreadAside::ThreadAside(ThreadSite& site, ThreadWork& work, const ThreadLooks& looks)
    : site_(site), work_(work), looks_(looks) {
  work_.may_depart();
}

bool ThreadAside::possible() const {
  const RankSite& rank = site_.rank_site();
  if (rank.has_threads() || looks_.spinner() != nullptr) return false;
  const HostedProcess* const process = rank.process();
  if (process == nullptr || process->uses_signals()) return false;
  return stop_signal() == 0 && !site_.job_site().shared().waiters().spinners.any();
}

bool ThreadAside::expects_long() const {
  RunAhead& ahead = *site_.fiber().scheduler().ahead();
  return ahead.disturbed() ? ahead.chance(2) : stretches_.expects_long();
}

void ThreadAside::leave() {
  FiberLead& lead = site_.fiber().lead();
  if (work_.departs()) return depart();
  if (site_.fiber().scheduler().running_ahead()) {
    lead.go_aside();
  } else if (expects_long() && possible()) {
    lead.look_around();
  }
  began_ = processor_counter();
}

void ThreadAside::stretch_ends() {
  const std::uint64_t began = std::exchange(began_, 0);
  if (began != 0) stretches_.add(processor_counter() - began >= kLong);
}

bool ThreadAside::ends_wait_early() {
  return expects_long() && possible() && site_.rank_site().extensions().end_wait_early();
}

bool ThreadAside::early_wait_is_over() {
  return site_.rank_site().extensions().early_wait_is_over();
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
  stretch_ends();
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
