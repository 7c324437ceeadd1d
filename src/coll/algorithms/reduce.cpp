// Reductions to one rank.
#include <algorithm>

#include "coll/algorithms/parts.hpp"
#include "coll/algorithms/reductions.hpp"

namespace heddle::coll {
namespace reduce_ways {
namespace {

using Work = Reduce;

/// The result is complete at `holder`, in `sum` there: takes it to the root.
void bring_to_root(Steps& s, const Work& w, int holder, const Buffer& sum) {
  if (holder == w.root) return;
  if (s.rank() == holder) s.send_now(sum, w.root);
  if (s.rank() == w.root) s.receive_now(w.result, holder);
}
/// Up a tree whose root is not the root of the reduction.
void via(Steps& s, const Work& w, int top, const Tree& tree, std::int64_t segment) {
  const Buffer sum = s.rank() != top ? Buffer{} : top == w.root ? w.result : s.scratch(w.data);
  reduce_along(s, tree, w.data, sum, segment);
  bring_to_root(s, w, top, sum);
}

/// The root takes the ranks' data in front of what it has, from the last rank to the first.
void linear(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return s.send_now(w.data, w.root);
  const int last = s.size() - 1;
  Buffer own = w.data;
  if (w.root != last && own.address == w.result.address) {
    own = s.scratch(w.data);
    s.copy(w.data, own);
  }
  if (w.root == last) {
    if (own.address != w.result.address) s.copy(own, w.result);
  } else {
    s.receive_now(w.result, last);
  }
  if (last == 0) return;
  const Buffer arrived = s.scratch(w.data);
  for (int r = last - 1; r >= 0; --r) {
    if (r != w.root) s.receive_now(arrived, r);
    s.reduce(r == w.root ? own : arrived, w.result);
  }
}

/// The next rank's data arrives while one is reduced, in the order of ranks from the root on.
void flat_tree(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return s.send_now(w.data, w.root);
  if (w.data.address != w.result.address) s.copy(w.data, w.result);
  if (s.size() == 1) return;
  Buffer memory[2] = {s.scratch(w.data), s.scratch(w.data)};
  Step next = s.receive(memory[1], (w.root + 1) % s.size());
  for (int k = 1; k < s.size(); ++k) {
    const Step arrived = next;
    if (k + 1 < s.size()) next = s.receive(memory[(k + 1) % 2], (w.root + k + 1) % s.size());
    s.wait(arrived);
    s.reduce(memory[k % 2], w.result);
  }
}

void binomial(Steps& s, const Work& w, const Tuning& t) {
  if (!w.commutative) {
    return via(s, w, s.size() - 1, in_order_binomial_tree(s.rank(), s.size()), t.segment);
  }
  reduce_along(s, binomial_tree({s, w.root}), w.data, w.result, t.segment);
}
void knomial(Steps& s, const Work& w, const Tuning& t) {
  reduce_along(s, knomial_tree({s, w.root}, radix_of(t, 4)), w.data, w.result, t.segment);
}
void binary(Steps& s, const Work& w, const Tuning& t) {
  reduce_along(s, binary_tree({s, w.root}), w.data, w.result, segment_of(t, 32 * kKiB));
}
void in_order_binary(Steps& s, const Work& w, const Tuning& t) {
  via(s, w, s.size() - 1, in_order_binary_tree(s.rank(), s.size()), t.segment);
}
void chain(Steps& s, const Work& w, const Tuning& t) {
  reduce_along(s, chain_tree({s, w.root}, t.radix > 0 ? t.radix : 4), w.data, w.result,
               segment_of(t, 64 * kKiB));
}
void pipeline(Steps& s, const Work& w, const Tuning& t) {
  reduce_along(s, chain_tree({s, w.root}, 1), w.data, w.result, segment_of(t, 64 * kKiB));
}

/// Ranks hand their sums on to the next one below, rank 0 at last to the root.
void chain_in_order(Steps& s, const Work& w, const Tuning& t) {
  Tree tree;
  if (s.rank() + 1 < s.size()) tree.parent = s.rank() + 1;
  if (s.rank() > 0) tree.add(s.rank() - 1);
  via(s, w, s.size() - 1, tree, segment_of(t, 8 * kKiB));
}

/// Halves until each rank has a part of the result, then collects the parts.
void by_parts(Steps& s, const Work& w, PowerFold::Pairs pairs) {
  const PowerFold fold(s.rank(), s.size(), pairs);
  const Buffer sum = s.rank() == w.root ? w.result : s.scratch(w.data);
  if (sum.address != w.data.address) s.copy(w.data, sum);
  const Blocks parts = Blocks::split(sum, fold.size());
  const Halving halving(fold, Halving::Partners::nearest_first);
  halving.reduce(s, sum, parts, true);
  halving.gather(s, parts);
  bring_to_root(s, w, fold.rank_of(0), sum);
}

void scatter_gather(Steps& s, const Work& w, const Tuning&) {
  by_parts(s, w, PowerFold::Pairs::to_even);
}
void scatter_gather_halves(Steps& s, const Work& w, const Tuning&) {
  by_parts(s, w, PowerFold::Pairs::by_halves);
}

/// Every rank reduces one part, which it gets from everybody, and the root collects the parts.
void rabenseifner(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = Blocks::split(w.data, s.size());
  const Buffer own = s.scratch(parts[s.rank()]);
  pairwise_reduce(s, parts, own);
  if (s.rank() != w.root) return s.send_now(own, w.root);
  const Blocks results = Blocks::split(w.result, s.size());
  s.copy(own, results[s.rank()]);
  for (int r = 0; r < s.size(); ++r) {
    if (r != w.root) s.receive(results[r], r);
  }
  s.wait();
}

/// In each group up a tree, then among the leaders.
void by_group(Steps& s, const Work& w, const Tuning& t, const Grouping& grouping) {
  const LedGroup group(s, grouping, w.root);
  TeamSteps team(s, group.members(), group.rank());
  const Buffer sum = !group.leads() ? Buffer{} : s.rank() == w.root ? w.result : s.scratch(w.data);
  reduce_along(team, binomial_tree({team, 0}), w.data, sum, t.segment);
  if (!group.leads()) return;
  const Leaders leaders(s, grouping, w.root);
  TeamSteps among(s, leaders.members(), leaders.rank());
  reduce_along(among, knomial_tree({among, leaders.root()}, radix_of(t, 2)), sum, w.result,
               t.segment);
}
void by_node(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes());
}
void by_switch(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().switches());
}

/// Ranks say that they are there; the root asks those for data first that came first.
void by_arrival(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) {
    s.send(nothing(), w.root);
    s.receive_now(nothing(), w.root);
    s.send(w.data, w.root);
    return s.wait();
  }
  if (w.data.address != w.result.address) s.copy(w.data, w.result);
  std::vector<std::pair<int, Step>> waiting;
  for (int r = 0; r < s.size(); ++r) {
    if (r != w.root) waiting.emplace_back(r, s.receive(nothing(), r));
  }
  if (waiting.empty()) return;
  const Buffer arrived = s.scratch(w.data);
  while (!waiting.empty()) {
    auto first = std::find_if(waiting.begin(), waiting.end(),
                              [&](const auto& rank) { return s.complete(rank.second); });
    if (first == waiting.end()) {
      first = waiting.begin();
      s.wait(first->second);
    }
    const Step asked = s.send(nothing(), first->first);
    s.receive_now(arrived, first->first);
    s.wait(asked);
    s.reduce(arrived, w.result);
    waiting.erase(first);
  }
}

}  // namespace
}  // namespace reduce_ways

