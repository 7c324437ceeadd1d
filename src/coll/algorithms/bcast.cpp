// Broadcasts along trees and in two parts.
#include "coll/algorithms/bcast_places.hpp"
#include "coll/algorithms/parts.hpp"
#include "coll/rules/rules.hpp"

namespace heddle::coll {
namespace bcast_ways {
namespace {

using Work = Bcast;

/// The root to every other rank, all pieces of one before the next piece.
void flat(Steps& s, const Work& w, std::int64_t segment) {
  const Segments pieces(w.data, segment);
  for (int i = 0; i < pieces.count(); ++i) {
    if (s.rank() != w.root) {
      s.receive(pieces[i], w.root);
      continue;
    }
    for (int k = 1; k < s.size(); ++k) s.send(pieces[i], (w.root + k) % s.size());
  }
  s.wait();
}

void flat_tree(Steps& s, const Work& w, const Tuning&) {
  flat(s, w, 0);
}
void flat_tree_pipeline(Steps& s, const Work& w, const Tuning& t) {
  flat(s, w, segment_of(t, 8 * kKiB));
}
/// Whole data goes to one child after another, segments to all children at once.
void binomial(Steps& s, const Work& w, const Tuning& t) {
  const Tree tree = binomial_tree({s, w.root});
  if (t.segment > 0) return bcast_along(s, tree, w.data, t.segment);
  if (!tree.root()) s.receive_now(w.data, tree.parent);
  for (const int child : tree.children()) s.send_now(w.data, child);
}
void knomial(Steps& s, const Work& w, const Tuning& t) {
  bcast_along(s, knomial_tree({s, w.root}, radix_of(t, 4)), w.data, t.segment);
}
void binary(Steps& s, const Work& w, const Tuning& t) {
  bcast_along(s, binary_tree({s, w.root}), w.data, t.segment);
}
void binary_pipeline(Steps& s, const Work& w, const Tuning& t) {
  bcast_along(s, binary_tree({s, w.root}), w.data, segment_of(t, 8 * kKiB));
}
void chain(Steps& s, const Work& w, const Tuning& t) {
  bcast_along(s, chain_tree({s, w.root}, t.radix > 0 ? t.radix : 4), w.data,
              segment_of(t, 8 * kKiB));
}
void pipeline(Steps& s, const Work& w, const Tuning& t) {
  bcast_along(s, chain_tree({s, w.root}, 1), w.data, segment_of(t, 8 * kKiB));
}

/// A chain in which a piece is passed on before the next one is asked for.
void store_and_forward(Steps& s, const Work& w, const Tuning& t) {
  const Tree tree = chain_tree({s, w.root}, 1);
  const Segments pieces(w.data, segment_of(t, 8 * kKiB));
  for (int i = 0; i < pieces.count(); ++i) {
    if (!tree.root()) s.receive_now(pieces[i], tree.parent);
    for (const int child : tree.children()) s.send_now(pieces[i], child);
  }
}

/// A chain in which all pieces are asked for at once, and none is waited for when it is passed on.
void eager_chain(Steps& s, const Work& w, const Tuning& t) {
  const Tree tree = chain_tree({s, w.root}, 1);
  const Segments pieces(w.data, segment_of(t, 8 * kKiB));
  std::vector<Step> received;
  for (int i = 0; i < pieces.count() && !tree.root(); ++i) {
    received.push_back(s.receive(pieces[i], tree.parent));
  }
  for (int i = 0; i < pieces.count(); ++i) {
    if (!tree.root()) s.wait(received[static_cast<std::size_t>(i)]);
    for (const int child : tree.children()) s.send(pieces[i], child);
  }
  s.wait();
}

void scatter_ring(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = Blocks::split(w.data, s.size());
  scatter_parts(s, parts, w.root);
  ring_allgather(s, parts, w.root);
}
void scatter_doubling(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = Blocks::split(w.data, s.size());
  scatter_parts(s, parts, w.root);
  doubling_allgather(s, parts, w.root);
}

/// Below the root stand two binary trees: odd ranks (counted from the root) are in the first, even
/// ones in the second, each numbered from 0.
struct SplitTree {
  explicit SplitTree(const TreePlace& place) : side((place.relative() + 1) % 2) {
    const int index = (place.relative() - 1) / 2;
    tree.parent = index == 0 ? place.root : at(place, (index - 1) / 2);
    for (const std::int64_t child : {2 * std::int64_t{index} + 1, 2 * std::int64_t{index} + 2}) {
      if (1 + 2 * child + side < place.size) tree.add(at(place, static_cast<int>(child)));
    }
    const int other = 1 + 2 * index + (1 - side);
    if (other < place.size) opposite = place.absolute(other);
  }
  int at(const TreePlace& place, int index) const { return place.absolute(1 + 2 * index + side); }

