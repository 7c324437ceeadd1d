#include "host/rank/thread_waits.hpp"

#include <algorithm>

#include "host/rank/crash.hpp"

namespace heddle::host {

void ThreadWaits::wait(const WaitReason& reason, FiberDeputy& deputy, Wait& wait) {
  begin(wait);
  while (!rung_) {
    pausing_ = true;
    site_.fiber().suspend(reason, deputy);
    pausing_ = false;
    if (handle_signals()) rung_ = true;
  }
  if (!wait.over) end(wait);
}

bool ThreadWaits::deputy_may_act() const {
  const RankSite& rank = site_.rank_site();
  const HostedProcess* process = rank.process();
  return rung_ && !rank.has_threads() && (process == nullptr || !process->uses_signals()) &&
         stop_signal() == 0 && !site_.job_site().shared().waiters().spinners.any();
}

void ThreadWaits::suspend(const WaitReason& reason) {
  site_.fiber().suspend(reason);
}

bool ThreadWaits::block(const WaitReason& reason, Time deadline) {
  const Time begin = now();
  polls_.start_anew();
  pause(reason, deadline);
  account_.waited(begin);
  return handle_signals();
}

Time ThreadWaits::sleep(Time duration) {
  const Time begin = now();
  const Time deadline = begin + duration;
  polls_.start_anew();
  // Rings are for others; a sleep of zero still lets others go first.
  do {
    pause("sleeps", deadline);
  } while (!handle_signals() && now() < deadline);
  account_.slept(begin);
  return std::max(deadline - now(), Time::zero());
}

void ThreadWaits::wait_for_signal(const WaitReason& reason) {
  const Time begin = now();
  while (!handle_signals()) pause(reason, Time::never());
  account_.waited(begin);
}

void ThreadWaits::ring() {
  rung_ = true;
  wake();
}

void ThreadWaits::ring_in(Time delay) {
  rung_ = true;
  account_.note_waker();
  if (site_.fiber().wake_in(delay)) late_ = delay;
}

void ThreadWaits::put_off(Time delay) {
  late_ = delay;
  site_.fiber().put_off(delay);
}

void ThreadWaits::wake() {
  account_.note_waker();
  site_.fiber().wake();
}

void ThreadWaits::interrupt() {
  if (pausing_) site_.fiber().wake();
}

}  // namespace heddle::host
