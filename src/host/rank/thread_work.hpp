// What the computation of a thread costs.
#pragma once

#include <cstdint>
#include <memory>

#include "core/time.hpp"
#include "host/rank/stretches.hpp"
#include "host/rank/thread_site.hpp"
#include "host/rank/thread_waits.hpp"

namespace heddle::host {

/// The work of one thread on the processors of its node: what it asks for, and what it has computed
/// by itself since some instant, measured or counted on this computer (`host.compute`).
class ThreadWork {
 public:
  ThreadWork(ThreadSite& site, ThreadWaits& waits) : site_(site), waits_(waits) {}
  ThreadWork(const ThreadWork&) = delete;
  ThreadWork& operator=(const ThreadWork&) = delete;

  /// Occupies a core for `duration`, after others that share it and came first.
  void compute(Time duration);
  /// What the processor did not do but the program must feel, such as reading the clock.
  void charge(Time cost);

  /// What it computes from now on has not been charged for.
  void begin_stretch();
  /// Of that, so much was done on another thread of this computer; from now on it is done here.
  void came_back(Time taken);
  /// Lets what it has computed since then take its time; no handler of signals runs.
  void end_stretch();
  /// The same before a call, which begins when its core is not interrupted.
  void begin_call();

  // Where it may compute while events go on, because that is measured:

  /// It may, from now on.
  void may_depart();
  bool departs() const { return departures_ != nullptr; }
  /// Whether its next stretch is long, as far as can be told.
  bool expects_long() const { return departures_->stretches.expects_long(); }
  /// It computes from now on while events go on.
  void depart() { departures_->since = site_.now(); }
  /// Until when it does so at least, of which it has taken so much processor time by now.
  Time departed_until(Time taken) const { return departures_->since + scaled(taken); }

 private:
  struct Departures {
    Stretches stretches;
    Time since = Time::never();  ///< Of that which it has not been charged for.
  };

  /// What so much processor time of this computer costs.
  Time scaled(Time measured) const;
  /// Lets time pass in which nothing can end it.
  void pass(Time duration);
  void occupy_core(Time duration, Time begin);
  /// Lets the interruption end that its core is in, if it is in one.
  void wait_for_core();
  /// Processor time since the stretch began, if that is measured.
  Time measured() const;
  /// What the stretch costs so far.
  Time cost() const;

  ThreadSite& site_;
  ThreadWaits& waits_;
  Time measured_since_;              ///< Processor time of the host, when computation is measured.
  std::uint64_t counted_since_ = 0;  ///< When it is counted.
  std::unique_ptr<Departures> departures_;
};

}  // namespace heddle::host
