#include "host/rank/futex.hpp"

#include <linux/futex.h>

#include <cerrno>

#include "host/rank/waiting.hpp"

namespace heddle::host {
namespace {

/// When a wait ends by itself: FUTEX_WAIT is told how long, the others until when.
Time deadline_of(int operation, const timespec* time) {
  if (time == nullptr) return Time::never();
  if ((operation & FUTEX_CMD_MASK) == FUTEX_WAIT) return current_rank()->now() + as_time(*time);
  const bool calendar = (operation & FUTEX_CLOCK_REALTIME) != 0;
  return instant_of(calendar ? CLOCK_REALTIME : CLOCK_MONOTONIC, time);
}

long wait(const int* word, int operation, int value, const timespec* time) {
  const Call call(*current_rank());
  if (*word != value) return -EAGAIN;
  const Time deadline = deadline_of(operation, time);
  switch (wait_at(word, "waits for another of its threads", deadline)) {
    case WaitTable::Outcome::woken:
      return 0;
    case WaitTable::Outcome::interrupted:
      return -EINTR;
    case WaitTable::Outcome::timed_out:
      break;
  }
  return -ETIMEDOUT;
}

}  // namespace

long futex(const std::array<long, 6>& arguments) {
  const auto* word = reinterpret_cast<const int*>(arguments[0]);
  const int operation = static_cast<int>(arguments[1]);
  const int value = static_cast<int>(arguments[2]);
  switch (operation & FUTEX_CMD_MASK) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
      return wait(word, operation, value, reinterpret_cast<const timespec*>(arguments[3]));
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
      return static_cast<long>(wake_at(word, static_cast<std::size_t>(std::max(value, 0))));
    default:
      return -ENOSYS;
  }
}

}  // namespace heddle::host
