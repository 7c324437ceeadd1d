#include "coll/algorithms/reductions.hpp"

namespace heddle::coll {

Halving::Halving(const PowerFold& fold, Partners order)
    : fold_(fold), order_(order), rounds_(std::countr_zero(static_cast<unsigned>(fold.size()))) {}

int Halving::bit(int round) const {
  return order_ == Partners::nearest_first ? 1 << round : 1 << (rounds_ - 1 - round);
}

Halving::Range Halving::range(int rounds) const {
  Range all{0, fold_.size()};
  for (int round = 0; round < rounds; ++round) {
    all.count /= 2;
    if ((fold_.number() & bit(round)) != 0) all.first += all.count;
  }
  return all;
}

Halving::Range Halving::other(int round) const {
  Range half = range(round + 1);
  const bool upper = (fold_.number() & bit(round)) != 0;
  half.first += upper ? -half.count : half.count;
  return half;
}

/// What the two of a pair have comes to be in the one that stays.
void Halving::reduce_pair(Steps& s, const Buffer& sum, const Buffer& arrived) const {
  if (!fold_.by_halves()) {
    s.receive_now(arrived, fold_.pair());
    return s.reduce(arrived, sum);
  }
  const std::int64_t left = sum.count / 2;
  const Buffer lower = part(sum, 0, left);
  const Buffer upper = part(sum, left, sum.count - left);
  const Buffer& mine = fold_.stays() ? lower : upper;
  const Buffer in = part(arrived, 0, mine.count);
  s.exchange(fold_.stays() ? upper : lower, fold_.pair(), in, fold_.pair());
  s.reduce(in, mine);
  if (fold_.stays()) return s.receive_now(upper, fold_.pair());
  s.send_now(upper, fold_.pair());
}

void Halving::reduce(Steps& s, const Buffer& sum, const Blocks& parts, bool commutative,
                     Empty empty) const {
  if (!fold_.stays() && !fold_.by_halves()) return s.send_now(sum, fold_.pair());
  const Buffer arrived = s.scratch(sum);
  if (fold_.in_pair()) reduce_pair(s, sum, arrived);
  if (!fold_.stays()) return;
  for (int round = 0; round < rounds_; ++round) {
    const Range keep = range(round + 1);
    const Range give = other(round);
    const Buffer kept = parts.range(keep.first, keep.count);
    const Buffer in{arrived.address, kept.count, kept.type};
    const Buffer given = parts.range(give.first, give.count);
    if (kept.count > 0 || empty == Empty::sent) s.receive(in, partner(round));
    if (given.count > 0 || empty == Empty::sent) s.send(given, partner(round));
    s.wait();
    if (commutative || partner(round) < s.rank()) {
      s.reduce(in, kept);
    } else {
      s.reduce(kept, in);
      s.copy(in, kept);
    }
  }
}

void Halving::allgather(Steps& s, const Buffer& sum, const Blocks& parts) const {
  if (!fold_.stays()) return s.receive_now(sum, fold_.pair());
  for (int round = rounds_ - 1; round >= 0; --round) {
    const Range have = range(round + 1);
    const Range want = other(round);
    s.exchange(parts.range(have.first, have.count), partner(round),
               parts.range(want.first, want.count), partner(round));
  }
  if (fold_.in_pair()) s.send_now(sum, fold_.pair());
}

void Halving::gather(Steps& s, const Blocks& parts) const {
  if (!fold_.stays()) return;
  for (int round = rounds_ - 1; round >= 0; --round) {
    if ((fold_.number() & bit(round)) != 0) {
      const Range have = range(round + 1);
      return s.send_now(parts.range(have.first, have.count), partner(round));
    }
    const Range want = other(round);
    s.receive_now(parts.range(want.first, want.count), partner(round));
  }
}

void pairwise_reduce(Steps& s, const Blocks& parts, const Buffer& own) {
  const int p = s.size();
  s.copy(parts[s.rank()], own);
  if (p == 1) return;
  const Buffer arrived = s.scratch(own);
  for (int k = 1; k < p; ++k) {
    const int to = (s.rank() + k) % p;
    s.exchange(parts[to], to, arrived, (s.rank() - k + p) % p);
    s.reduce(arrived, own);
  }
}

namespace {

/// Element range `piece` of each part goes around.
void ring_turn(Steps& s, const Blocks& parts, std::int64_t first, std::int64_t most,
               const Buffer& arrived) {
  const int p = s.size();
  const auto piece = [&](int i) {
    const Buffer whole = parts[(i + 2 * p) % p];
    const std::int64_t from = std::min(first, whole.count);
    return part(whole, from, std::min(most, whole.count - from));
  };
  const int left = (s.rank() + p - 1) % p;
  const int right = (s.rank() + 1) % p;
  for (int k = 0; k + 1 < p; ++k) {
    const Buffer grows = piece(s.rank() - k - 2);
    const Buffer in{arrived.address, grows.count, grows.type};
    s.exchange(piece(s.rank() - k - 1), right, in, left);
    s.reduce(in, grows);
  }
}

}  // namespace

void ring_reduce(Steps& s, const Blocks& parts, std::int64_t segment) {
  if (s.size() == 1) return;
  std::int64_t longest = 0;
  for (int i = 0; i < s.size(); ++i) longest = std::max(longest, parts[i].count);
  const std::int64_t size = parts.type()->size();
  const std::int64_t most = segment > 0 && size > 0 ? std::max<std::int64_t>(1, segment / size)
                                                    : std::max<std::int64_t>(longest, 1);
  const Buffer arrived = s.scratch(std::min(longest, most), *parts.type());
  std::int64_t first = 0;
  do {
    ring_turn(s, parts, first, most, arrived);
    first += most;
  } while (first < longest);
}

void ring_reduce(Steps& s, const Blocks& parts) {
  ring_reduce(s, parts, 0);
}

namespace {

/// Where a rank adds up what has arrived. Little data is better where the messages' is than on the
/// program's stack, which would have to be fetched from memory for each of them.
Buffer place_of_sum(Steps& s, const Buffer& data) {
  constexpr std::int64_t kLittle = 64;
  if (bytes(data) > kLittle) return data;
  const Buffer sum = s.scratch(data);
  s.copy(data, sum);
  return sum;
}

}  // namespace

void doubling_reduce(Steps& s, const Buffer& data) {
  const PowerFold fold(s.rank(), s.size());
  if (!fold.stays()) {
    s.send_now(data, fold.pair());
    return s.receive_now(data, fold.pair());
  }
  if (s.size() == 1) return;
  Buffer sum = place_of_sum(s, data);
  Buffer other = s.scratch(data);
  if (fold.in_pair()) {
    s.receive_now(other, fold.pair());
    s.reduce(other, sum);
  }
  s.exchanges(
      [rank = s.rank(), fold, sum, other, data, bit = 0](DataSteps& d, Exchange& e) mutable {
        // The lower ranks' data in front.
        if (bit > 0) reduce_in_order(d, e.from < rank, sum, other);
        bit = std::max(1, 2 * bit);
        if (bit >= fold.size()) {
          if (sum.address != data.address) d.copy(sum, data);
          return false;
        }
        const int partner = fold.rank_of(fold.number() ^ bit);
        e = {sum, partner, other, partner};
        return true;
      });
  if (fold.in_pair()) s.send_now(data, fold.pair());
}

}  // namespace heddle::coll
