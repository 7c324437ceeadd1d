// Why things happen in adapters, for whoever observes them.
#pragma once

#include <map>
#include <unordered_map>
#include <utility>

#include "core/simulation.hpp"
#include "nic/observer.hpp"

namespace heddle::nic {

/// What happens in an event happens because of what had it scheduled. Without an observer nothing
/// is kept, and asking whether there is one is all that it costs.
class Causes {
 public:
  Causes(const Simulation& simulation, Observer* observer)
      : simulation_(simulation), observer_(observer) {}

  Observer* observer() const { return observer_; }
  /// Why what happens now does: outside of the adapters' events, because a process wants it, or
  /// software that they have told of something before.
  Cause now() const {
    if (within_ || !observer_) return current_;
    return {observer_->acting(), simulation_.now()};
  }
  /// Tells the observer of an activity; answers the cause of what follows from it.
  Cause tell(const ActivityRecord& record) { return after(observer_->ended(record), record); }
  static Cause after(std::uint64_t number, const ActivityRecord& record) {
    return number == 0 ? record.cause : Cause{number, record.end};
  }
  /// Something will happen because of what happens now.
  void keep(const void* what) {
    if (observer_) kept_[what] = now();
  }
  /// The cause that was kept of it.
  Cause of(const void* what) const {
    const auto found = kept_.find(what);
    return found == kept_.end() ? now() : found->second;
  }
  void forget(const void* what) { kept_.erase(what); }
  /// One of the engines that `wake` waits for is at work until `when`, because of what happens now.
  void keep_release(const void* wake, Time when) {
    if (!observer_) return;
    std::map<Time, Cause>& releases = releases_[wake];
    releases.erase(releases.begin(), releases.lower_bound(simulation_.now()));
    releases[when] = now();
  }

  /// What happens in its life does because of `cause`, or of what was kept of something.
  class Scope {
   public:
    Scope(Causes& causes, Cause cause) : causes_(causes) {
      if (causes.observer_) begin(cause);
    }
    Scope(Causes& causes, const void* what) : causes_(causes) {
      if (!causes.observer_) return;
      const auto found = causes.kept_.find(what);
      if (found == causes.kept_.end()) return;
      const Cause cause = found->second;
      causes.kept_.erase(found);
      begin(cause);
    }
    /// Of the release of an engine in this instant.
    static Scope of_release(Causes& causes, const void* wake) {
      if (!causes.observer_) return Scope(causes, nullptr);
      const std::map<Time, Cause>& releases = causes.releases_[wake];
      const auto found = releases.find(causes.simulation_.now());
      return found == releases.end() ? Scope(causes, nullptr) : Scope(causes, found->second);
    }
    ~Scope() {
      if (!begun_) return;
      causes_.within_ = was_within_;
      causes_.current_ = outer_;
      causes_.observer_->because_of(outer_activity_);
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    void begin(Cause cause) {
      begun_ = true;
      was_within_ = causes_.within_;
      outer_ = causes_.current_;
      outer_activity_ = causes_.observer_->acting();
      causes_.within_ = true;
      causes_.current_ = cause;
      causes_.observer_->because_of(cause.activity);
    }
    Causes& causes_;
    Cause outer_;
    std::uint64_t outer_activity_ = 0;
    bool was_within_ = false;
    bool begun_ = false;
  };

 private:
  const Simulation& simulation_;
  Observer* const observer_;
  bool within_ = false;
  Cause current_;
  std::unordered_map<const void*, Cause> kept_;
  std::unordered_map<const void*, std::map<Time, Cause>> releases_;
};

}  // namespace heddle::nic
