// Patterns in which every member sends and receives in rounds.
#include <bit>
#include <optional>

#include "replay/patterns/patterns.hpp"

namespace heddle::replay {

void dissemination(const Side& side, std::uint64_t bytes) {
  std::optional<std::uint32_t> received;
  for (std::uint64_t distance = 1; distance < side.size; distance <<= 1) {
    const std::uint32_t send = side.send(bytes, side.right(distance));
    if (received) side.after(send, *received);
    received = side.recv(bytes, side.left(distance));
  }
}

void nway_dissemination(const Side& side, std::uint64_t bytes, std::uint32_t ways,
                        std::uint64_t compute) {
  std::vector<std::uint32_t> before;
  for (std::uint64_t distance = 1; distance < side.size; distance *= ways + 1) {
    std::vector<std::uint32_t> received;
    std::optional<std::uint32_t> sum;
    if (compute != 0 && !before.empty()) {
      sum = side.calc(compute * before.size());
      for (const std::uint32_t earlier : before) side.after(*sum, earlier);
      before.assign(1, *sum);
    }
    for (std::uint64_t w = 1; w <= ways && w * distance < side.size; ++w) {
      const std::uint32_t send = side.send(bytes, side.right(w * distance));
      for (const std::uint32_t earlier : before) side.after(send, earlier);
    }
    for (std::uint64_t w = 1; w <= ways && w * distance < side.size; ++w)
      received.push_back(side.recv(bytes, side.left(w * distance)));
    before = std::move(received);
  }
}

void linear_alltoallv(const Side& side, const SizeBetween& bytes) {
  for (std::uint32_t step = 1; step < side.size; ++step) {
    side.send(bytes(side.me, side.right(step)), side.right(step));
    side.recv(bytes(side.left(step), side.me), side.left(step));
  }
}

void pairwise_alltoallv(const Side& side, const SizeBetween& bytes) {
  const bool mirrored = std::has_single_bit(side.size);
  std::optional<std::uint32_t> done;
  for (std::uint32_t step = 1; step < side.size; ++step) {
    const std::uint32_t to = mirrored ? side.me ^ step : side.right(step);
    const std::uint32_t from = mirrored ? side.me ^ step : side.left(step);
    const std::uint32_t send = side.send(bytes(side.me, to), to);
    const std::uint32_t recv = side.recv(bytes(from, side.me), from);
    if (done) side.after(send, *done);
    if (done) side.after(recv, *done);
    done = side.calc(0);
    side.after(*done, send);
    side.after(*done, recv);
  }
}

namespace {

/// The rounds of an exchange: every send waits for what came before it.
class Rounds {
 public:
  Rounds(const Side& side, std::uint64_t compute) : side_(side), compute_(compute) {}

  void send(std::uint64_t bytes, std::uint32_t to) {
    const std::uint32_t send = side_.send(bytes, to);
    if (before_) side_.after(send, *before_);
  }
  void recv(std::uint64_t bytes, std::uint32_t from) { before_ = side_.recv(bytes, from); }
  /// Adds what was received to the own data.
  void reduce() {
    if (compute_ == 0) return;
    const std::uint32_t sum = side_.calc(compute_);
    side_.after(sum, *before_);
    before_ = sum;
  }
  void exchange(std::uint64_t bytes, std::uint32_t peer) {
    send(bytes, peer);
    recv(bytes, peer);
  }

 private:
  const Side& side_;
  std::uint64_t compute_;
  std::optional<std::uint32_t> before_;
};

/// Folds a group onto the largest power of two: of the first 2 x rest members the even ones hand
/// their data to the odd ones, and get the result back in the end.
struct Fold {
  explicit Fold(const Side& side)
      : power(std::bit_floor(side.size)), rest(side.size - power), me(side.me) {}
  bool folded() const { return me < 2 * rest && me % 2 == 0; }
  bool holds_two() const { return me < 2 * rest && me % 2 == 1; }
  std::uint32_t virtual_rank() const { return me < 2 * rest ? me / 2 : me - rest; }
  std::uint32_t member(std::uint32_t v) const { return v < rest ? 2 * v + 1 : v + rest; }

  std::uint32_t power;
  std::uint32_t rest;
  std::uint32_t me;
};

/// Runs `rounds` on a power of two members, folding and unfolding around it.
template <class Between>
void folded(const Side& side, std::uint64_t bytes, Rounds& rounds, Between between) {
  const Fold fold(side);
  if (fold.folded()) {
    rounds.send(bytes, side.me + 1);
    rounds.recv(bytes, side.me + 1);
    return;
  }
  if (fold.holds_two()) {
    rounds.recv(bytes, side.me - 1);
    rounds.reduce();
  }
  between(fold);
  if (fold.holds_two()) rounds.send(bytes, side.me - 1);
}

}  // namespace

void recursive_doubling(const Side& side, std::uint64_t bytes, std::uint64_t compute) {
  Rounds rounds(side, compute);
  folded(side, bytes, rounds, [&](const Fold& fold) {
    for (std::uint32_t mask = 1; mask < fold.power; mask <<= 1) {
      rounds.exchange(bytes, fold.member(fold.virtual_rank() ^ mask));
      rounds.reduce();
    }
  });
}

void rabenseifner(const Side& side, std::uint64_t bytes, std::uint64_t compute) {
  Rounds rounds(side, compute);
  folded(side, bytes, rounds, [&](const Fold& fold) {
    std::uint64_t part = bytes;
    for (std::uint32_t mask = 1; mask < fold.power; mask <<= 1) {
      part /= 2;
      rounds.exchange(part, fold.member(fold.virtual_rank() ^ mask));
      rounds.reduce();
    }
    for (std::uint32_t mask = fold.power >> 1; mask > 0; mask >>= 1) {
      rounds.exchange(part, fold.member(fold.virtual_rank() ^ mask));
      part *= 2;
    }
  });
}

void ring_allreduce(const Side& side, std::uint64_t bytes, std::uint64_t compute) {
  Rounds rounds(side, compute);
  const std::uint64_t part = bytes / side.size;
  for (std::uint32_t step = 1; step < side.size; ++step) {
    rounds.send(part, side.right());
    rounds.recv(part, side.left());
    rounds.reduce();
  }
  for (std::uint32_t step = 1; step < side.size; ++step) {
    rounds.send(part, side.right());
    rounds.recv(part, side.left());
  }
}

}  // namespace heddle::replay
