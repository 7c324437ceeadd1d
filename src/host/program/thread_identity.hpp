// Thread-local variables for the threads of ranks.
#pragma once

#include <pthread.h>

#include <atomic>

namespace heddle::host {

/// As long as it lives, the running code is taken for the simulator's own, not for a rank's.
class OutsideRanks {
 public:
  OutsideRanks();
  ~OutsideRanks();
  OutsideRanks(const OutsideRanks&) = delete;
  OutsideRanks& operator=(const OutsideRanks&) = delete;

 private:
  void* thread_;
};

/// A set of everything that the C library keeps for a thread: its variables, its number, errno,
/// caches. It is made in the only way that is sure to make all of it, as a thread of the host,
/// which does nothing but wait for its end while the code of a fiber takes its place.
class ThreadIdentity {
 public:
  /// `valid` is false afterwards if the host has no thread to spare.
  ThreadIdentity();
  ~ThreadIdentity();
  ThreadIdentity(const ThreadIdentity&) = delete;
  ThreadIdentity& operator=(const ThreadIdentity&) = delete;

  bool valid() const { return pointer_ != nullptr; }
  /// What finds the variables.
  void* pointer() const { return pointer_; }
  /// What pthread_self() answers there.
  pthread_t handle() const { return handle_; }

 private:
  static void* live(void* self);

  pthread_t handle_{};
  void* pointer_ = nullptr;
  std::atomic<int> ready_ = 0;
  std::atomic<int> over_ = 0;
};

}  // namespace heddle::host
