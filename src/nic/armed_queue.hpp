// The contexts whose deadline is watched, in the order of their deadlines.
#pragma once

#include <cstdint>
#include <vector>

#include "nic/records.hpp"

namespace heddle::nic {

/// A queue that contexts leave at any place: the place stays empty behind them, so that nothing
/// but the queue itself is touched.
class ArmedQueue {
 public:
  struct Armed {
    Exchange* exchange = nullptr;  ///< Null: the place is empty.
    Half half{};
    Time deadline{};
  };

  bool empty() const { return begin_ == end_; }
  /// The one with the earliest deadline; there must be one.
  const Armed& front() const { return at(begin_); }
  /// With a deadline that is not before those of the others.
  void push(Exchange& exchange, Half half, Time deadline) {
    if (end_ - begin_ == places_.size()) make_room();
    exchange.context(half).place = end_;
    at(end_++) = {&exchange, half, deadline};
    ++count_;
  }
  void remove(const Context& context) {
    at(context.place).exchange = nullptr;
    --count_;
    while (begin_ != end_ && !at(begin_).exchange) ++begin_;
  }

 private:
  Armed& at(std::uint32_t place) { return places_[place & (places_.size() - 1)]; }
  const Armed& at(std::uint32_t place) const { return places_[place & (places_.size() - 1)]; }
  void make_room();
  void close_ranks();

  std::vector<Armed> places_;  ///< Their number is a power of two.
  std::uint32_t begin_ = 0;    ///< Places count on; it is never empty unless all are.
  std::uint32_t end_ = 0;
  std::uint32_t count_ = 0;  ///< Of those that are not empty.
};

}  // namespace heddle::nic
