// What loops cost that do nothing but what is free.
#pragma once

#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"

namespace heddle::host {

/// The running thread does once more what costs nothing: if it does nothing else, time passes, so
/// that the loop ends, and others go on meanwhile.
inline void charge_repetition(Thread& thread, IdleLoop& loop) {
  if (loop.repeats(thread.now())) {
    JobSite& job = thread.job_site();
    const Call call(thread.rank());
    job.shared().saw_clock();
    thread.work().charge(job.params().clock_cost);
  }
  loop.done(thread.now());
}

}  // namespace heddle::host
