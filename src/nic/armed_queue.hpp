// The contexts whose deadline is watched, in the order of their deadlines.
#pragma once

#include <cstdint>
#include <vector>

#include "core/prefetch.hpp"
#include "nic/adapter_map.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

/// A queue that contexts leave at any time: their places are found empty later, so that leaving
/// touches no memory but the context itself.
class ArmedQueue {
 public:
  /// A context, at least as long as nobody has left.
  class Armed {
   public:
    Armed() = default;
    Armed(Exchange& exchange, Half half, Time deadline)
        : word_(reinterpret_cast<std::uintptr_t>(&exchange) | static_cast<std::uintptr_t>(half)),
          deadline_(deadline) {}
    Exchange& exchange() const { return *reinterpret_cast<Exchange*>(word_ & ~kHalf); }
    Half half() const { return static_cast<Half>(word_ & kHalf); }
    Time deadline() const { return deadline_; }

   private:
    static constexpr std::uintptr_t kHalf = 1;
    std::uintptr_t word_ = 0;
    Time deadline_;
  };

  explicit ArmedQueue(AdapterId adapter) : adapter_(adapter) {}
  bool empty() const { return count_ == 0; }
  /// The one with the earliest deadline; there must be one.
  const Armed& front() {
    while (!waits(begin_)) ++begin_;
    return at(begin_);
  }
  /// With a deadline that is not before those of the others; its context must be armed.
  void push(Exchange& exchange, Half half, Time deadline) {
    if (end_ - begin_ == places_.size()) make_room();
    exchange.context(half).place = end_;
    at(end_++) = {exchange, half, deadline};
    ++count_;
  }
  /// One more is near: fetches from memory where it goes.
  void foresee_push() const {
    if (!places_.empty()) prefetch_to_write(&places_[end_ & (places_.size() - 1)]);
  }
  /// One of them is disarmed now, or is going to be pushed anew.
  void left() {
    if (--count_ == 0) begin_ = end_;
  }

 private:
  Armed& at(std::uint32_t place) { return places_[place & (places_.size() - 1)]; }
  bool waits(std::uint32_t place);
  void make_room();
  void close_ranks();

  std::vector<Armed> places_;  ///< Their number is a power of two.
  std::uint32_t begin_ = 0;    ///< Places count on; the low part is the place in the ring.
  std::uint32_t end_ = 0;
  std::uint32_t count_ = 0;  ///< Of those that have not left.
  AdapterId adapter_;        ///< Whose contexts they are.
};

}  // namespace heddle::nic
