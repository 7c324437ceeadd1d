// Timers that are files. An event file stands for each, in which the simulator counts.
#include "timer_files.hpp"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "connection.hpp"
#include "simulated_timer.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

constexpr int kFiles = 64;

struct TimerFile {
  int file = -1;
  clockid_t id = CLOCK_REALTIME;
  SimulatedTimer clock;
};
TimerFile files[kFiles];
int files_used = 0;

TimerFile* find(int file) {
  for (int i = 0; i < files_used; ++i) {
    if (files[i].file == file) return &files[i];
  }
  return nullptr;
}

/// A place for a file, which may have been that of one with the same number, closed since.
TimerFile* place_for(int file) {
  if (TimerFile* closed = find(file)) {
    call_or(0, CallNumber::end_timer, closed->clock.number);
    return closed;
  }
  return files_used == kFiles ? nullptr : &files[files_used++];
}

void forget_count(int file) {
  pollfd ready{file, POLLIN, 0};
  std::uint64_t count = 0;
  if (HEDDLE_SYSTEM(poll)(&ready, 1, 0) == 1) {
    [[maybe_unused]] const ssize_t size = HEDDLE_SYSTEM(read)(file, &count, sizeof count);
  }
}

}  // namespace

bool is_timer(int file) {
  return files_used > 0 && find(file) != nullptr;
}

bool is_nonblocking(int file) {
  return (fcntl(file, F_GETFL) & O_NONBLOCK) != 0;
}

}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int timerfd_create(clockid_t clock, int flags) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(timerfd_create)(clock, flags);
  static_assert(int{TFD_NONBLOCK} == int{EFD_NONBLOCK} && int{TFD_CLOEXEC} == int{EFD_CLOEXEC});
  const int file = eventfd(0, flags);
  if (file < 0) return file;
  TimerFile* const place = place_for(file);
  const int number = place == nullptr ? -1
                                      : call_or(-1, CallNumber::new_timer, 0, std::uint32_t{0},
                                                static_cast<void*>(nullptr), file);
  if (number < 0) {
    close(file);
    errno = EMFILE;
    return -1;
  }
  *place = {file, clock, {number, 0, 0}};
  return file;
}

int timerfd_settime(int file, int flags, const itimerspec* value, itimerspec* old) noexcept {
  TimerFile* const own = simulated() ? find(file) : nullptr;
  if (own == nullptr) return HEDDLE_SYSTEM(timerfd_settime)(file, flags, value, old);
  // What it has counted so far is void.
  forget_count(file);
  own->clock.set(own->id, (flags & TFD_TIMER_ABSTIME) != 0, *value, old);
  return 0;
}

int timerfd_gettime(int file, itimerspec* value) noexcept {
  const TimerFile* const own = simulated() ? find(file) : nullptr;
  if (own == nullptr) return HEDDLE_SYSTEM(timerfd_gettime)(file, value);
  *value = own->clock.show();
  return 0;
}
}
