// Messages that wait for their turn at a transmit engine.
#pragma once

#include <cstdint>
#include <vector>

#include "core/prefetch.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

/// A message to be: its exchange and its kind, in one word.
class Due {
 public:
  Due() = default;
  Due(Exchange& exchange, MessageKind kind)
      : word_(reinterpret_cast<std::uintptr_t>(&exchange) | static_cast<std::uintptr_t>(kind)) {}
  explicit operator bool() const { return word_ != 0; }
  Exchange& exchange() const { return *reinterpret_cast<Exchange*>(word_ & ~kKind); }
  MessageKind kind() const { return static_cast<MessageKind>(word_ & kKind); }

 private:
  static constexpr std::uintptr_t kKind = alignof(Exchange) - 1;
  std::uintptr_t word_ = 0;
};

/// First in, first out. The first is at hand, the others are in a ring.
class WaitingLine {
 public:
  bool empty() const { return !first_; }
  void push(Due due) {
    if (!first_) {
      first_ = due;
      return;
    }
    if (end_ - begin_ == places_.size()) grow();
    places_[end_++ & (places_.size() - 1)] = due;
  }
  /// There must be one.
  Due pop() {
    const Due due = first_;
    first_ = begin_ == end_ ? Due() : places_[begin_++ & (places_.size() - 1)];
    return due;
  }
  /// The first is near its turn: fetches what that needs from memory.
  void foresee() const {
    if (!first_) return;
    first_.exchange().fetch();
    if (begin_ != end_) prefetch(&places_[begin_ & (places_.size() - 1)]);
  }
  /// The same for one more to come.
  void foresee_push() const {
    if (first_ && !places_.empty()) prefetch_to_write(&places_[end_ & (places_.size() - 1)]);
  }
  /// The first, or none.
  Due first() const { return first_; }

 private:
  void grow() {
    std::vector<Due> larger(places_.empty() ? 4 : 2 * places_.size());
    for (std::uint32_t place = begin_; place != end_; ++place) {
      larger[place & (larger.size() - 1)] = places_[place & (places_.size() - 1)];
    }
    places_ = std::move(larger);
  }

  Due first_;
  std::vector<Due> places_;  ///< Their number is a power of two.
  std::uint32_t begin_ = 0;  ///< Places count on.
  std::uint32_t end_ = 0;
};

}  // namespace heddle::nic
