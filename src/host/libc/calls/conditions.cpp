// What threads wait for each other with besides locks: conditions, semaphores, barriers, and code
// that runs once.
#include <cxxabi.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <threads.h>

#include "host/libc/calls/rank_call.hpp"
#include "host/rank/waiting.hpp"

namespace heddle::host {
namespace {

using Outcome = WaitTable::Outcome;

/// A condition may wake for nothing: a signal handler is enough.
int wait_for_condition(pthread_cond_t& condition, pthread_mutex_t& mutex, Time deadline) {
  const Call call(*current_rank());
  pthread_mutex_unlock(&mutex);
  const Outcome outcome = wait_at(&condition, "waits in pthread_cond_wait", deadline);
  pthread_mutex_lock(&mutex);
  return outcome == Outcome::timed_out ? ETIMEDOUT : 0;
}

/// The clock that a condition was made for, as the C library notes it.
clockid_t clock_of(const pthread_cond_t& condition) {
  constexpr unsigned int kMonotonic = 2;
  return (condition.__data.__wrefs & kMonotonic) != 0 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int wait_for_post(sem_t& semaphore, Time deadline) {
  const auto taken = [&] { return HEDDLE_REAL(sem_trywait)(&semaphore) == 0; };
  if (taken()) return 0;
  const Call call(*current_rank());
  while (!taken()) {
    if (current_rank()->now() >= deadline) return ETIMEDOUT;
    if (wait_at(&semaphore, "waits in sem_wait", deadline) == Outcome::interrupted) {
      return taken() ? 0 : EINTR;
    }
  }
  return 0;
}

/// The C library's own, whose pthread_barrier_init fills it in.
struct Barrier {
  unsigned int in;
  unsigned int round;
  unsigned int count;
};

int meet(Barrier& barrier) {
  const Call call(*current_rank());
  const unsigned int round = barrier.round;
  if (++barrier.in == barrier.count) {
    barrier.in = 0;
    ++barrier.round;
    wake_at(&barrier);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  const unsigned int in = barrier.in;
  const unsigned int count = barrier.count;
  const auto reason = [&] {
    return "waits in pthread_barrier_wait, as number " + std::to_string(in) + " of " +
           std::to_string(count);
  };
  while (barrier.round == round) wait_at(&barrier, reason, Time::never());
  return 0;
}

enum Once : int { kUntouched = 0, kRunning = 1, kDone = 2 };

int run_once(int& control, void (*function)()) {
  while ((control & kDone) == 0) {
    if (control == kUntouched) {
      control = kRunning;
      try {
        function();
      } catch (...) {
        control = kUntouched;
        wake_at(&control);
        throw;
      }
      control = kDone;
      wake_at(&control);
    } else {
      const Call call(*current_rank());
      wait_at(&control, "waits in pthread_once", Time::never());
    }
  }
  return 0;
}

/// Guards of variables in functions of C++: the first byte says that it is there, the second that
/// somebody makes it. All of the simulator uses them, too, also before it can ask for a function of
/// the C library.
struct Guard {
  explicit Guard(abi::__guard* guard)
      : done(*reinterpret_cast<char*>(guard)), busy(*(reinterpret_cast<char*>(guard) + 1)) {}
  /// Lets somebody else make it, who does.
  void wait() const {
    if (current_process() == nullptr) {
      sched_yield();
      return;
    }
    const Call call(*current_rank());
    wait_at(&done, "waits for a variable that another thread makes", Time::never());
  }
  bool take() const { return __atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE) == 0; }
  void leave(char state) const {
    __atomic_store_n(&done, state, __ATOMIC_RELEASE);
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
    if (current_process() != nullptr) wake_at(&done);
  }
  char& done;
  char& busy;
};

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_cond_wait)(condition, mutex);
  return wait_for_condition(*condition, *mutex, Time::never());
}

int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* end) {
  if (current_process() == nullptr) {
    return HEDDLE_REAL(pthread_cond_timedwait)(condition, mutex, end);
  }
  if (!valid(*end)) return EINVAL;
  return wait_for_condition(*condition, *mutex, instant_of(clock_of(*condition), end));
}

