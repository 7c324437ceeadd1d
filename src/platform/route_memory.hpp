// Fixed routes, worked out once for each pair of endpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::platform {

/// What Routes::next and Routes::latency say of the routes that messages have taken, for
/// platforms whose routing leaves no choice. Not for use by several threads at once.
class RouteMemory {
 public:
  /// The platform must outlive it, and not change any more.
  explicit RouteMemory(const Platform& platform);

  using Step = RouteStep;
  /// The links from one endpoint to another; behind the last one, kNoLink. Valid as long as the
  /// memory. Null where it knows many pairs already: then this one is not remembered.
  const Step* find(Endpoint source, Endpoint destination) {
    if (in_vain_ >= kPatience && ++unasked_ % kSeldom != 0) return nullptr;
    const std::uint64_t pair = pair_of(source, destination);
    const Slot& slot = slots_[place_of(pair)];
    if (slot.pair != pair) return search(pair, source, destination);
    in_vain_ = 0;
    return slot.route;
  }

 private:
  static constexpr std::uint64_t kNoPair = UINT64_MAX;
  // Where messages go between far more pairs than it knows, most looks are in vain, and each waits
  // for memory: after many of them in a row only some messages ask, until one finds its route.
  static constexpr std::uint32_t kPatience = 256;
  static constexpr std::uint32_t kSeldom = 16;
  struct Slot {
    std::uint64_t pair = kNoPair;
    const Step* route = nullptr;
  };
  std::uint64_t pair_of(Endpoint source, Endpoint destination) const {
    return one_of(source) << 32 | one_of(destination);
  }
  /// Adapters are fewer than 2^30, for each has links.
  std::uint64_t one_of(Endpoint end) const {
    const bool only_one = platform_.adapters() == 1;
    const std::size_t adapter = only_one ? index(end.node) : platform_.adapter_index(end);
    return adapter << 2 | static_cast<std::uint64_t>(end.port);
  }
  std::size_t place_of(std::uint64_t pair) const {
    return static_cast<std::size_t>((pair * 0x9e3779b97f4a7c15ULL) >> shift_);
  }
  const Step* search(std::uint64_t pair, Endpoint source, Endpoint destination);
  Slot& slot_of(std::uint64_t pair);
  void grow();
  const Step* store(Endpoint source, Endpoint destination);

  const Platform& platform_;
  std::vector<Slot> slots_;  ///< 2^(64 - shift_) of them, at most half of which are taken.
  unsigned shift_;
  std::size_t pairs_ = 0;
  std::uint32_t in_vain_ = 0;  ///< Looks in a row that have found nothing.
  std::uint32_t unasked_ = 0;
  std::deque<std::vector<Step>> steps_;  ///< None of which grows beyond its first memory.
  std::vector<Step> scratch_;
  LinkSet fabric_;
};

}  // namespace heddle::platform
