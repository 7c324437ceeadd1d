// Exchanges in rounds, as blocking collectives carry them out.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "goal/patterns/side.hpp"

namespace heddle::goal {

/// How long it takes to reduce so many bytes, in the schedule's time unit.
using WorkFor = std::function<std::uint64_t(std::uint64_t bytes)>;

/// One member's rounds, each of a send, a receive, or a send and then a receive. What is sent or
/// received in a round waits for the end of all that was sent, received and reduced in the rounds
/// before: so whoever has received the last message knows that everybody whose data is in it has
/// taken part.
class Rounds {
 public:
  explicit Rounds(const Side& side, WorkFor work = {}) : side_(side), work_(std::move(work)) {}

  void send(std::uint64_t bytes, std::uint32_t to) {
    const std::uint32_t send = side_.send(bytes, to);
    if (sending_) sent_ = sending_;
    wait(send);
    sending_ = send;
  }
  void recv(std::uint64_t bytes, std::uint32_t from) {
    const std::uint32_t recv = side_.recv(bytes, from);
    wait(recv);
    received_ = recv;
    if (sending_) sent_ = std::exchange(sending_, std::nullopt);
  }
  /// Adds `bytes` that were received last to the own data.
  void reduce(std::uint64_t bytes) {
    const std::uint64_t duration = work_ ? work_(bytes) : 0;
    if (duration == 0) return;
    const std::uint32_t sum = side_.calc(duration);
    side_.after(sum, *received_);
    received_ = sum;
  }
  void exchange(std::uint64_t bytes, std::uint32_t peer) {
    send(bytes, peer);
    recv(bytes, peer);
  }

 private:
  void wait(std::uint32_t op) const {
    if (received_) side_.after(op, *received_);
    if (sent_) side_.after(op, *sent_);
  }

  const Side& side_;
  WorkFor work_;
  std::optional<std::uint32_t> received_;  ///< The last that was received or reduced,
  std::optional<std::uint32_t> sent_;      ///< and that was sent in a round before;
  std::optional<std::uint32_t> sending_;   ///< what is sent in this one.
};

/// Data cut into one piece per member, as MPI libraries do: the first ones are a byte larger where
/// it cannot be shared out evenly.
class Pieces {
 public:
  Pieces(std::uint64_t bytes, std::uint32_t count) : each_(bytes / count), larger_(bytes % count) {}
  /// The bytes of `count` pieces from the `first` on.
  std::uint64_t bytes(std::uint64_t first, std::uint64_t count = 1) const {
    return begin(first + count) - begin(first);
  }

 private:
  std::uint64_t begin(std::uint64_t piece) const {
    return piece * each_ + (piece < larger_ ? piece : larger_);
  }

  std::uint64_t each_;
  std::uint64_t larger_;
};

}  // namespace heddle::goal
