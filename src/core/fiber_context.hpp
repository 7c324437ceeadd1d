// Where code stops and goes on, and what of the processor and of its thread goes with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "core/floating_point.hpp"
#include "core/prefetch.hpp"
#include "core/quantity.hpp"
#include "core/sanitizer.hpp"
#include "core/stack_arena.hpp"
#include "core/stack_switch.hpp"
#include "core/thread_pointer.hpp"

namespace heddle {

/// Size and number of the stacks.
struct FiberConfig {
  Bytes stack_size{64 * 1024};        ///< Of each fiber, rounded up to whole pages.
  std::uint32_t max_stacks = 65'536;  ///< Fibers that may have started and not finished at a time.
  /// Every so many stacks have a guard below them that stops what overflows; zero: none. The
  /// kernel allows some 30,000 guards.
  std::uint32_t guard_every = 0;
};

/// What a fiber has of its own that others share.
struct FiberPlace {
  std::span<std::byte> stack;  ///< Instead of one of the scheduler's; must outlive the fiber.
  /// What finds the fiber's thread-local variables; null: those of the thread that simulates.
  void* thread_pointer = nullptr;
};

/// The C++ runtime's account of exceptions in flight, which must follow the stack.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;
};

/// Where code comes from that goes to a fiber's stack for a while, and what finds the thread-local
/// variables there.
struct SidePlace {
  StopPlace stop;
  void* thread_pointer = nullptr;
  [[no_unique_address]] History history;
};

class Fiber;

/// What the contexts of one event loop share: memory for their stacks, and what it goes on with
/// when they stop. Belongs to the thread that makes it.
struct FiberHost {
  explicit FiberHost(const FiberConfig& config);
  FiberHost(const FiberHost&) = delete;
  FiberHost& operator=(const FiberHost&) = delete;

  StackArena stacks;
  Fiber* current = nullptr;    ///< Whose code is running.
  StopPlace stop;              ///< Where the event loop goes on.
  void* thread;                ///< What finds the thread-local variables of its thread, ...
  ExceptionState* exceptions;  ///< ... of which these are needed for every switch.
  int* error_number;
  const void* bottom = nullptr;  ///< For AddressSanitizer.
  std::size_t size = 0;
  [[no_unique_address]] History history = History::current();
};

/// A stack with code that has not begun there, has stopped, or runs. Who knows only where it stops
/// finds it by of().
class FiberContext : private StopPlace {
 public:
  /// The host must outlive it.
  FiberContext(FiberHost& host, const FiberPlace& place) : host_(host), place_(place) {}
  FiberContext(const FiberContext&) = delete;
  FiberContext& operator=(const FiberContext&) = delete;

  static FiberContext& of(StopPlace& stop) { return static_cast<FiberContext&>(stop); }
  FiberHost& host() const { return host_; }

  // From the event loop:

  /// It has a stack now, on which `beginning` comes first; false if there is none left.
  bool begin(StackBeginning beginning);
  /// Whether it has one.
  bool live() const { return StopPlace::stack != nullptr; }
  /// Its code goes on, up to where it stops again.
  void visit();
  /// Whether its code has stayed on its stack, as far as that can be told; what that looks at is
  /// fetched from memory before.
  bool intact() const { return !place_.stack.empty() || host_.stacks.intact(number_); }
  void foresee_intact() const { prefetch(host_.stacks.bottom(number_) - 1); }
  /// Its code does not go on, and others may have its stack; for the end of all, nobody needs it.
  void give_back();
  void abandon() {
    StopPlace::stack = nullptr;
    history_.end();
  }

  // For the code that runs on it:

  /// The first that it does.
  void arrive();
  /// Lets the event loop go on until that visits it again.
  void leave();
  /// The same for ever.
  [[noreturn]] void finish();

  // On another thread of this computer than the event loop's:

  /// Its code goes on there, up to where it leaves that.
  void visit_aside(SidePlace& from);
  /// Lets that thread go on; by its code, which goes on when the event loop visits it.
  void leave_aside(SidePlace& side);

  // For everybody:

  std::span<std::byte> stack() const {
    if (!place_.stack.empty()) return place_.stack;
    return {host_.stacks.bottom(number_), host_.stacks.usable_size()};
  }
  /// Where on a stack its code has stopped.
  std::byte* stopped_at() const { return static_cast<std::byte*>(StopPlace::stack); }
  /// Whether a stack pointer or an address near it shows that its code has overflowed its stack.
  bool overflows(const void* address) const;
  /// What finds the thread-local variables of its code.
  void* thread_pointer() const { return has_own_thread() ? place_.thread_pointer : host_.thread; }
  bool has_own_thread() const { return place_.thread_pointer != nullptr; }

 private:
  /// Code with thread-local variables of its own has them as long as it runs.
  void take_thread() const {
    if (has_own_thread()) set_thread_pointer(place_.thread_pointer);
  }
  void give_thread_back() const {
    if (has_own_thread()) set_thread_pointer(host_.thread);
  }

  FiberHost& host_;
  FiberPlace place_;
  std::uint32_t number_ = 0;  ///< Of its stack among the host's; meaningful while it is live.
  int error_number_ = 0;      ///< The C library's, while others run.
  ExceptionState exceptions_;
  void* fake_stack_ = nullptr;  ///< AddressSanitizer's.
  [[no_unique_address]] History history_;
  FloatingPoint floating_point_;
};

// What stops and goes on is a part of each function that calls it: the processor guesses wrong
// where a function returns to that was called before the switch, and takes longer for that than for
// the switch.

[[gnu::always_inline]] inline void FiberContext::leave() {
  give_thread_back();
  before_switch(&fake_stack_, host_.bottom, host_.size);
  host_.history.go_on();
  switch_stacks(*this, host_.stop);
  after_switch(fake_stack_, &host_.bottom, &host_.size);
  take_thread();
}

[[gnu::always_inline]] inline void FiberContext::visit() {
  ExceptionState& live = *host_.exceptions;
  const ExceptionState others = live;
  live = exceptions_;
  const int others_error = std::exchange(*host_.error_number, error_number_);
  const FloatingPoint others_floating_point = FloatingPoint::now();
  floating_point_.take_over(others_floating_point);
  void* fake_stack = nullptr;
  const std::span<std::byte> there = stack();
  before_switch(&fake_stack, there.data(), there.size());
  history_.go_on();
  switch_stacks(host_.stop, *this);
  after_switch(fake_stack, nullptr, nullptr);
  // The event loop rounds its own way, and has no use for the flags.
  floating_point_ = FloatingPoint::now();
  others_floating_point.take_over_mode(floating_point_);
  error_number_ = std::exchange(*host_.error_number, others_error);
  exceptions_ = live;
  live = others;
}

}  // namespace heddle
