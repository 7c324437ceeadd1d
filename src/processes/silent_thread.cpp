#include "processes/silent_thread.hpp"

#include <fmt/core.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string>

#include "core/units.hpp"
#include "host/rank/crash.hpp"
#include "host/rank/job.hpp"
#include "host/rank/processor_use.hpp"
#include "processes/calls.hpp"

namespace heddle::processes {
namespace {

Time real_time() {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

/// Processor time of a thread of any process.
Time processor_time_of(std::uint32_t thread) {
  constexpr unsigned kOfThread = 6;  // As the kernel makes the numbers of such clocks.
  timespec t{};
  syscall(SYS_clock_gettime, static_cast<clockid_t>(~thread << 3U | kOfThread), &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

}  // namespace

void SilentThread::could_run(bool held) {
  asleep_since_ = Time::never();
  // Calls of other threads end naps early.
  const Time now = real_time();
  if (asked_ == Time::zero()) asked_ = now;
  if (held || now - asked_ < kNapTime) return;
  asked_ = now;
  ask();
}

bool SilentThread::oversleeps() {
  running_ = 0;
  asleep_since_ = std::min(asleep_since_, real_time());
  return real_time() - asleep_since_ > rank_.job().params().outside_patience;
}

/// What it computes between two looks; in a shorter time it makes a call.
void SilentThread::tell_use(Time stretch) {
  host::ProcessorUse* const use = rank_.job().shared().processor_use();
  if (use == nullptr) return;
  const Time used = processor_time_of(slot_.thread);
  const Time passed = running_ == 1 ? kNapTime : used - used_;
  used_ = used;
  const auto name = [&] { return rank_.thread().name(); };
  use->computed_outside({nullptr, rank_.job().recorded_as(rank_.id()), 0, rank_.now(), name},
                        passed, stretch);
}

void SilentThread::ask() {
  const Time stretch = kNapTime * ++running_;
  if (max_step_ > Time::zero() && stretch > max_step_) {
    rank_.ending().crash({host::Crash::Cause::hang, 0, nullptr, nullptr, nullptr, max_step_});
  }
  // A process that has not begun yet is no longer, or not yet, what is to run.
  if (channel_.slots_used == 0) return;
  tell_use(stretch);
  const bool impatient = stretch > rank_.job().params().spin_patience;
  if (impatient) {
    const std::string text = fmt::format(
        "heddle: {} has run for {} without a call: it is taken to wait for something in its "
        "memory\n",
        rank_.thread().name(), format_time(stretch));
    std::fwrite(text.data(), 1, text.size(), stderr);
  }
  siginfo_t info{};
  info.si_signo = kLookSignal;
  info.si_code = SI_QUEUE;
  info.si_value.sival_int = impatient ? kImpatient : kLook;
  syscall(SYS_rt_tgsigqueueinfo, channel_.process.load(), slot_.thread.load(), kLookSignal, &info);
}

}  // namespace heddle::processes
