// Mutexes, spin locks and locks for readers and writers: their threads wait as fibers. The state is
// kept where the C library keeps it, so that threads of the host can use the same mutexes.
#include <errno.h>
#include <fmt/core.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>

#include <utility>

#include "host/libc/calls/rank_call.hpp"
#include "host/rank/loop_charge.hpp"
#include "host/rank/place_name.hpp"
#include "host/rank/waiting.hpp"

namespace heddle::host {
namespace {

using Outcome = WaitTable::Outcome;

/// Numbers of threads from here on are ours, those below the kernel's.
constexpr int kOurs = 1 << 30;
constexpr int kKindMask = 3;
constexpr int kRobust = 16;
enum Word : int { kFree, kTaken, kWaitedFor };

int kind_of(const pthread_mutex_t& mutex) {
  return mutex.__data.__kind & kKindMask;
}

bool is_own(const pthread_mutex_t& mutex) {
  return mutex.__data.__lock != kFree && mutex.__data.__owner == current_thread()->id();
}

/// `place`: where the program asked for it.
void take(pthread_mutex_t& mutex, const void* place) {
  auto& data = mutex.__data;
  data.__lock = kTaken;
  data.__owner = current_thread()->id();
  data.__count = 1;
  ++data.__nusers;
  if ((data.__kind & kRobust) == 0) {
    data.__list.__prev = static_cast<__pthread_internal_list*>(const_cast<void*>(place));
  }
}

/// Takes a mutex that is free or the thread's own; EBUSY if it is another's.
int try_lock(pthread_mutex_t& mutex, const void* place) {
  if (mutex.__data.__lock == kFree) {
    take(mutex, place);
    return 0;
  }
  if (kind_of(mutex) != PTHREAD_MUTEX_RECURSIVE || !is_own(mutex)) return EBUSY;
  ++mutex.__data.__count;
  return 0;
}

/// Who has a mutex, in words for a deadlock.
struct Holder {
  explicit Holder(const pthread_mutex_t& mutex)
      : owner(mutex.__data.__owner),
        place((mutex.__data.__kind & kRobust) == 0 ? mutex.__data.__list.__prev : nullptr) {}
  std::string text(Job& job) const {
    std::string text = job.thread_name(owner) + " holds";
    if (place != nullptr) text += ", locked at " + place_name(place);
    return text;
  }
  int owner;
  const void* place;
};

/// Threads that look at something under a lock again and again must let others change it.
void about_to_lock() {
  if (!current_thread()->calls().under_way() && current_process()->has_threads()) {
    charge_repetition(*current_thread(), current_thread()->looks().lock_loop());
  }
}

int lock(pthread_mutex_t& mutex, Time deadline, const void* place) {
  about_to_lock();
  if (mutex.__data.__lock == kFree || is_own(mutex)) {
    if (try_lock(mutex, place) == 0) return 0;
    if (kind_of(mutex) == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
  }
  Job& job = current_rank()->job();
  const Call call(*current_rank());
  while (try_lock(mutex, place) != 0) {
    if (job.simulation().now() >= deadline) return ETIMEDOUT;
    const Holder holder(mutex);
    const auto reason = [&] {
      return fmt::format("waits at {} for a mutex that {}", place_name(place), holder.text(job));
    };
    wait_at(&mutex, reason, deadline);
  }
  return 0;
}

/// Whether a thread of the host has it, which goes on beside the simulation.
bool is_foreign(const pthread_mutex_t& mutex) {
  return mutex.__data.__lock != kFree && mutex.__data.__owner < kOurs;
}

int unlock(pthread_mutex_t& mutex) {
  auto& data = mutex.__data;
  const int kind = kind_of(mutex);
  const bool checks = kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK;
  if (checks && !is_own(mutex)) return EPERM;
  if (kind == PTHREAD_MUTEX_RECURSIVE && --data.__count > 0) return 0;
  data.__count = 0;
  data.__owner = 0;
  --data.__nusers;
  if (__atomic_exchange_n(&data.__lock, kFree, __ATOMIC_RELEASE) == kWaitedFor) {
    HEDDLE_REAL(syscall)(SYS_futex, &data.__lock, FUTEX_WAKE_PRIVATE, 1);
  }
  wake_at(&mutex, 1);
  return 0;
}

// Locks for readers and writers. Readers do not wait for writers that wait.

bool try_read(pthread_rwlock_t& lock) {
  if (lock.__data.__cur_writer != 0) return false;
  ++lock.__data.__readers;
  return true;
}

bool try_write(pthread_rwlock_t& lock) {
  if (lock.__data.__cur_writer != 0 || lock.__data.__readers != 0) return false;
  lock.__data.__cur_writer = current_thread()->id();
  return true;
}

template <class Try>
int lock_shared(pthread_rwlock_t& lock, Try try_lock, const char* call_name, Time deadline) {
  about_to_lock();
  if (try_lock(lock)) return 0;
  if (lock.__data.__cur_writer == current_thread()->id()) return EDEADLK;
  const Call call(*current_rank());
  Job& job = current_rank()->job();
  while (!try_lock(lock)) {
    if (job.simulation().now() >= deadline) return ETIMEDOUT;
    const int writer = lock.__data.__cur_writer;
    const auto reason = [&] {
      return fmt::format("waits in {} for a lock that {}", call_name,
                         writer == 0 ? "readers hold" : job.thread_name(writer) + " holds");
    };
    wait_at(&lock, reason, deadline);
  }
  return 0;
}

int unlock_shared(pthread_rwlock_t& lock) {
  if (lock.__data.__cur_writer != 0) {
    lock.__data.__cur_writer = 0;
  } else {
    --lock.__data.__readers;
  }
  wake_at(&lock);
  return 0;
}

/// To find a lock taken takes time, or a loop that waits for it would never end.
int polled(int status, const char* reason) {
  if (status != EBUSY) return status;
  const Call call(*current_rank());
  current_rank()->thread().looks().polled(reason);
  return status;
}

/// C's mutexes are POSIX's under another name.
pthread_mutex_t& as_posix(mtx_t* mutex) {
  return *reinterpret_cast<pthread_mutex_t*>(mutex);
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int pthread_mutex_lock(pthread_mutex_t* mutex) noexcept {
  if (current_process() == nullptr || is_foreign(*mutex)) {
    return HEDDLE_REAL(pthread_mutex_lock)(mutex);
  }
  return lock(*mutex, Time::never(), __builtin_return_address(0));
}

int pthread_mutex_trylock(pthread_mutex_t* mutex) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_mutex_trylock)(mutex);
  return polled(try_lock(*mutex, __builtin_return_address(0)), "polls with pthread_mutex_trylock");
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* end) noexcept {
  if (current_process() == nullptr || is_foreign(*mutex)) {
    return HEDDLE_REAL(pthread_mutex_timedlock)(mutex, end);
  }
  return lock(*mutex, instant_of(CLOCK_REALTIME, end), __builtin_return_address(0));
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* end) noexcept {
  if (current_process() == nullptr || is_foreign(*mutex)) {
    return HEDDLE_REAL(pthread_mutex_clocklock)(mutex, clock, end);
  }
  return lock(*mutex, instant_of(clock, end), __builtin_return_address(0));
}

int pthread_mutex_unlock(pthread_mutex_t* mutex) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_mutex_unlock)(mutex);
  return unlock(*mutex);
}

