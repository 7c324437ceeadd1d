#include "replay/engine/windowed_part.hpp"

#include <algorithm>

namespace heddle::replay {

WindowedPart::WindowedPart(std::uint32_t ranks, Time window)
    : EventWindow(window, 0),
      parts_({RankId{0}, RankId{ranks}}),
      me_(0),
      shared_(false),
      messages_(0),
      link_messages_(0) {
  stay_open();
}

WindowedPart::WindowedPart(const Parts& parts, std::size_t me, Time window, std::uint64_t mark)
    : EventWindow(window, mark),
      parts_(parts),
      me_(me),
      shared_(true),
      messages_(parts.size()),
      link_messages_(parts.size()) {}

EventQueue WindowedPart::make_queue() const {
  return {slice(), shared_ ? grain() : Time::ps(BucketQueue::kLongest)};
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
