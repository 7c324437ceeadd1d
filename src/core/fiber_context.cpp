#include "core/fiber_context.hpp"

#include <cxxabi.h>

#include <cerrno>
#include <cstdlib>

namespace heddle {
namespace {

/// Bytes by which a stack begins lower. Stacks lie a multiple of a page apart, so that the frames
/// of all fibers would compete for the same few places in the processor's caches.
std::size_t colour_of(std::uint32_t stack) {
  constexpr std::size_t kColours = 24;  ///< As far as most frames still fit into the first page.
  return stack % kColours * kCacheLine;
}

/// The runtime's state of this thread; the C++ ABI prescribes its two members.
ExceptionState* exceptions_of_thread() {
  return reinterpret_cast<ExceptionState*>(abi::__cxa_get_globals());
}

}  // namespace

FiberHost::FiberHost(const FiberConfig& config)
    : stacks(config.stack_size, config.max_stacks, config.guard_every),
      thread(thread_pointer()),
      exceptions(exceptions_of_thread()),
      error_number(&errno) {}

bool FiberContext::begin(StackBeginning beginning) {
  std::size_t colour = 0;
  if (place_.stack.empty()) {
    const auto free = host_.stacks.take();
    if (!free) return false;
    number_ = *free;
    colour = colour_of(number_);
  }
  const std::span<std::byte> mine = stack();
  forget_past(mine.data(), mine.size());
  static_cast<StopPlace&>(*this) = beginning_of(mine.first(mine.size() - colour), beginning);
  floating_point_ = FloatingPoint::unused();
  history_ = History::begin();
  return true;
}

void FiberContext::give_back() {
  if (place_.stack.empty()) host_.stacks.give_back(number_);
  abandon();
}

void FiberContext::arrive() {
  after_switch(nullptr, &host_.bottom, &host_.size);
  take_thread();
}

void FiberContext::finish() {
  give_thread_back();
  before_switch(nullptr, host_.bottom, host_.size);
  host_.history.go_on();
  switch_stacks(*this, host_.stop);
  std::abort();  // Nobody comes back to finished code.
}

void FiberContext::visit_aside(SidePlace& from) {
  const FloatingPoint own = FloatingPoint::now();
  floating_point_.take_over(own);
  from.thread_pointer = heddle::thread_pointer();
  from.history = History::current();
  history_.go_on();
  switch_stacks(from.stop, *this);
  floating_point_ = FloatingPoint::now();
  own.take_over_mode(floating_point_);
}

void FiberContext::leave_aside(SidePlace& side) {
  set_thread_pointer(side.thread_pointer);
  side.history.go_on();
  switch_stacks(*this, side.stop);
  take_thread();
}

bool FiberContext::overflows(const void* address) const {
  if (!live()) return false;
  return place_.stack.empty() ? host_.stacks.below(number_, address)
                              : address < place_.stack.data();
}

}  // namespace heddle
