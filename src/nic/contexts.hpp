// The contexts of an adapter: messages that wait for their acknowledgement.
#pragma once

#include <array>
#include <vector>

#include "core/containers/fifo.hpp"
#include "core/prefetch.hpp"
#include "nic/armed_queue.hpp"
#include "nic/clock.hpp"
#include "nic/records.hpp"
#include "platform/nic_params.hpp"

namespace heddle::nic {

/// Whom an expired context is handed to.
class ContextOwner {
 public:
  /// The context is armed and its message may be transmitted.
  virtual void context_ready(Message& message) = 0;
  /// The deadline has passed. The context is held.
  virtual void context_expired(Exchange& exchange, Half half) = 0;

 protected:
  ~ContextOwner() = default;
};

class Contexts;

/// Lets the timers of adapters that have nothing to watch run on while another one has: stopping
/// and starting them for every message would cost more than a few alarms in vain. With nothing to
/// watch anywhere all of them stop, so that the simulation can end.
class IdleTimers {
 public:
  void armed() { ++armed_; }
  void disarmed();
  /// `contexts` has nothing to watch now.
  void add(Contexts& contexts) { idle_.push_back(&contexts); }

 private:
  std::int64_t armed_ = 0;
  std::vector<Contexts*> idle_;
};

/// As many requests, and as many answers, as the adapter has room for. The timeout is the same for
/// all, so the armed ones form a queue, and one timer watches its head.
class alignas(64) Contexts final : private Event {
 public:
  Contexts(Clock& clock, AdapterId adapter, const platform::NicParams& params,
           IdleTimers& idle_timers, ContextOwner& owner)
      : armed_(adapter), clock_(clock), params_(params), idle_timers_(idle_timers), owner_(owner) {}

  /// A context is about to be opened or closed, or the timer to fire: fetches what that needs from
  /// memory.
  void foresee() const override {
    prefetch(this);
    prefetch(&params_);
  }

  /// The same a little later, for one to be opened.
  void foresee_opening() const { armed_.foresee_push(); }

  /// Arms the message's context from now on, taking a free one if it has none yet: true if its
  /// transmission can go on, else ContextOwner::context_ready follows.
  bool open(Message& message);
  /// Takes the context out of the queue without giving it up; it must not be closed.
  void hold(Exchange& exchange, Half half);
  /// Gives the context up; nothing happens if it is closed already. True if it was not.
  bool close(Exchange& exchange, Half half);
  /// Stops the timer.
  void rest();

 private:
  /// By Half: neither requests nor answers can keep the other kind from ending.
  template <class T>
  using Rooms = std::array<T, 2>;
  void arm(Exchange& exchange, Half half);
  void disarm();
  void watch();
  /// The timer's event: looks for what has expired.
  void fire() override;

  // In the order of their use: two lines of the cache, the first of which the timer begins.
  bool idle_ = false;  ///< Among the idle timers.
  ArmedQueue armed_;
  Clock& clock_;
  const platform::NicParams& params_;
  IdleTimers& idle_timers_;
  Rooms<std::uint32_t> used_{};
  Rooms<Fifo<Message>> waiting_;  ///< For one.
  ContextOwner& owner_;
};

}  // namespace heddle::nic
