// Reductions whose result all ranks get.
#include "coll/algorithms/parts.hpp"
#include "coll/algorithms/reductions.hpp"
#include "coll/rules/selector.hpp"

namespace heddle::coll {
namespace allreduce_ways {
namespace {

using Work = Allreduce;
using Partners = Halving::Partners;

void doubling(Steps& s, const Work& w, const Tuning&) {
  doubling_reduce(s, w.data);
}

/// Up a tree to rank 0 and down again.
void up_and_down(Steps& s, const Buffer& data, const Tree& tree, std::int64_t segment) {
  reduce_along(s, tree, data, data, segment);
  bcast_along(s, tree, data, segment);
}
void binomial(Steps& s, const Work& w, const Tuning& t) {
  up_and_down(s, w.data, binomial_tree({s, 0}), t.segment);
}
/// To rank 0 and from there to all, both as the library does these.
void reduce_bcast(Steps& s, const Work& w, const Tuning&) {
  run_as_chosen(s, Collective::reduce, reduce_algorithms(),
                Reduce{w.data, w.data, 0, w.commutative}, bytes(w.data));
  s.wait();
  run_as_chosen(s, Collective::bcast, bcast_algorithms(), Bcast{w.data, 0}, bytes(w.data));
}
void knomial(Steps& s, const Work& w, const Tuning& t) {
  up_and_down(s, w.data, knomial_tree({s, 0}, radix_of(t, 4)), t.segment);
}

/// The last rank takes the others' data in front of its own, which keeps the order of ranks.
void linear(Steps& s, const Work& w, const Tuning&) {
  const int top = s.size() - 1;
  if (s.rank() != top) {
    s.send_now(w.data, top);
    return s.receive_now(w.data, top);
  }
  if (top == 0) return;
  const Buffer arrived = s.scratch(w.data);
  for (int r = top - 1; r >= 0; --r) {
    s.receive_now(arrived, r);
    s.reduce(arrived, w.data);
  }
  for (int r = 0; r < top; ++r) s.send(w.data, r);
  s.wait();
}

void ring(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = Blocks::split(w.data, s.size());
  ring_reduce(s, parts);
  ring_allgather(s, parts, 0);
}
void ring_segmented(Steps& s, const Work& w, const Tuning& t) {
  const Blocks parts = Blocks::split(w.data, s.size());
  ring_reduce(s, parts, segment_of(t, 1024 * kKiB));
  ring_allgather(s, parts, 0);
}

void halve_and_double(Steps& s, const Buffer& data, Partners order,
                      PowerFold::Pairs pairs = PowerFold::Pairs::to_odd) {
  const PowerFold fold(s.rank(), s.size(), pairs);
  const Blocks parts = Blocks::split(data, fold.size());
  const Halving halving(fold, order);
  halving.reduce(s, data, parts, true);
  halving.allgather(s, data, parts);
}
void nearest_first(Steps& s, const Work& w, const Tuning&) {
  halve_and_double(s, w.data, Partners::nearest_first);
}
void pairs_by_halves(Steps& s, const Work& w, const Tuning&) {
  halve_and_double(s, w.data, Partners::nearest_first, PowerFold::Pairs::by_halves);
}
void farthest_first(Steps& s, const Work& w, const Tuning&) {
  halve_and_double(s, w.data, Partners::farthest_first);
}

/// Each rank reduces one part, by exchanges with one rank after another.
void pairwise_ring(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = Blocks::split(w.data, s.size());
  const Buffer own = s.scratch(parts[s.rank()]);
  pairwise_reduce(s, parts, own);
  s.copy(own, parts[s.rank()]);
  ring_allgather(s, parts, 0);
}

/// Each rank gets its part from everybody at once.
void all_at_once(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  const Blocks parts = Blocks::split(w.data, p);
  const Buffer own = parts[s.rank()];
  const Blocks arrived =
      Blocks::equal(s.scratch(own.count * p, *own.type).address, own.count, *own.type);
  for (int k = 1; k < p; ++k) s.receive(arrived[(s.rank() + k) % p], (s.rank() + k) % p);
  for (int k = 1; k < p; ++k) s.send(parts[(s.rank() - k + p) % p], (s.rank() - k + p) % p);
  s.wait();
  for (int k = 1; k < p; ++k) s.reduce(arrived[(s.rank() + k) % p], own);
  for (int k = 1; k < p; ++k) s.receive(parts[(s.rank() + k) % p], (s.rank() + k) % p);
  for (int k = 1; k < p; ++k) s.send(own, (s.rank() - k + p) % p);
  s.wait();
}

/// Parts are reduced by halving and collected around the ring of those that stay.
void halve_and_ring(Steps& s, const Work& w, const Tuning&) {
  const PowerFold fold(s.rank(), s.size());
  const Blocks parts = Blocks::split(w.data, fold.size());
  Halving(fold, Partners::farthest_first).reduce(s, w.data, parts, true);
  if (!fold.stays()) return s.receive_now(w.data, fold.pair());
  std::vector<int> members;
  for (int n = 0; n < fold.size(); ++n) members.push_back(fold.rank_of(n));
  TeamSteps team(s, members, fold.number());
  ring_allgather(team, parts, 0);
  if (fold.in_pair()) s.send_now(w.data, fold.pair());
}

/// Everybody gets everybody's data and reduces it, in the order of ranks.
void allgather_reduce(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  const Blocks all =
      Blocks::equal(s.scratch(w.data.count * p, *w.data.type).address, w.data.count, *w.data.type);
  s.copy(w.data, all[s.rank()]);
  ring_allgather(s, all, 0);
  for (int r = p - 2; r >= 0; --r) s.reduce(all[r], all[p - 1]);
  s.copy(all[p - 1], w.data);
}

/// Digit by digit of the rank's number to the base `radix`, everybody exchanges with all ranks that
/// differ in the digit. Those above the largest power give their data to others first.
void recursive_multiplying(Steps& s, const Work& w, const Tuning& t) {
  const int radix = radix_of(t, 4);
  int power = 1;
  while (power * radix <= s.size()) power *= radix;
  if (s.rank() >= power) {
    s.send_now(w.data, s.rank() % power);
    return s.receive_now(w.data, s.rank() % power);
  }
  const Blocks arrived = Blocks::equal(s.scratch(w.data.count * radix, *w.data.type).address,
                                       w.data.count, *w.data.type);
  for (int r = s.rank() + power; r < s.size(); r += power) {
    s.receive_now(arrived[0], r);
    s.reduce(arrived[0], w.data);
  }
  for (int digit = 1; digit < power; digit *= radix) {
    const int own = s.rank() / digit % radix;
    for (int k = 1; k < radix; ++k) {
      const int partner = s.rank() + ((own + k) % radix - own) * digit;
      s.receive(arrived[k], partner);
      s.send(w.data, partner);
    }
    s.wait();
    for (int k = 1; k < radix; ++k) s.reduce(arrived[k], w.data);
  }
  for (int r = s.rank() + power; r < s.size(); r += power) s.send(w.data, r);
  s.wait();
}

using Phase = void (*)(Steps&, const Work&, const Tuning&);

/// Reduced in each group to its leader, among the leaders, and handed down again.
void by_group(Steps& s, const Work& w, const Tuning& t, const Grouping& grouping, Phase among,
              std::int64_t segment = 0) {
  const LedGroup group(s, grouping, 0);
  TeamSteps team(s, group.members(), group.rank());
  const Tree tree = binomial_tree({team, 0});
  reduce_along(team, tree, w.data, w.data, segment);
  if (group.leads()) {
    const Leaders leaders(s, grouping, 0);
    TeamSteps leading(s, leaders.members(), leaders.rank());
    among(leading, w, t);
  }
  bcast_along(team, tree, w.data, segment);
}
void smp_binomial(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), binomial);
}
void smp_binomial_pipeline(Steps& s, const Work& w, const Tuning& t) {
  Tuning pieces = t;
  pieces.segment = segment_of(t, 4 * kKiB);
  by_group(s, w, pieces, s.places().nodes(), binomial, pieces.segment);
}
void smp_doubling(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), doubling);
}
void smp_farthest_first(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), farthest_first);
}
void smp_ring(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), ring);
}
void smp_nearest_first(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), nearest_first);
}
void by_switch(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().switches(), doubling);
}