std::span<const Algorithm<Reduce>> reduce_algorithms() {
  using namespace reduce_ways;
  constexpr Needs kAnyOrder = Needs::commutative;
  static constexpr Algorithm<Reduce> kAll[] = {
      {"binomial", "up a binomial tree, in the order of ranks where that matters", binomial},
      {"basic_linear", "the root takes one rank after another, from the last to the first", linear},
      {"flat_tree", "the same from the root on, the next one arriving while one is reduced",
       flat_tree, kAnyOrder, "basic_linear"},
      {"knomial", "up a k-nomial tree (radix, 4)", knomial, kAnyOrder, "in_order_binary"},
      {"binary", "up a binary tree in segments of 32 KiB", binary, kAnyOrder, "in_order_binary"},
      {"in_order_binary", "up a binary tree that keeps the order of ranks", in_order_binary},
      {"chain", "along several chains (radix, 4) in segments of 64 KiB", chain, kAnyOrder, "NTSL"},
      {"pipeline", "along one chain that ends at the root, in segments of 64 KiB", pipeline,
       kAnyOrder, "NTSL"},
      {"NTSL", "along a chain in the order of ranks, in segments of 8 KiB", chain_in_order},
      {"scatter_gather", "parts reduced by halving, collected up a binomial tree", scatter_gather,
       kAnyOrder | Needs::power_parts, "binomial"},
      {"scatter_gather_halves", "the same; two ranks that stand for one halve the vector first",
       scatter_gather_halves, kAnyOrder | Needs::power_parts, "basic_linear"},
      {"rab", "each rank reduces one part from everybody, the root collects the parts",
       rabenseifner, kAnyOrder, "binomial"},
      {"two_level", "up a tree in each node, then among the leaders of nodes", by_node, kAnyOrder,
       "binomial"},
      {"switch_aware", "up a tree below each switch, then among switches", by_switch, kAnyOrder,
       "binomial"},
      {"arrival_pattern_aware", "the root takes the data of ranks as they arrive", by_arrival,
       kAnyOrder, "basic_linear"},
  };
  return kAll;
}

}  // namespace heddle::coll
