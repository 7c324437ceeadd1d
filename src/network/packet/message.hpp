// A message being cut into packets and put together again.
#pragma once

#include <algorithm>
#include <cstdint>

#include "network/network.hpp"

namespace heddle::network {

/// As an event, its last byte leaving the source.
struct alignas(64) Message final : public Event {
  void fire() override { transfer.report(Instant::injected); }

  /// Tells the client of the first byte, once.
  void report_head() {
    if (head_reported) return;
    head_reported = true;
    transfer.report(Instant::head);
  }
  /// In which the payload of the next packet comes together at the message's own rate.
  Time own_pace(std::int64_t max_payload) const {
    return transfer.rate_cap.time_for(Bytes(std::min(unsent, max_payload)));
  }

  /// A packet begins to leave; the next one is due later.
  void keep_pace(Time begin, std::int64_t max_payload) {
    if (transfer.rate_cap.is_unlimited()) return;
    const Time pace = own_pace(max_payload);
    ready = begin + pace;
    due += pace;
  }

  Transfer transfer;
  std::int64_t unsent = 0;        ///< Payload bytes not yet cut into packets.
  std::int64_t packets_left = 0;  ///< Not yet at the destination.
  Time ready;                     ///< When its own rate has brought the next packet together.
  Time due;                       ///< The same, had nothing held it up.
  bool head_reported = false;
  bool notification = false;        ///< Congestion: for the source's adapter, not for a client.
  LinkId lost_on = kNoLink;         ///< Where the last of its packets was lost of those that were.
  Message* next = nullptr;          ///< In the host's queue.
  std::int64_t unacknowledged = 0;  ///< Packets that have been cut, where they are tracked.
};

}  // namespace heddle::network