/// Small data by doubling among leaders, large by halving.
void two_level(Steps& s, const Work& w, const Tuning& t) {
  constexpr std::int64_t kSmall = 2 * kKiB;
  by_group(s, w, t, s.places().nodes(), bytes(w.data) <= kSmall ? doubling : nearest_first);
}

}  // namespace
}  // namespace allreduce_ways

std::span<const Algorithm<Allreduce>> allreduce_algorithms() {
  using namespace allreduce_ways;
  constexpr Needs kAnyOrder = Needs::commutative;
  constexpr Needs kParts = kAnyOrder | Needs::parts;
  constexpr Needs kPowerParts = kAnyOrder | Needs::power_parts;
  static constexpr Algorithm<Allreduce> kAll[] = {
      {"rdb", "recursive doubling: partners twice as far away in each round exchange all",
       doubling},
      {"basic_linear", "the last rank takes one rank after another, then tells every rank", linear},
      {"redbcast", "reduced to rank 0 and broadcast, both as the library does these", reduce_bcast},
      {"knomial", "up a k-nomial tree (radix, 4) and down again", knomial, kAnyOrder, "redbcast"},
      {"lr", "parts grow around a ring, then go around complete", ring, kParts, "rdb"},
      {"ring_segmented", "the same in turns of 1 MiB of each part", ring_segmented, kParts, "rdb"},
      {"rab",
       "Rabenseifner: the vector halved from round to round, nearest partners first, then "
       "doubled",
       nearest_first, kPowerParts, "rdb"},
      {"rab_halves", "the same; two ranks that stand for one halve the vector first",
       pairs_by_halves, kPowerParts, "basic_linear"},
      {"rs", "Rabenseifner's with the farthest partners first", farthest_first, kPowerParts, "rdb"},
      {"rab1", "each rank reduces one part by pairwise exchanges, then a ring allgather",
       pairwise_ring, kAnyOrder, "rdb"},
      {"rab2", "each rank gets its part from all at once, reduces it, and sends it to all",
       all_at_once, kAnyOrder, "rdb"},
      {"rab_rdb", "the vector halved from round to round, then a ring allgather", halve_and_ring,
       kAnyOrder, "rdb"},
      {"allgather_reduce", "a ring allgather of everything, which each rank reduces",
       allgather_reduce},
      {"recursive_multiplying", "in each round all ranks that differ in one digit (radix, 4)",
       recursive_multiplying, kAnyOrder, "rdb"},
      {"smp_binomial", "binomial trees in each node and among the leaders of nodes", smp_binomial,
       kAnyOrder, "rdb"},
      {"smp_binomial_pipeline", "the same in segments of 4 KiB", smp_binomial_pipeline, kAnyOrder,
       "rdb"},
      {"smp_rdb", "a tree in each node, recursive doubling among leaders", smp_doubling, kAnyOrder,
       "rdb"},
      {"smp_rsag", "a tree in each node, halving from the farthest partner among leaders",
       smp_farthest_first, kAnyOrder, "rdb"},
      {"smp_rsag_lr", "a tree in each node, a ring among leaders", smp_ring, kAnyOrder, "rdb"},
      {"smp_rsag_rab", "a tree in each node, halving from the nearest partner among leaders",
       smp_nearest_first, kAnyOrder, "rdb"},
      {"two_level", "a tree in each node; among leaders doubling to 2 KiB, halving above",
       two_level, kAnyOrder, "rdb"},
      {"switch_aware", "a tree below each switch, recursive doubling among switches", by_switch,
       kAnyOrder, "rdb"},
  };
  return kAll;
}

}  // namespace heddle::coll
