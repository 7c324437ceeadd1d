#include "mpi/rma/targets.hpp"

#include <algorithm>
#include <utility>

#include "mpi/call_log.hpp"
#include "mpi/rma/window.hpp"
#include "mpi/rma/window_observer.hpp"

namespace heddle::mpi {

void Targets::sent(RmaTarget& target) {
  if (--target.unsent == 0) window_.process().notify();
}

void Targets::finished(int rank, RmaTarget& target, bool known) {
  if (--target.unfinished > 0 || !target.waits) return;
  if (known) return acknowledged(rank);
  window_.tell_from(rank, NoticeKind::acknowledge);
}

void Targets::acknowledged(int target) {
  RmaTarget& from = targets_[target];
  // Another thread may have begun more in the meantime, whose end is still to come.
  if (!from.waits || from.unfinished > 0) return;
  from.waits = false;
  if (--unacknowledged_ == 0) window_.process().notify();
}

void Targets::flush(int rank) {
  for (auto& [number, to] : targets_) {
    if (to.unfinished == 0 || (rank >= 0 && rank != number)) continue;
    // Threads that flush at the same time wait for one and the same.
    if (!std::exchange(to.waits, true)) ++unacknowledged_;
  }
  window_.wait_until(
      News::operations, [&] { return unacknowledged_ == 0; },
      WindowWait(window_, "the end of operations", rank));
  if (WindowObserver* observer = observer_of(window_.process())) observer->flushed(window_, rank);
}

void Targets::flush_local(int rank) {
  const auto sent = [&] {
    return std::ranges::all_of(targets_, [&](const auto& entry) {
      return entry.second.unsent == 0 || (rank >= 0 && rank != entry.first);
    });
  };
  window_.wait_until(News::operations, sent, WindowWait(window_, "the end of operations", rank));
  if (WindowObserver* observer = observer_of(window_.process())) {
    observer->flushed_here(window_, rank);
  }
}

}  // namespace heddle::mpi
