// Where threads wait for each other, many thousand times a second.
#pragma once

#include <atomic>
#include <cstdint>

namespace heddle {

/// Whatever a thread did before arrive_and_wait() is seen by all others after it. A thread that has
/// a core to itself looks for the others for some microseconds before it sleeps: to be woken takes
/// longer than a window of some hundred events. The last to come does what only one may do, before
/// the others go on.
class ThreadBarrier {
 public:
  /// `own_cores`: each of the `threads` has a core.
  ThreadBarrier(std::uint32_t threads, bool own_cores)
      : threads_(threads), looks_(own_cores ? kLooks : 0), missing_(threads) {}

  void arrive_and_wait() {
    arrive_and_wait([] {});
  }

  template <class Last>
  void arrive_and_wait(Last last) {
    const std::uint32_t round = round_.load(std::memory_order_relaxed);
    if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) {
      last();
      missing_.store(threads_, std::memory_order_relaxed);
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    for (std::uint32_t i = 0; i < looks_; ++i) {
      if (round_.load(std::memory_order_acquire) != round) return;
      pause();
    }
    round_.wait(round, std::memory_order_acquire);
  }

 private:
  /// Some 20 us of pauses, which take 40 ns on x86-64 and 10 elsewhere.
#if defined(__x86_64__)
  static constexpr std::uint32_t kLooks = 500;
#else
  static constexpr std::uint32_t kLooks = 2000;
#endif

  /// In which the processor leaves the other threads what they share.
  static void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
  }

  const std::uint32_t threads_;
  const std::uint32_t looks_;
  alignas(64) std::atomic<std::uint32_t> missing_;
  alignas(64) std::atomic<std::uint32_t> round_ = 0;
};

}  // namespace heddle
