// Locks, conditions, semaphores and ends of threads with a time limit, which is one of simulated
// time. Who waits for another thread of the process is woken when one has run, and looks again.
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

#include "connection.hpp"
#include "times.hpp"

namespace heddle::preload {
namespace {

/// Ends at an instant of simulated time.
class Limit {
 public:
  Limit(clockid_t clock, const timespec& t) : end_(simulated_ns() + ns_until(clock, t)) {}
  bool over() const { return simulated_ns() >= end_; }
  /// Lets others run, and time pass, but not beyond the limit.
  void wait() const { call_or(0, CallNumber::wait_for_others, end_ * kPsPerNs); }

 private:
  std::int64_t end_;
};

/// Tries until it answers something else than `busy`, or the time is over.
template <class Try>
int try_until(clockid_t clock, const timespec* t, int busy, Try attempt) {
  int error = attempt();
  if (error != busy) return error;
  if (!valid(*t)) return EINVAL;
  for (const Limit limit(clock, *t); error == busy; error = attempt()) {
    if (limit.over()) return ETIMEDOUT;
    limit.wait();
  }
  return error;
}

/// Whoever waits for a condition asks for it again, and may be woken without a reason.
int wait_for_condition(clockid_t clock, pthread_mutex_t* mutex, const timespec* t) {
  if (!valid(*t)) return EINVAL;
  const Limit limit(clock, *t);
  if (limit.over()) return ETIMEDOUT;
  if (const int error = pthread_mutex_unlock(mutex)) return error;
  limit.wait();
  if (const int error = pthread_mutex_lock(mutex)) return error;
  return limit.over() ? ETIMEDOUT : 0;
}

/// The clock that a condition was made for is the C library's own affair, but no time of the one is
/// one of the other: calendars begin long before nodes do.
clockid_t clock_of(const timespec* t) {
  return t->tv_sec >= circumstances().epoch ? CLOCK_REALTIME : CLOCK_MONOTONIC;
}

int wait_for_semaphore(clockid_t clock, sem_t* semaphore, const timespec* t) {
  const int saved = errno;
  const int error =
      try_until(clock, t, EAGAIN, [&] { return sem_trywait(semaphore) == 0 ? 0 : errno; });
  errno = error == 0 ? saved : error;
  return error == 0 ? 0 : -1;
}

int as_c11(int error) {
  return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_cond_timedwait)(condition, mutex, t);
  return wait_for_condition(clock_of(t), mutex, t);
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_cond_clockwait)(condition, mutex, clock, t);
  return wait_for_condition(clock, mutex, t);
}

int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(cnd_timedwait)(condition, mutex, t);
  return as_c11(wait_for_condition(CLOCK_REALTIME, reinterpret_cast<pthread_mutex_t*>(mutex), t));
}

int pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* t) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_mutex_timedlock)(mutex, t);
  return try_until(CLOCK_REALTIME, t, EBUSY, [&] { return pthread_mutex_trylock(mutex); });
}

int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* t) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_mutex_clocklock)(mutex, clock, t);
  return try_until(clock, t, EBUSY, [&] { return pthread_mutex_trylock(mutex); });
}

int mtx_timedlock(mtx_t* mutex, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(mtx_timedlock)(mutex, t);
  return as_c11(pthread_mutex_timedlock(reinterpret_cast<pthread_mutex_t*>(mutex), t));
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock, const timespec* t) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_rwlock_timedrdlock)(lock, t);
  return try_until(CLOCK_REALTIME, t, EBUSY, [&] { return pthread_rwlock_tryrdlock(lock); });
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock, const timespec* t) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_rwlock_timedwrlock)(lock, t);
  return try_until(CLOCK_REALTIME, t, EBUSY, [&] { return pthread_rwlock_trywrlock(lock); });
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* t) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_rwlock_clockrdlock)(lock, clock, t);
  return try_until(clock, t, EBUSY, [&] { return pthread_rwlock_tryrdlock(lock); });
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                               const timespec* t) noexcept {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_rwlock_clockwrlock)(lock, clock, t);
  return try_until(clock, t, EBUSY, [&] { return pthread_rwlock_trywrlock(lock); });
}

int sem_timedwait(sem_t* semaphore, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(sem_timedwait)(semaphore, t);
  return wait_for_semaphore(CLOCK_REALTIME, semaphore, t);
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(sem_clockwait)(semaphore, clock, t);
  return wait_for_semaphore(clock, semaphore, t);
}

int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_timedjoin_np)(thread, result, t);
  return try_until(CLOCK_REALTIME, t, EBUSY, [&] { return pthread_tryjoin_np(thread, result); });
}

int pthread_clockjoin_np(pthread_t thread, void** result, clockid_t clock, const timespec* t) {
  if (!simulated()) return HEDDLE_SYSTEM(pthread_clockjoin_np)(thread, result, clock, t);
  return try_until(clock, t, EBUSY, [&] { return pthread_tryjoin_np(thread, result); });
}
}
