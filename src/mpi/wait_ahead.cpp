#include "mpi/wait_ahead.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "mpi/profile.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

void WaitAhead::forget_what_is_over() {
  std::erase_if(met_, [](const Met& one) { return one.over(); });
}

bool WaitAhead::awaits_only_what_has_met() {
  awaited_.clear();
  ends_.clear();
  if (process_.blocked_ == nullptr || !process_.blocked_->awaits(awaited_)) return false;
  if (awaited_.empty()) return true;
  forget_what_is_over();
  if (met_.size() < awaited_.size()) return false;
  const std::less<const Completion*> before;
  std::ranges::sort(met_, before, &Met::whom);
  for (const Completion* const one : awaited_) {
    const auto end = std::ranges::lower_bound(met_, one, before, &Met::whom);
    // Error handlers are told in their turn.
    if (end == met_.end() || end->whom() != one || end->outcome->error != 0) return false;
    ends_.push_back(*end);
  }
  return true;
}

bool WaitAhead::ends_early() {
  const bool may = process_.asleep_ && process_.last_wait_ && process_.background_.empty();
  if (!may || !awaits_only_what_has_met()) return false;
  say_the_same();
  tell_early();
  // Its code may write to what it has sent.
  process_.mailbox.save_sent(process_);
  since_ = began_ = process_.now();
  waiting_ = process_.counters.waiting;
  call_ = process_.call;
  early_ = true;
  waits().end_early();
  return true;
}

void WaitAhead::say_the_same() {
  process_.blocked_ = &said_.emplace(*process_.blocked_);
  process_.rank().fiber().says(reason_.emplace(*said_));
}

/// Who waits for them hears of the ends now, the process itself when they come.
void WaitAhead::tell_early() {
  const bool asleep = std::exchange(process_.asleep_, false);
  const auto listening = std::exchange(process_.listening_, 0);
  for (const Met& end : ends_) {
    const Outcome outcome = *end.outcome;
    std::exchange(*end.told, static_cast<Completion*>(this))->completed(outcome);
  }
  process_.asleep_ = asleep;
  process_.listening_ = listening;
  left_ = ends_.size();
}

void WaitAhead::completed(const Outcome&) {
  if (--left_ == 0) process_.satisfied();
}

bool WaitAhead::is_over() {
  if (!early_ || left_ == 0) return true;
  waits().end_late(since_);
  early_ = false;
  process_.wake_up(sleep_);
  sleep_ = process_.fall_asleep(*said_);
  early_ = true;
  since_ = process_.now();
  return false;
}

void WaitAhead::end_wait() {
  if (!std::exchange(early_, false)) return;
  waits().end_late(since_);
  if (!process_.wake_up(sleep_)) later_.insert(later_.begin(), kSettlement);
  if (!call_is_over()) return;
  CallProfile& profile = process_.part<Profile>().of(call_);
  profile.time += process_.now() - began_;
  profile.waiting += process_.counters.waiting - waiting_;
}

void WaitAhead::do_later(Time what) {
  later_.push_back(what);
  call_ = process_.call;
}

bool WaitAhead::catch_up(bool may_wait) {
  end_wait();
  const Time begin = process_.now();
  std::size_t done = 0;
  while (done < later_.size()) {
    const Time what = later_[done];
    if (what != kSettlement) {
      process_.owe(what);
    } else if (process_.unsettled()) {
      if (!may_wait) break;
      process_.catch_up();
    }
    ++done;
  }
  later_.erase(later_.begin(), later_.begin() + static_cast<std::ptrdiff_t>(done));
  // In sequence, it was a part of the call.
  if (process_.now() > begin && call_is_over()) {
    process_.part<Profile>().of(call_).time += process_.now() - begin;
  }
  return later_.empty();
}

}  // namespace heddle::mpi
