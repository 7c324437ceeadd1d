// Signals and timers.
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "host/libc/calls/rank_call.hpp"

namespace heddle::host {
namespace {

Time as_time(const timeval& t) {
  return Time::s(t.tv_sec) + Time::us(t.tv_usec);
}

timeval as_timeval(Time t) {
  const std::int64_t us = t.ps() / 1'000'000;
  return {us / 1'000'000, static_cast<suseconds_t>(us % 1'000'000)};
}

itimerval as_itimerval(const Signals::Timer& timer) {
  return {as_timeval(timer.interval), as_timeval(timer.first)};
}

bool exists(int signal) {
  return signal >= 1 && signal <= kMaxSignal;
}

int invalid() {
  errno = EINVAL;
  return -1;
}

/// The mask after sigprocmask(how, set).
SignalSet changed(SignalSet mask, int how, SignalSet set) {
  if (how == SIG_BLOCK) return mask | set;
  if (how == SIG_UNBLOCK) return mask & ~set;
  return set;
}

/// The rank whose process has this number, or null.
Rank* find_process(pid_t pid) {
  Job& job = current_rank()->job();
  const std::int64_t rank = pid - kFirstProcess;
  if (rank < 0 || rank >= job.size()) return nullptr;
  Rank& found = job.rank(RankId{static_cast<std::uint32_t>(rank)});
  return found.process() == nullptr ? nullptr : &found;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int sigaction(int signal, const struct sigaction* change, struct sigaction* old) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(sigaction)(signal, change, old);
  if (!exists(signal) || signal == SIGKILL || signal == SIGSTOP) return invalid();
  process->signals().action(signal, change, old);
  return 0;
}

sighandler_t signal(int number, sighandler_t handler) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(signal)(number, handler);
  struct sigaction change {};
  struct sigaction old {};
  change.sa_handler = handler;
  change.sa_flags = SA_RESTART;
  return sigaction(number, &change, &old) == 0 ? old.sa_handler : SIG_ERR;
}

int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(sigprocmask)(how, set, old);
  Signals& signals = process->signals();
  if (old != nullptr) fill(*old, signals.blocked());
  if (set == nullptr) return 0;
  signals.block(changed(signals.blocked(), how, signals_of(*set)));
  signals.deliver();
  return 0;
}

int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_sigmask)(how, set, old);
  return sigprocmask(how, set, old);
}

int sigpending(sigset_t* set) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(sigpending)(set);
  fill(*set, process->signals().pending());
  return 0;
}

int raise(int signal) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(raise)(signal);
  if (!exists(signal)) return invalid();
  process->signals().send(signal);
  process->signals().deliver();
  return 0;
}

int kill(pid_t pid, int signal) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(kill)(pid, signal);
  Rank* target = pid == 0 ? current_rank() : find_process(pid);
  if (target == nullptr) {
    errno = ESRCH;
    return -1;
  }
  if (signal == 0) return 0;
  if (target == current_rank()) return raise(signal);
  if (!exists(signal)) return invalid();
  process_of(*target)->signals().send(signal);
  return 0;
}

void abort() noexcept {
  Process* process = current_process();
  if (process == nullptr) HEDDLE_REAL(abort)();
  raise(SIGABRT);
  process->kill(SIGABRT);
}

unsigned int alarm(unsigned int seconds) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(alarm)(seconds);
  const Time left = process->signals().set_timer({Time::s(seconds), Time::zero()}).first;
  constexpr std::int64_t kPsPerSecond = 1'000'000'000'000;
  return static_cast<unsigned int>((left.ps() + kPsPerSecond - 1) / kPsPerSecond);
}

useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(ualarm)(first, interval);
  const auto before = process->signals().set_timer({Time::us(first), Time::us(interval)});
  return static_cast<useconds_t>(before.first.ps() / 1'000'000);
}

int setitimer(__itimer_which_t which, const itimerval* change, itimerval* old) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(setitimer)(which, change, old);
  if (which != ITIMER_REAL) return invalid();
  const auto before =
      process->signals().set_timer({as_time(change->it_value), as_time(change->it_interval)});
  if (old != nullptr) *old = as_itimerval(before);
  return 0;
}

int getitimer(__itimer_which_t which, itimerval* result) noexcept {
  Process* process = current_process();
  if (process == nullptr) return HEDDLE_REAL(getitimer)(which, result);
  if (which != ITIMER_REAL) return invalid();
  *result = as_itimerval(process->signals().timer());
  return 0;
}
}
