// Threads, as POSIX and C have them: fibers of the rank.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <threads.h>

#include <memory>

#include "host/libc/calls/rank_call.hpp"
#include "host/rank/futex.hpp"
#include "host/rank/waiting.hpp"

namespace heddle::host {
namespace {

int join(pthread_t thread, void** result, Time deadline) {
  const Call call(*current_rank());
  return current_process()->threads().join(thread, result, deadline);
}

/// A function of C's kind, called as one of POSIX's.
struct CStart {
  thrd_start_t function;
  void* argument;
  static void* run(void* self) {
    const CStart start = *std::unique_ptr<CStart>(static_cast<CStart*>(self));
    return reinterpret_cast<void*>(static_cast<intptr_t>(start.function(start.argument)));
  }
};

bool is_own_key(pthread_key_t key) {
  return key >= ProgramThreads::kFirstKey && current_process() != nullptr;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                   void* argument) noexcept {
  if (current_process() == nullptr) {
    return HEDDLE_REAL(pthread_create)(thread, attributes, body, argument);
  }
  const Call call(*current_rank());
  return current_process()->threads().create(*thread, attributes, body, argument);
}

int pthread_join(pthread_t thread, void** result) {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_join)(thread, result);
  return join(thread, result, Time::never());
}

int pthread_tryjoin_np(pthread_t thread, void** result) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_tryjoin_np)(thread, result);
  const Call call(*current_rank());
  const int error = join(thread, result, Time::zero());
  if (error != ETIMEDOUT) return error;
  current_rank()->thread().looks().polled("polls with pthread_tryjoin_np");
  return EBUSY;
}

int pthread_timedjoin_np(pthread_t thread, void** result, const timespec* end) {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_timedjoin_np)(thread, result, end);
  return join(thread, result, instant_of(CLOCK_REALTIME, end));
}

int pthread_detach(pthread_t thread) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_detach)(thread);
  return current_process()->threads().detach(thread);
}

void pthread_exit(void* result) {
  if (current_process() == nullptr) HEDDLE_REAL(pthread_exit)(result);
  current_process()->threads().exit(result);
}

int pthread_key_create(pthread_key_t* key, void (*destructor)(void*)) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_key_create)(key, destructor);
  return current_process()->threads().create_key(*key, destructor);
}

int pthread_key_delete(pthread_key_t key) noexcept {
  if (!is_own_key(key)) return HEDDLE_REAL(pthread_key_delete)(key);
  return current_process()->threads().delete_key(key);
}

int pthread_setspecific(pthread_key_t key, const void* value) noexcept {
  if (!is_own_key(key)) return HEDDLE_REAL(pthread_setspecific)(key, value);
  return current_process()->threads().set(key, value);
}

void* pthread_getspecific(pthread_key_t key) noexcept {
  if (!is_own_key(key)) return HEDDLE_REAL(pthread_getspecific)(key);
  return current_process()->threads().get(key);
}

/// Signals are the process's.
int pthread_kill(pthread_t thread, int signal) noexcept {
  if (current_process() == nullptr) return HEDDLE_REAL(pthread_kill)(thread, signal);
  if (signal == 0) return 0;
  return raise(signal) == 0 ? 0 : EINVAL;
}

/// The stack is that of the running thread; others are not asked for.
int pthread_getattr_np(pthread_t thread, pthread_attr_t* attributes) noexcept {
  const int error = HEDDLE_REAL(pthread_getattr_np)(thread, attributes);
  if (error != 0 || current_process() == nullptr || pthread_equal(thread, pthread_self()) == 0) {
    return error;
  }
  const auto stack = current_thread()->fiber().context().stack();
  return pthread_attr_setstack(attributes, stack.data(), stack.size());
}

// C's own.

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  if (current_process() == nullptr) return HEDDLE_REAL(thrd_create)(thread, function, argument);
  auto start = std::make_unique<CStart>(CStart{function, argument});
  const int error = pthread_create(thread, nullptr, CStart::run, start.get());
  if (error == 0) static_cast<void>(start.release());  // The thread's.
  return c_status(error);
}

int thrd_join(thrd_t thread, int* result) {
  if (current_process() == nullptr) return HEDDLE_REAL(thrd_join)(thread, result);
  void* value = nullptr;
  const int error = pthread_join(thread, &value);
  if (error == 0 && result != nullptr) {
    *result = static_cast<int>(reinterpret_cast<intptr_t>(value));
  }
  return c_status(error);
}

int thrd_detach(thrd_t thread) {
  if (current_process() == nullptr) return HEDDLE_REAL(thrd_detach)(thread);
  return c_status(pthread_detach(thread));
}

void thrd_exit(int result) {
  if (current_process() == nullptr) HEDDLE_REAL(thrd_exit)(result);
  pthread_exit(reinterpret_cast<void*>(static_cast<intptr_t>(result)));
}

int thrd_sleep(const timespec* duration, timespec* left) {
  if (current_process() == nullptr) return HEDDLE_REAL(thrd_sleep)(duration, left);
  if (nanosleep(duration, left) == 0) return 0;
  return errno == EINTR ? -1 : -2;
}

void thrd_yield() {
  sched_yield();
}

int tss_create(tss_t* key, tss_dtor_t destructor) {
  if (current_process() == nullptr) return HEDDLE_REAL(tss_create)(key, destructor);
  return c_status(pthread_key_create(key, destructor));
}

void tss_delete(tss_t key) {
  pthread_key_delete(key);
}

int tss_set(tss_t key, void* value) {
  return c_status(pthread_setspecific(key, value));
}

void* tss_get(tss_t key) {
  return pthread_getspecific(key);
}

/// Threads that wait by themselves, such as those of C++'s atomics and futures, wait as fibers.
long syscall(long number, ...) noexcept {
  std::array<long, 6> arguments;
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  if (number != SYS_futex || current_process() == nullptr) {
    return HEDDLE_REAL(syscall)(number, arguments[0], arguments[1], arguments[2], arguments[3],
                                arguments[4], arguments[5]);
  }
  const long result = futex(arguments);
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}
}
