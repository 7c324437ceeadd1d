// The order of requests between two nodes on one virtual network.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "nic/records.hpp"

namespace heddle::nic {

/// Requests are numbered as they are transmitted and leave here in the order of their numbers.
class Arrivals {
 public:
  /// The number of the next request to the other node.
  std::uint32_t next_number() { return sent_++; }

  /// The request that comes next in order need not wait here; false, and nothing happens, for any
  /// other. pop() may have those that waited for it.
  bool passes(const Message& message) {
    if (message.exchange->number != expected_) return false;
    ++expected_;
    return true;
  }
  /// Takes a request from the other node.
  void take(Message& message) { place(message.exchange->number) = {&message, true}; }
  /// The request of that number will not come.
  void skip(std::uint32_t number) { place(number) = {nullptr, true}; }
  /// The next request in order, or null if it is not here yet.
  Message* pop();

 private:
  struct Place {
    Message* message = nullptr;
    bool known = false;
  };
  Place& place(std::uint32_t number);

  std::uint32_t sent_ = 0;
  std::uint32_t expected_ = 0;
  std::vector<Place> window_;  ///< Of the numbers from expected_ on, by their low bits.
};

}  // namespace heddle::nic
