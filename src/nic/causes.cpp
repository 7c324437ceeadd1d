#include "nic/causes.hpp"

namespace heddle::nic {

Cause Causes::observed_now() const {
  if (within_) return current_;
  return {observer_->acting(), simulation_.now()};
}

void Causes::note(const void* what) {
  kept_[what] = now();
}

void Causes::note_release(const void* wake, Time when) {
  std::map<Time, Cause>& releases = releases_[wake];
  releases.erase(releases.begin(), releases.lower_bound(simulation_.now()));
  releases[when] = now();
}

void Causes::Scope::begin(Cause cause) {
  outer_ = Outer{causes_.current_, causes_.observer_->acting(), causes_.within_};
  causes_.within_ = true;
  causes_.current_ = cause;
  causes_.observer_->because_of(cause.activity);
}

void Causes::Scope::begin_kept(const void* what) {
  const auto found = causes_.kept_.find(what);
  if (found == causes_.kept_.end()) return;
  const Cause cause = found->second;
  causes_.kept_.erase(found);
  begin(cause);
}

void Causes::Scope::begin_released(Release release) {
  const std::map<Time, Cause>& releases = causes_.releases_[release.wake];
  const auto found = releases.find(causes_.simulation_.now());
  if (found != releases.end()) begin(found->second);
}

void Causes::Scope::end() {
  causes_.within_ = outer_->within;
  causes_.current_ = outer_->cause;
  causes_.observer_->because_of(outer_->activity);
}

}  // namespace heddle::nic
