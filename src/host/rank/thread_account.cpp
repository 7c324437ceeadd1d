#include "host/rank/thread_account.hpp"

#include <utility>

#include "host/rank/thread_site.hpp"

namespace heddle::host {

void ThreadAccount::begin(const ThreadSite* by) {
  begin_ = site_.now();
  if (recorder() == nullptr || site_.number() == 0) return;
  recorder()->started(site_.lane(), begin_, by == nullptr ? 0 : by->number());
}

Time ThreadAccount::processor_time() const {
  return site_.now() - begin_ - times_.sleeping - (times_.waiting - times_.polling);
}

void ThreadAccount::waited(Time begin, Time late) {
  times_.waiting += site_.now() - begin - late;
  if (recorder() == nullptr) return;
  recorder()->wait(site_.lane(), begin, site_.now(), late, std::exchange(waker_, {}));
}

void ThreadAccount::stood(Time begin) {
  if (recorder() == nullptr) return;
  recorder()->wait(site_.lane(), begin, site_.now(), Time::zero(), std::exchange(waker_, {}));
}

void ThreadAccount::polled(Time begin) {
  times_.polling += site_.now() - begin;
  waited(begin);
}

void ThreadAccount::slept(Time begin) {
  times_.sleeping += site_.now() - begin;
  record(record::Activity::sleep, begin, site_.now());
}

void ThreadAccount::computed(Time begin, Time duration) {
  const Time now = site_.now();
  times_.computing += duration;
  times_.waiting += now - begin - duration;
  record(record::Activity::wait, begin, now - duration);
  record(record::Activity::compute, now - duration, now);
}

void ThreadAccount::held_up(Time duration) {
  times_.waiting += duration;
  record(record::Activity::wait, site_.now() - duration, site_.now());
}

void ThreadAccount::charged(Time begin) {
  record(record::Activity::overhead, begin, site_.now());
}

void ThreadAccount::woken_by(const ThreadSite* other) {
  waker_.thread =
      other == nullptr || &other->rank_site() != &site_.rank_site() ? 0 : other->number() + 1;
}

void ThreadAccount::note_waker() {
  if (recorder() != nullptr) waker_.step = recorder()->causes().acting();
}

record::RunRecorder* ThreadAccount::recorder() const {
  return site_.job_site().recorder();
}

void ThreadAccount::record(record::Activity activity, Time begin, Time end) const {
  if (recorder() != nullptr) recorder()->span(site_.lane(), activity, begin, end);
}

}  // namespace heddle::host
