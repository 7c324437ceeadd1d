#include "host/rank/thread_looks.hpp"

#include <fmt/core.h>

#include "core/units.hpp"
#include "host/rank/crash.hpp"

namespace heddle::host {

void ThreadLooks::polled(const WaitReason& reason) {
  RankSite& rank = site_.rank_site();
  const Time begin = site_.now();
  const HostParams& params = site_.job_site().params();
  if (waits_.take_ring()) waits_.polls().start_anew();
  PollPolicy::Effort effort = rank.program().poll_effort();
  // What another rank of the node stores into memory that both have, nobody tells.
  effort.all_is_told =
      rank.process() != nullptr && site_.job_site().ranks_on(rank.node()).size() == 1;
  const PollPolicy::Step step = waits_.polls().looked(
      begin, {params.poll_cost, params.poll_patience, effort},
      site_.job_site().shared().only_pollers(site_.job_site().simulation()), reason.kind());
  if (step.hopeless) {
    const Time since = waits_.polls().since();
    const auto in_vain = [&] {
      return fmt::format("{}, in vain since {}", reason.text(), format_time(since));
    };
    nap(in_vain, Time::never());
  } else {
    nap(reason, step.nap);
  }
  waits_.account().polled(begin);
  rank.handle_signals();
}

void ThreadLooks::saw_clock() {
  waits_.polls().saw_clock();
  site_.job_site().shared().saw_clock();
}

void ThreadLooks::nap(const WaitReason& reason, Time duration) {
  RankSite& rank = site_.rank_site();
  Fiber& fiber = site_.fiber();
  const Time begin = site_.now();
  const Time cost = site_.job_site().params().poll_cost;
  // Who looks at its memory without a call goes on only when others stop.
  Waiters& waiters = site_.job_site().shared().waiters();
  const bool at_once = stop_signal() == 0 && !waiters.spinners.any();
  if (duration == Time::never()) {
    set_aside_ = true;
    const RestingPollers::Rest resting(waiters.resting, fiber, rank.memory(), rank.self());
    waits_.pause(reason, duration);
    set_aside_ = false;
  } else if (duration > cost) {
    if (at_once && fiber.advance(duration)) return;
    const SharedRun::Poller poller(site_.job_site().shared());
    const RestingPollers::Rest resting(waiters.resting, fiber, rank.memory(), rank.self());
    waits_.pause(reason, begin + duration);
  }
  const SharedRun::Poller poller(site_.job_site().shared());
  const Time left = PollPolicy::until_look(site_.now() - begin, cost);
  if (left <= Time::zero() || (at_once && fiber.advance(left))) return;
  fiber.sleep(left);
}

void ThreadLooks::spin(const WaitReason& reason, const Look& look) {
  /// Goes on only if there is something new to see.
  struct Onlooker final : FiberDeputy {
    explicit Onlooker(const Spinner& looks) : spinner(looks) {}
    bool act() override { return !spinner.looks_in_vain(); }
    const Spinner& spinner;
  };
  const Time begin = site_.now();
  Fiber& fiber = site_.fiber();
  if (spinner_ == nullptr) {
    spinner_ =
        std::make_unique<Spinner>(fiber, site_.rank_site().memory(), site_.rank_site().node());
  }
  set_aside_ = !spinner_->set_aside(look, calls_.made());
  SharedRun& run = site_.job_site().shared();
  if (run.processor_use() != nullptr) run.processor_use()->waited(site_);
  Spinners& spinners = run.waiters().spinners;
  spinners.add(*spinner_);
  Onlooker onlooker(*spinner_);
  fiber.suspend(reason, onlooker);
  spinners.remove(fiber);
  spinner_->go_on();
  set_aside_ = false;
  waits_.account().waited(begin);
  // What it did was waiting, not computing.
  work_.begin_stretch();
}

bool ThreadLooks::look_after_call() {
  const bool in_call = calls_.under_way();
  if (in_call && watched()) calls_.look_afterwards();
  return in_call;
}

void ThreadLooks::watch_soon() {
  const bool from_call = calls_.take_look();
  if (spinner_ == nullptr) return;
  spinner_->count_watch();
  if (Watch* const watch = site_.job_site().shared().waiters().watch) {
    watch->watch_soon(*spinner_, from_call);
  }
}

void ThreadLooks::paused() {
  if (set_aside_) return;
  RankSite& rank = site_.rank_site();
  Waiters& waiters = site_.job_site().shared().waiters();
  if (waiters.spinners.any()) waiters.spinners.ran(site_.fiber(), rank.node());
  if (rank.has_threads() && waiters.resting.any()) waiters.resting.ran(site_.fiber(), rank.self());
}

void ThreadLooks::charge_counter() {
  saw_clock();
  work_.charge(site_.job_site().params().clock_cost);
  counter_charged_ = true;
}

}  // namespace heddle::host
