// What AddressSanitizer and ThreadSanitizer have to know of stacks; nothing where they do not look.
#pragma once

#include <cstddef>
#include <utility>

#if defined(__SANITIZE_ADDRESS__)
#define HEDDLE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HEDDLE_ASAN 1
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define HEDDLE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HEDDLE_TSAN 1
#endif
#endif
#ifdef HEDDLE_TSAN
#include <sanitizer/tsan_interface.h>
#endif
#ifdef HEDDLE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

/// What runs before a sanitizer has set itself up.
#define HEDDLE_NEVER_CHECKED __attribute__((no_sanitize("address"), no_sanitize("undefined")))

namespace heddle {

#ifdef HEDDLE_ASAN
/// The code is about to leave its stack for another one; `fake_stack` is null if for good.
inline void before_switch(void** fake_stack, const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(fake_stack, bottom, size);
}
/// It is there: where it left `fake_stack`, or at its beginning. Says what it comes from.
inline void after_switch(void* fake_stack, const void** old_bottom, std::size_t* old_size) {
  __sanitizer_finish_switch_fiber(fake_stack, old_bottom, old_size);
}
/// A stack is used anew.
inline void forget_past(const void* bottom, std::size_t size) {
  __asan_unpoison_memory_region(bottom, size);
}
#else
inline void before_switch(void**, const void*, std::size_t) {}
inline void after_switch(void*, const void**, std::size_t*) {}
inline void forget_past(const void*, std::size_t) {}
#endif

/// What ThreadSanitizer takes for a thread: code with a stack of its own.
class History {
 public:
#ifdef HEDDLE_TSAN
  /// Of the code that is here, and of code that has not begun yet.
  static History current() {
    return History(__tsan_get_current_fiber());
  }
  static History begin() {
    return History(__tsan_create_fiber(0));
  }
  /// Nobody goes on there.
  void end() {
    if (code_ != nullptr) __tsan_destroy_fiber(std::exchange(code_, nullptr));
  }
  /// The next that happens is that its code goes on. A function of its own would begin in one
  /// history and end in the other.
  [[gnu::always_inline]] void go_on() const {
    __tsan_switch_to_fiber(code_, 0);
  }
  History() = default;

 private:
  explicit History(void* code) : code_(code) {}
  void* code_ = nullptr;
#else
  static History current() {
    return {};
  }
  static History begin() {
    return {};
  }
  void end() {}
  void go_on() const {}
#endif
};

}  // namespace heddle
