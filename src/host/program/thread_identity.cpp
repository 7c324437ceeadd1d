#include "host/program/thread_identity.hpp"

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>

#include <climits>

#include "core/thread_pointer.hpp"
#include "host/libc/real_function.hpp"
#include "host/rank/thread.hpp"

namespace heddle::host {
namespace {

/// For what the C library does at a thread's beginning and end, and for its variables.
constexpr std::size_t kStack = 128 * 1024;

// Who waits here may have lent its variables to a fiber that runs meanwhile: it uses none, and no
// function that asks whose code is running.

auto* const kernel_call = real_function<decltype(::syscall)>("syscall");

void wait(std::atomic<int>& flag) {
  while (flag.load() == 0) kernel_call(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, nullptr);
}

void raise_flag(std::atomic<int>& flag) {
  flag.store(1);
  kernel_call(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, INT_MAX);
}

}  // namespace

OutsideRanks::OutsideRanks() : thread_(set_running(nullptr)) {}

OutsideRanks::~OutsideRanks() {
  set_running(static_cast<Thread*>(thread_));
}

ThreadIdentity::ThreadIdentity() {
  const OutsideRanks outside;
  sigset_t all;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStack);
  pthread_attr_setsigmask_np(&attributes, &all);
  const int error = pthread_create(&handle_, &attributes, live, this);
  pthread_attr_destroy(&attributes);
  if (error == 0) wait(ready_);
}

ThreadIdentity::~ThreadIdentity() {
  const OutsideRanks outside;
  if (valid()) {
    raise_flag(over_);
    pthread_join(handle_, nullptr);
  }
}

void* ThreadIdentity::live(void* self) {
  auto& identity = *static_cast<ThreadIdentity*>(self);
  identity.pointer_ = thread_pointer();
  raise_flag(identity.ready_);
  wait(identity.over_);
  return nullptr;
}

}  // namespace heddle::host
