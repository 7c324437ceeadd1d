// Exchanges in rounds, as blocking collectives carry them out.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "replay/patterns/side.hpp"

namespace heddle::replay {

/// How long it takes to reduce so many bytes, in the schedule's time unit.
using WorkFor = std::function<std::uint64_t(std::uint64_t bytes)>;

/// One member's rounds. What is sent or received in a round waits for all that was received and
/// reduced in the rounds before: so whoever has received the last message knows that everybody
/// whose data is in it has taken part. Within a round sends come before receives.
class Rounds {
 public:
  explicit Rounds(const Side& side, WorkFor work = {}) : side_(side), work_(std::move(work)) {}

  void send(std::uint64_t bytes, std::uint32_t to) { wait(side_.send(bytes, to)); }
  void recv(std::uint64_t bytes, std::uint32_t from) {
    const std::uint32_t recv = side_.recv(bytes, from);
    wait(recv);
    before_ = recv;
  }
  /// Adds `bytes` that were received last to the own data.
  void reduce(std::uint64_t bytes) {
    const std::uint64_t duration = work_ ? work_(bytes) : 0;
    if (duration == 0) return;
    const std::uint32_t sum = side_.calc(duration);
    wait(sum);
    before_ = sum;
  }
  void exchange(std::uint64_t bytes, std::uint32_t peer) {
    send(bytes, peer);
    recv(bytes, peer);
  }

 private:
  void wait(std::uint32_t op) const {
    if (before_) side_.after(op, *before_);
  }

  const Side& side_;
  WorkFor work_;
  std::optional<std::uint32_t> before_;
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

}  // namespace heddle::replay
