#include "replay/engine/windowed_part.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "core/error.hpp"

namespace heddle::replay {
namespace {

/// Short enough that few events cause others within the same slice.
std::int64_t slice_of(std::int64_t window) {
  return std::max<std::int64_t>(1, window / 64);
}

/// A slice is no longer, and ends where a window does: nothing of it is left to be settled.
std::int64_t grain_of(std::int64_t window) {
  return static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, window / 16))));
}

}  // namespace

WindowedPart::WindowedPart(std::uint32_t ranks, std::int64_t window)
    : parts_({0, ranks}),
      me_(0),
      shared_(false),
      window_(window),
      grain_(grain_of(window)),
      mark_(0),
      end_(kNever),
      messages_(0),
      link_messages_(0) {}

WindowedPart::WindowedPart(const Parts& parts, std::size_t me, std::int64_t window,
                           std::uint64_t mark)
    : parts_(parts),
      me_(me),
      shared_(true),
      window_(window),
      grain_(grain_of(window)),
      mark_(mark),
      end_(INT64_MIN),
      messages_(parts.size()),
      link_messages_(parts.size()) {}

EventQueue WindowedPart::make_queue() const {
  return {slice_of(window_), shared_ ? grain_ : BucketQueue::kLongest};
}

void WindowedPart::open_first(EventQueue& events) {
  restart(events);
}

void WindowedPart::open(std::int64_t start, EventQueue& events) {
  end_ = (start + window_) / grain_ * grain_;
  restart(events);
}

void WindowedPart::restart(EventQueue& events) {
  events.entries().begin_window(end_);
  log_.clear();
  next_cause_ = Sequences::first_of(0) | mark_;
  events.set_sequence(next_cause_);
}

[[gnu::cold]] void WindowedPart::throw_too_many(std::uint64_t caused) {
  throw RunError(
      fmt::format("an operation sets {} others free: at most {} can be shared among threads",
                  caused, std::uint64_t{1} << Sequences::kOffsetBits));
}

std::int64_t WindowedPart::settle(Numbers& numbers) {
  std::int64_t next = kNever;
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
