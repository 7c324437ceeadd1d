#include "replay/engine/windowed_part.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "core/error.hpp"

namespace heddle::replay {
namespace {

/// Short enough that few events cause others within the same slice.
Time slice_of(Time window) {
  return std::max(Time::ps(1), window / 64);
}

/// A slice is no longer, and ends where a window does: nothing of it is left to be settled.
Time grain_of(Time window) {
  const Time longest = std::max(Time::ps(1), window / 16);
  return Time::ps(
      static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(longest.ps()))));
}

}  // namespace

WindowedPart::WindowedPart(std::uint32_t ranks, Time window)
    : parts_({RankId{0}, RankId{ranks}}),
      me_(0),
      shared_(false),
      window_(window),
      grain_(grain_of(window)),
      mark_(0),
      end_(Time::never()),
      messages_(0),
      link_messages_(0) {}

WindowedPart::WindowedPart(const Parts& parts, std::size_t me, Time window, std::uint64_t mark)
    : parts_(parts),
      me_(me),
      shared_(true),
      window_(window),
      grain_(grain_of(window)),
      mark_(mark),
      end_(kBeforeAll),
      messages_(parts.size()),
      link_messages_(parts.size()) {}

EventQueue WindowedPart::make_queue() const {
  return {slice_of(window_), shared_ ? grain_ : Time::ps(BucketQueue::kLongest)};
}

void WindowedPart::open_first(EventQueue& events) {
  restart(events);
}

void WindowedPart::open(Time start, EventQueue& events) {
  end_ = Time::ps((start + window_).ps() / grain_.ps() * grain_.ps());
  restart(events);
}

void WindowedPart::restart(EventQueue& events) {
  events.entries().begin_window(end_.ps());
  log_.clear();
  next_cause_ = Sequences::first_of(0) | mark_;
  events.set_sequence(next_cause_);
}

[[gnu::cold]] void WindowedPart::throw_too_many(std::uint64_t caused) {
  throw RunError(
      fmt::format("an operation sets {} others free: at most {} can be shared among threads",
                  caused, std::uint64_t{1} << Sequences::kOffsetBits));
}

Time WindowedPart::settle(Numbers& numbers) {
  Time next = Time::never();
  messages_.settle([&](RemoteMessage& message) {
    message.sequence = numbers.resolve(message.sequence);
    next = std::min(next, message.arrival);
  });
  link_messages_.settle([&](RemoteLinkMessage& message) {
    message.sequence = numbers.resolve(message.sequence) & ~Sequences::kBehind;
    message.of_launch = numbers.resolve(message.of_launch);
    next = std::min(next, message.time);
  });
  return next;
}

}  // namespace heddle::replay
