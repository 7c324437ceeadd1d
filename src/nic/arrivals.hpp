// The order of requests between an adapter and others.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/prefetch.hpp"
#include "nic/adapter_map.hpp"
#include "nic/key_table.hpp"
#include "nic/records.hpp"

namespace heddle::nic {

/// The number of a pair of adapters, at each of them: that of the one of `other`, on the virtual
/// networks of the request's kind.
constexpr std::uint64_t pair_with(const ProcessId& other, const Request& request) {
  return std::uint64_t{request.service} << 32 | index(adapter_of(other));
}

/// Requests are numbered, for each pair of adapters and kind of virtual network, as they are
/// transmitted, and leave here in the order of their numbers. Pairs are known by numbers; those of
/// neighbours lie side by side.
class Arrivals {
 public:
  /// The number of the next request to the other adapter.
  std::uint32_t next_number(std::uint64_t pair) { return order(pair).sent++; }

  /// A request that comes next in order need not wait here; false, and nothing happens, for any
  /// other. pop() may have those that waited for it.
  bool passes(std::uint64_t pair, std::uint32_t number) {
    Order& order = this->order(pair);
    if (number != order.expected) return false;
    ++order.expected;
    return true;
  }
  /// Takes a request from the other adapter.
  void take(std::uint64_t pair, Message& message) {
    place(pair, message.exchange->number) = {&message, true};
    ++waiting_;
  }
  /// The request of that number will not come.
  void skip(std::uint64_t pair, std::uint32_t number) {
    place(pair, number) = {nullptr, true};
    ++waiting_;
  }
  /// The next request in order, or null if it is not here yet.
  Message* pop(std::uint64_t pair) { return waiting_ == 0 ? nullptr : pop_waiting(pair); }

  /// A use is near: fetches from memory what leads to the pairs.
  void foresee() const { prefetch(this); }
  /// The same a little later, for this pair.
  void foresee(std::uint64_t pair) const { blocks_.foresee(pair / kBlock); }

 private:
  struct Order {
    std::uint32_t sent = 0;
    std::uint32_t expected = 0;
  };
  /// With its number a block is a line of the cache.
  static constexpr std::size_t kBlock = (kCacheLine - sizeof(std::uint64_t)) / sizeof(Order);
  struct Block {
    std::array<Order, kBlock> orders;
  };
  struct Place {
    Message* message = nullptr;
    bool known = false;
  };
  using Window = std::vector<Place>;  ///< Of the numbers from that expected on, by their low bits.

  Order& order(std::uint64_t pair) { return blocks_[pair / kBlock].orders[pair % kBlock]; }
  Place& place(std::uint64_t pair, std::uint32_t number);
  Message* pop_waiting(std::uint64_t pair);

  KeyTable<Block, kCacheLine> blocks_;
  std::size_t waiting_ = 0;  ///< Places that are known, of all pairs.
  /// Of pairs whose requests have come out of order; null while there is none.
  std::unique_ptr<KeyTable<Window>> windows_;
};

}  // namespace heddle::nic
