// The adapters' time: when their steps run, and why.
#pragma once

#include "core/simulation.hpp"
#include "nic/causes.hpp"
#include "nic/step.hpp"

namespace heddle::nic {

/// All adapters of a machine schedule through one, as one source of events.
class Clock {
 public:
  /// `observer` may be null.
  Clock(Simulation& simulation, Observer* observer)
      : simulation_(simulation), source_(simulation.new_source()), causes_(simulation, observer) {}

  Time now() const { return simulation_.now(); }
  /// Runs `step` at `when`, because of what happens now.
  void schedule(Step& step, Time when) {
    causes_.keep(&step);
    simulation_.schedule(step, when, source_);
  }
  void schedule_in(Step& step, Time delay) {
    causes_.keep(&step);
    simulation_.schedule_in(step, delay, source_);
  }
  /// The same where the cause is nobody's business, or kept otherwise.
  void alarm(Event& event, Time when) { simulation_.schedule(event, when, source_); }
  void cancel(Event& event) { simulation_.cancel(event); }

  Causes& causes() { return causes_; }

 private:
  Simulation& simulation_;
  EventSource source_;
  Causes causes_;
};

}  // namespace heddle::nic