  int side;
  Tree tree;
  int opposite = Tree::kNone;  ///< The rank in the same place of the other tree.
};

/// One rank may have no opposite: it gets the other half from the root. Halves that are shorter
/// than a segment are not worth it: the whole goes along a chain.
void split_binary(Steps& s, const Work& w, const Tuning& t) {
  const TreePlace place(s, w.root);
  const std::int64_t segment = segment_of(t, 8 * kKiB);
  const Blocks halves = Blocks::split(w.data, 2);
  if (segment < kWhole && segment > bytes(halves[1])) return pipeline(s, w, t);
  const bool lonely = s.size() % 2 == 0;  // The last rank of the first tree.
  if (place.relative() != 0) {
    const SplitTree own(place);
    bcast_along(s, own.tree, halves[own.side], segment);
    if (own.opposite == Tree::kNone) return s.receive_now(halves[1], w.root);
    return s.exchange(halves[own.side], own.opposite, halves[1 - own.side], own.opposite);
  }
  for (int side = 0; side < 2 && side + 1 < s.size(); ++side) {
    const Segments pieces(halves[side], segment);
    for (int i = 0; i < pieces.count(); ++i) s.send(pieces[i], place.absolute(side + 1));
  }
  if (lonely) s.send(halves[1], place.absolute(s.size() - 1));
  s.wait();
}

}  // namespace
}  // namespace bcast_ways

std::span<const Algorithm<Bcast>> bcast_algorithms() {
  using namespace bcast_ways;
  constexpr Needs kCut = Needs::bytes;
  static constexpr Algorithm<Bcast> kAll[] = {
      {"binomial_tree", "down a binomial tree, to one child after another; segments to all at once",
       binomial, kCut},
      {"flattree", "the root sends to every rank, all at once", flat_tree},
      {"flattree_pipeline", "the root sends to every rank, segment by segment", flat_tree_pipeline,
       kCut},
      {"knomial", "down a k-nomial tree (radix, 4)", knomial, kCut},
      {"binary", "down a binary tree, whole or in segments", binary, kCut},
      {"NTSB", "down a binary tree in segments of 8 KiB", binary_pipeline, kCut},
      {"NTSL", "along a chain in segments; each is passed on before the next is asked for",
       store_and_forward, kCut},
      {"NTSL_Isend", "along a chain in segments that are all asked for at once", eager_chain, kCut},
      {"pipeline", "along one chain in segments, the next one arriving while one is passed on",
       pipeline, kCut},
      {"chain", "along several chains (radix, 4) in segments", chain, kCut},
      {"split_bintree", "one half down each side of a binary tree, then pairs exchange halves",
       split_binary, kCut | Needs::halves, "pipeline"},
      {"scatter_LR_allgather", "a binomial scatter of parts, then a ring allgather", scatter_ring,
       kCut | Needs::parts, "flattree"},
      {"scatter_rdb_allgather", "a binomial scatter of parts, then allgather by doubling",
       scatter_doubling, kCut | Needs::power_of_two | Needs::parts, "scatter_LR_allgather"},
      {"scatter_allgather", "the same for any number of ranks: some hand on what they got",
       scatter_doubling, kCut | Needs::parts, "flattree"},
      {"SMP_linear", "in segments along a chain of nodes, and along a chain in each node",
       bcast_in_nodes_linear, kCut},
      {"SMP_binary", "in segments down a binary tree of nodes, and one in each node",
       bcast_in_nodes_binary, kCut},
      {"SMP_binomial", "down a binomial tree of nodes, then one in each node",
       bcast_in_nodes_binomial, kCut},
      {"inter_node", "among the leaders of nodes by scatter and ring, then flat in each node",
       bcast_inter_node, kCut},
      {"intra_node", "down a binomial tree of nodes, then flat in each node", bcast_intra_node,
       kCut},
      {"knomial_intra_node", "down k-nomial trees (radix, 4) of nodes and in each node",
       bcast_knomial_intra_node, kCut},
      {"switch_aware", "down a binomial tree of switches, then one below each switch",
       bcast_by_switch, kCut},
      {"arrival_pattern_aware", "the root serves ranks as they arrive", bcast_by_arrival},
      {"arrival_pattern_aware_wait", "the same, but the root first waits for an eighth of them",
       bcast_by_arrival_waiting},
      {"arrival_scatter", "once all have arrived, a scatter of parts and a ring allgather",
       bcast_scatter_after_arrival, kCut},
  };
  return kAll;
}

}  // namespace heddle::coll