int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_spin_lock)(lock);
  about_to_lock();
  const auto held = [&] { return HEDDLE_REAL(pthread_spin_trylock)(lock) != 0; };
  if (!held()) return 0;
  const Call call(*current_rank());
  const void* place = __builtin_return_address(0);
  const auto reason = [&] { return "waits at " + place_name(place) + " for a spin lock"; };
  while (held()) wait_at(const_cast<int*>(lock), reason, Time::never());
  return 0;
}

int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  const int status = HEDDLE_REAL(pthread_spin_trylock)(lock);
  return current_process() == nullptr ? status : polled(status, "polls with pthread_spin_trylock");
}

int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  const int status = HEDDLE_REAL(pthread_spin_unlock)(lock);
  if (current_process() != nullptr) wake_at(const_cast<int*>(lock), 1);
  return status;
}

int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_rdlock)(lock);
  return lock_shared(*lock, try_read, "pthread_rwlock_rdlock", Time::never());
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* end) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_timedrdlock)(lock, end);
  return lock_shared(*lock, try_read, "pthread_rwlock_timedrdlock",
                     instant_of(CLOCK_REALTIME, end));
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* end) noexcept {
  if (current_process() == nullptr) {
    return HEDDLE_REAL(pthread_rwlock_clockrdlock)(lock, clock, end);
  }
  return lock_shared(*lock, try_read, "pthread_rwlock_clockrdlock", instant_of(clock, end));
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_tryrdlock)(lock);
  return polled(try_read(*lock) ? 0 : EBUSY, "polls with pthread_rwlock_tryrdlock");
}

int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_wrlock)(lock);
  return lock_shared(*lock, try_write, "pthread_rwlock_wrlock", Time::never());
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* end) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_timedwrlock)(lock, end);
  return lock_shared(*lock, try_write, "pthread_rwlock_timedwrlock",
                     instant_of(CLOCK_REALTIME, end));
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* end) noexcept {
  if (current_process() == nullptr) {
    return HEDDLE_REAL(pthread_rwlock_clockwrlock)(lock, clock, end);
  }
  return lock_shared(*lock, try_write, "pthread_rwlock_clockwrlock", instant_of(clock, end));
}

int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_trywrlock)(lock);
  return polled(try_write(*lock) ? 0 : EBUSY, "polls with pthread_rwlock_trywrlock");
}

int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_rwlock_unlock)(lock);
  return unlock_shared(*lock);
}

int mtx_lock(mtx_t* mutex) {
  if (current_process() == nullptr) return HEDDLE_REAL(mtx_lock)(mutex);
  return c_status(lock(as_posix(mutex), Time::never(), __builtin_return_address(0)));
}

int mtx_trylock(mtx_t* mutex) {
  if (current_process() == nullptr) return HEDDLE_REAL(mtx_trylock)(mutex);
  return c_status(
      polled(try_lock(as_posix(mutex), __builtin_return_address(0)), "polls with mtx_trylock"));
}

int mtx_timedlock(mtx_t* mutex, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(mtx_timedlock)(mutex, end);
  return c_status(
      lock(as_posix(mutex), instant_of(CLOCK_REALTIME, end), __builtin_return_address(0)));
}

int mtx_unlock(mtx_t* mutex) {
  if (current_process() == nullptr) return HEDDLE_REAL(mtx_unlock)(mutex);
  return c_status(unlock(as_posix(mutex)));
}
}