int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex, clockid_t clock,
                           const timespec* end) {
  if (current_process() == nullptr) {
    return HEDDLE_REAL(pthread_cond_clockwait)(condition, mutex, clock, end);
  }
  if (!valid(*end)) return EINVAL;
  return wait_for_condition(*condition, *mutex, instant_of(clock, end));
}

int pthread_cond_signal(pthread_cond_t* condition) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_cond_signal)(condition);
  wake_at(condition, 1);
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t* condition) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_cond_broadcast)(condition);
  wake_at(condition);
  return 0;
}

int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  if (current_process() == nullptr) return HEDDLE_REAL(cnd_wait)(condition, mutex);
  return c_status(pthread_cond_wait(reinterpret_cast<pthread_cond_t*>(condition),
                                    reinterpret_cast<pthread_mutex_t*>(mutex)));
}

int cnd_timedwait(cnd_t* condition, mtx_t* mutex, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(cnd_timedwait)(condition, mutex, end);
  return c_status(pthread_cond_timedwait(reinterpret_cast<pthread_cond_t*>(condition),
                                         reinterpret_cast<pthread_mutex_t*>(mutex), end));
}

int cnd_signal(cnd_t* condition) {
  if (current_process() == nullptr) return HEDDLE_REAL(cnd_signal)(condition);
  return c_status(pthread_cond_signal(reinterpret_cast<pthread_cond_t*>(condition)));
}

int cnd_broadcast(cnd_t* condition) {
  if (current_process() == nullptr) return HEDDLE_REAL(cnd_broadcast)(condition);
  return c_status(pthread_cond_broadcast(reinterpret_cast<pthread_cond_t*>(condition)));
}

int sem_wait(sem_t* semaphore) {
  if (current_process() == nullptr) return HEDDLE_REAL(sem_wait)(semaphore);
  return with_errno(wait_for_post(*semaphore, Time::never()));
}

int sem_timedwait(sem_t* semaphore, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(sem_timedwait)(semaphore, end);
  return with_errno(wait_for_post(*semaphore, instant_of(CLOCK_REALTIME, end)));
}

int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(sem_clockwait)(semaphore, clock, end);
  return with_errno(wait_for_post(*semaphore, instant_of(clock, end)));
}

int sem_trywait(sem_t* semaphore) noexcept {
  const int status = HEDDLE_REAL(sem_trywait)(semaphore);
  if (status == 0 || current_process() == nullptr) return status;
  const Call call(*current_rank());
  current_rank()->thread().looks().polled("polls with sem_trywait");
  return with_errno(EAGAIN);
}

int sem_post(sem_t* semaphore) noexcept {
  const int status = HEDDLE_REAL(sem_post)(semaphore);
  if (current_process() != nullptr) wake_at(semaphore, 1);
  return status;
}

int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_barrier_wait)(barrier);
  return meet(*reinterpret_cast<Barrier*>(barrier));
}

int pthread_once(pthread_once_t* control, void (*function)()) {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_once)(control, function);
  return run_once(*control, function);
}

void call_once(once_flag* flag, void (*function)()) {
  if (current_process() == nullptr) return HEDDLE_REAL(call_once)(flag, function);
  run_once(*reinterpret_cast<int*>(flag), function);
}
}

namespace __cxxabiv1 {
extern "C" {

int __cxa_guard_acquire(__guard* variable) {
  const Guard guard(variable);
  while (__atomic_load_n(&guard.done, __ATOMIC_ACQUIRE) == 0) {
    if (guard.take()) return guard.done == 0 ? 1 : (guard.leave(1), 0);
    guard.wait();
  }
  return 0;
}

void __cxa_guard_release(__guard* variable) noexcept {
  Guard(variable).leave(1);
}

void __cxa_guard_abort(__guard* variable) noexcept {
  Guard(variable).leave(0);
}
}
}  // namespace __cxxabiv1
