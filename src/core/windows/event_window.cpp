#include "core/windows/event_window.hpp"

#include <fmt/core.h>

#include <bit>

#include "core/error.hpp"

namespace heddle {
namespace {

constexpr Time kBeforeAll = Time::ps(INT64_MIN);

/// A slice is no longer, and ends where a window does: nothing of it is left to be settled.
Time grain_of(Time length) {
  const Time longest = std::max(Time::ps(1), length / 16);
  return Time::ps(
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(longest.ps()))));
}

}  // namespace

EventWindow::EventWindow(Time length, std::uint64_t mark)
    : length_(length), grain_(grain_of(length)), mark_(mark), end_(kBeforeAll) {}

/// Short enough that few events cause others within the same slice.
Time EventWindow::slice() const {
  return std::max(Time::ps(1), length_ / 64);
}

Time EventWindow::end_from(Time start) const {
  return Time::ps((start + length_).ps() / grain_.ps() * grain_.ps());
}

[[gnu::cold]] void EventWindow::throw_too_many(std::uint64_t caused) {
  throw RunError(
      fmt::format("an operation sets {} others free: at most {} can be shared among threads",
                  caused, std::uint64_t{1} << Sequences::kOffsetBits));
}

}  // namespace heddle
