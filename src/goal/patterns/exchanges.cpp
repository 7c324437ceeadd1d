// Patterns in which every member sends and receives in rounds.
#include <algorithm>
#include <bit>
#include <optional>

#include "goal/patterns/patterns.hpp"

namespace heddle::goal {

void dissemination(const Side& side, std::uint64_t bytes) {
  Rounds rounds(side);
  for (std::uint64_t distance = 1; distance < side.size; distance <<= 1) {
    rounds.send(bytes, side.right(distance));
    rounds.recv(bytes, side.left(distance));
  }
}

void nway_dissemination(const Side& side, std::uint64_t bytes, std::uint32_t ways,
                        std::uint64_t compute) {
  constexpr std::size_t kFew = 4;
  std::vector<std::uint32_t> before;
  const auto wait = [&](std::uint32_t op) {
    for (const std::uint32_t earlier : before) side.after(op, earlier);
    return op;
  };
  for (std::uint64_t distance = 1; distance < side.size; distance *= ways + 1) {
    // One operation between many and many others, which may be the work with what was received.
    if (before.size() > (compute != 0 ? 0 : kFew))
      before.assign(1, wait(side.calc(compute * (before.size() / 2))));
    std::vector<std::uint32_t> round;
    for (std::uint64_t w = 1; w <= ways && w * distance < side.size; ++w)
      round.push_back(wait(side.send(bytes, side.right(w * distance))));
    for (std::uint64_t w = 1; w <= ways && w * distance < side.size; ++w)
      round.push_back(wait(side.recv(bytes, side.left(w * distance))));
    before = std::move(round);
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
    rounds.reduce(bytes);
  }
  between(fold);
  if (fold.holds_two()) rounds.send(bytes, side.me - 1);
}

}  // namespace

void recursive_doubling(const Side& side, std::uint64_t bytes, const WorkFor& work) {
  Rounds rounds(side, work);
  folded(side, bytes, rounds, [&](const Fold& fold) {
    for (std::uint32_t mask = 1; mask < fold.power; mask <<= 1) {
      rounds.exchange(bytes, fold.member(fold.virtual_rank() ^ mask));
      rounds.reduce(bytes);
    }
  });
}

void rabenseifner(const Side& side, std::uint64_t bytes, const WorkFor& work) {
  Rounds rounds(side, work);
  folded(side, bytes, rounds, [&](const Fold& fold) {
    const Pieces pieces(bytes, fold.power);
    const std::uint32_t me = fold.virtual_rank();
    // The pieces this member is left with: half as many in each round.
    std::uint32_t first = 0;
    std::uint32_t count = fold.power;
    const auto exchange = [&](std::uint32_t sent, std::uint32_t received, std::uint32_t mask) {
      rounds.send(pieces.bytes(sent, count), fold.member(me ^ mask));
      rounds.recv(pieces.bytes(received, count), fold.member(me ^ mask));
    };
    for (std::uint32_t mask = 1; mask < fold.power; mask <<= 1) {
      count /= 2;
      const std::uint32_t lower = first;
      first = me & mask ? lower + count : lower;
      exchange(me & mask ? lower : lower + count, first, mask);
      rounds.reduce(pieces.bytes(first, count));
    }
    for (std::uint32_t mask = fold.power >> 1; mask > 0; mask >>= 1) {
      const std::uint32_t other = me & mask ? first - count : first + count;
      exchange(first, other, mask);
      first = std::min(first, other);
      count *= 2;
    }
  });
}

void ring_allreduce(const Side& side, std::uint64_t bytes, const WorkFor& work) {
  Rounds rounds(side, work);
  const Pieces pieces(bytes, side.size);
  // Everybody hands on the piece it got last; at first its own.
  for (std::uint32_t step = 1; step < 2 * side.size - 1; ++step) {
    rounds.send(pieces.bytes(side.left(step - 1)), side.right());
    rounds.recv(pieces.bytes(side.left(step)), side.left());
    if (step < side.size) rounds.reduce(pieces.bytes(side.left(step)));
  }
}

}  // namespace heddle::goal
