// Why things happen in adapters, for whoever observes them.
#pragma once

#include <map>
#include <optional>
#include <unordered_map>

#include "core/simulation.hpp"
#include "nic/observer.hpp"

namespace heddle::nic {

/// What happens in an event happens because of what had it scheduled. Without an observer nothing
/// is kept, and asking whether there is one is all that it costs: what is done for one is out of
/// line, behind calls that are not expected.
class Causes {
 public:
  Causes(const Simulation& simulation, Observer* observer)
      : simulation_(simulation), observer_(observer) {}

  Observer* observer() const { return observer_; }
  /// Why what happens now does: outside of the adapters' events, because a process wants it, or
  /// software that they have told of something before.
  Cause now() const {
    if (!observer_) [[likely]] {
      return {};
    }
    return observed_now();
  }
  /// Tells the observer of an activity; answers the cause of what follows from it.
  Cause tell(const ActivityRecord& record) { return after(observer_->ended(record), record); }
  static Cause after(std::uint64_t number, const ActivityRecord& record) {
    return number == 0 ? record.cause : Cause{number, record.end};
  }
  /// Something will happen because of what happens now.
  void keep(const void* what) {
    if (observer_) [[unlikely]] {
      note(what);
    }
  }
  /// The cause that was kept of it.
  Cause of(const void* what) const {
    const auto found = kept_.find(what);
    return found == kept_.end() ? now() : found->second;
  }
  void forget(const void* what) { kept_.erase(what); }
  /// One of the engines that `wake` waits for is at work until `when`, because of what happens now.
  void keep_release(const void* wake, Time when) {
    if (observer_) [[unlikely]] {
      note_release(wake, when);
    }
  }

  /// Does something for the reason that a Scope has, whose life would be that of the caller:
  /// without an observer this is a mere call.
  template <class What, class Act>
  void within(const What& what, const Act& act) {
    if (!observer_) [[likely]] {
      return act();
    }
    const Scope scope(*this, what);
    act();
  }

  /// The end of an engine's work in this instant, for which `wake` has waited.
  struct Release {
    const void* wake;
  };

  /// What happens in its life does because of a cause, or of what was kept of something.
  class Scope {
   public:
    /// `ask` tells the cause; only an observer has it asked.
    template <class Ask>
    requires requires(const Ask& ask) { Cause(ask()); }
    Scope(Causes& causes, const Ask& ask) : causes_(causes) {
      if (causes.observer_) [[unlikely]] {
        begin(ask());
      }
    }
    Scope(Causes& causes, const void* what) : causes_(causes) {
      if (causes.observer_) [[unlikely]] {
        begin_kept(what);
      }
    }
    Scope(Causes& causes, Release release) : causes_(causes) {
      if (causes.observer_) [[unlikely]] {
        begin_released(release);
      }
    }
    ~Scope() {
      if (outer_) [[unlikely]] {
        end();
      }
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    /// What is the case around it.
    struct Outer {
      Cause cause;
      std::uint64_t activity;
      bool within;
    };
    void begin(Cause cause);
    void begin_kept(const void* what);
    void begin_released(Release release);
    void end();

    Causes& causes_;
    std::optional<Outer> outer_;
  };

 private:
  Cause observed_now() const;
  void note(const void* what);
  void note_release(const void* wake, Time when);

  const Simulation& simulation_;
  Observer* const observer_;
  bool within_ = false;
  Cause current_;
  std::unordered_map<const void*, Cause> kept_;
  std::unordered_map<const void*, std::map<Time, Cause>> releases_;
};

}  // namespace heddle::nic
