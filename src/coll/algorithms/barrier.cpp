// Barriers.
#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace barrier_ways {
namespace {

void swap_nothing(Steps& s, int to, int from) {
  s.exchange(nothing(), to, nothing(), from);
}

/// Rank 0 hears from everybody, then tells everybody.
void linear(Steps& s, const Barrier&, const Tuning&) {
  if (s.rank() != 0) {
    s.send_now(nothing(), 0);
    return s.receive_now(nothing(), 0);
  }
  for (int r = 1; r < s.size(); ++r) s.receive(nothing(), r);
  s.wait();
  for (int r = 1; r < s.size(); ++r) s.send(nothing(), r);
  s.wait();
}

void two_ranks(Steps& s, const Barrier&, const Tuning&) {
  swap_nothing(s, 1 - s.rank(), 1 - s.rank());
}

/// Up a tree and down again.
void up_and_down(Steps& s, const Tree& tree) {
  for (const int child : tree.children()) s.receive(nothing(), child);
  s.wait();
  if (!tree.root()) {
    s.send_now(nothing(), tree.parent);
    s.receive_now(nothing(), tree.parent);
  }
  for (const int child : tree.children()) s.send(nothing(), child);
  s.wait();
}
void binomial(Steps& s, const Barrier&, const Tuning&) {
  up_and_down(s, binomial_tree({s, 0}));
}
void binary(Steps& s, const Barrier&, const Tuning&) {
  up_and_down(s, binary_tree({s, 0}));
}

/// In round k each rank hears from `radix` - 1 ranks at multiples of radix^k.
void disseminate(Steps& s, int radix) {
  const int p = s.size();
  for (std::int64_t distance = 1; distance < p; distance *= radix) {
    for (int k = 1; k < radix && k * distance < p; ++k) {
      const int step = static_cast<int>(k * distance);
      s.receive(nothing(), (s.rank() - step + p) % p);
      s.send(nothing(), (s.rank() + step) % p);
    }
    s.wait();
  }
}
void dissemination(Steps& s, const Barrier&, const Tuning&) {
  disseminate(s, 2);
}
void k_dissemination(Steps& s, const Barrier&, const Tuning& t) {
  disseminate(s, radix_of(t, 4));
}

void doubling(Steps& s, const Barrier&, const Tuning&) {
  const PowerFold fold(s.rank(), s.size());
  if (!fold.stays()) {
    s.send_now(nothing(), fold.pair());
    return s.receive_now(nothing(), fold.pair());
  }
  if (fold.in_pair()) s.receive_now(nothing(), fold.pair());
  for (int bit = 1; bit < fold.size(); bit <<= 1) {
    const int partner = fold.rank_of(fold.number() ^ bit);
    swap_nothing(s, partner, partner);
  }
  if (fold.in_pair()) s.send_now(nothing(), fold.pair());
}

/// As doubling, but the ranks above the power of two pair up with the first ones.
void pairwise(Steps& s, const Barrier&, const Tuning&) {
  const int power = power_of_two_below(s.size());
  if (s.rank() >= power) {
    s.send_now(nothing(), s.rank() - power);
    return s.receive_now(nothing(), s.rank() - power);
  }
  const int extra = s.rank() + power;
  if (extra < s.size()) s.receive_now(nothing(), extra);
  for (int bit = 1; bit < power; bit <<= 1) swap_nothing(s, s.rank() ^ bit, s.rank() ^ bit);
  if (extra < s.size()) s.send_now(nothing(), extra);
}

/// A token goes around twice.
void double_ring(Steps& s, const Barrier&, const Tuning&) {
  const int p = s.size();
  if (p == 1) return;
  const int left = (s.rank() + p - 1) % p;
  const int right = (s.rank() + 1) % p;
  for (int lap = 0; lap < 2; ++lap) {
    if (s.rank() > 0) s.receive_now(nothing(), left);
    s.send_now(nothing(), right);
    if (s.rank() == 0) s.receive_now(nothing(), left);
  }
}

void by_group(Steps& s, const Grouping& grouping) {
  const LedGroup group(s, grouping, 0);
  TeamSteps team(s, group.members(), group.rank());
  const Tree tree = binomial_tree({team, 0});
  for (const int child : tree.children()) team.receive(nothing(), child);
  team.wait();
  if (!tree.root()) {
    team.send_now(nothing(), tree.parent);
    team.receive_now(nothing(), tree.parent);
  } else {
    const Leaders leaders(s, grouping, 0);
    TeamSteps among(s, leaders.members(), leaders.rank());
    disseminate(among, 2);
  }
  for (const int child : tree.children()) team.send(nothing(), child);
  team.wait();
}
void by_node(Steps& s, const Barrier&, const Tuning&) {
  by_group(s, s.places().nodes());
}
void by_switch(Steps& s, const Barrier&, const Tuning&) {
  by_group(s, s.places().switches());
}

}  // namespace
}  // namespace barrier_ways

std::span<const Algorithm<Barrier>> barrier_algorithms() {
  using namespace barrier_ways;
  static constexpr Algorithm<Barrier> kAll[] = {
      {"bruck", "dissemination: in round k each rank hears from the one 2^k before it",
       dissemination},
      {"basic_linear", "rank 0 hears from every rank, then tells every rank", linear},
      {"two_procs", "two ranks exchange a message", two_ranks, Needs::two, "bruck"},
      {"tree", "up a binomial tree and down again", binomial},
      {"binary_tree", "up a binary tree and down again", binary},
      {"recursivedoubling", "exchanges with partners twice as far away in each round", doubling},
      {"pair", "the same, with the ranks above a power of two paired with the first ones",
       pairwise},
      {"doublering", "a token goes around a ring twice", double_ring},
      {"k_dissemination", "dissemination with radix - 1 partners in a round (4)", k_dissemination},
      {"smp", "a tree in each node, dissemination among the leaders of nodes", by_node},
      {"switch_aware", "a tree below each switch, dissemination among switches", by_switch},
  };
  return kAll;
}

}  // namespace heddle::coll
