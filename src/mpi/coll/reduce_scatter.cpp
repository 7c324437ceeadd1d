// Reductions of which each rank gets its block.
#include "mpi/coll/parts.hpp"
#include "mpi/coll/reductions.hpp"

namespace heddle::mpi::coll {
namespace reduce_scatter_ways {
namespace {

using Work = ReduceScatter;

/// A copy of all that this rank has, which may be changed.
Blocks copied(Steps& s, const Work& w) {
  const Buffer all = w.blocks.range(0, s.size());
  const Buffer copy = s.scratch(all);
  s.copy(all, copy);
  return w.blocks.moved_to(copy);
}

/// Reduced to the last rank, in the order of ranks, which then sends the blocks.
void reduce_then_scatter(Steps& s, const Work& w, const Tuning& t) {
  const int top = s.size() - 1;
  const Buffer all = w.blocks.range(0, s.size());
  const Buffer sum = s.rank() == top ? s.scratch(all) : Buffer{};
  reduce_along(s, in_order_binomial_tree(s.rank(), s.size()), all, sum, t.segment);
  if (s.rank() != top) return s.receive_now(w.result, top);
  const Blocks results = w.blocks.moved_to(sum);
  for (int r = 0; r < top; ++r) s.send(results[r], r);
  s.copy(results[top], w.result);
  s.wait();
}

void pairwise(Steps& s, const Work& w, const Tuning&) {
  const Buffer own = s.scratch(w.result);
  pairwise_reduce(s, w.blocks, own);
  s.copy(own, w.result);
}

void ring(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = copied(s, w);
  ring_reduce(s, parts);
  s.copy(parts[s.rank()], w.result);
}

void doubling(Steps& s, const Work& w, const Tuning&) {
  const Blocks parts = copied(s, w);
  doubling_reduce(s, parts.range(0, s.size()));
  s.copy(parts[s.rank()], w.result);
}

int reversed_bits(int number, int size) {
  int reversed = 0;
  for (int bit = 1; bit < size; bit <<= 1) {
    reversed <<= 1;
    if ((number & bit) != 0) reversed |= 1;
  }
  return reversed;
}

/// The blocks that the ranks of a fold stand for, in the order in which halving leaves them to the
/// ranks.
class Groups {
 public:
  Groups(Steps& s, const Work& w, const PowerFold& fold, Halving::Partners order)
      : fold_(fold), reversed_(order == Halving::Partners::nearest_first) {
    std::vector<std::int64_t> counts;
    for (int i = 0; i < fold.size(); ++i) counts.push_back(blocks(w.blocks, at(i)).count);
    sum_ = s.scratch(w.blocks.range(0, s.size()));
    parts_ = Blocks::packed(sum_.address, counts, *sum_.type);
    for (int i = 0; i < fold.size(); ++i) s.copy(blocks(w.blocks, at(i)), parts_[i]);
  }
  const Buffer& sum() const { return sum_; }
  const Blocks& parts() const { return parts_; }
  Buffer own() const { return parts_[at(fold_.number())]; }

 private:
  int at(int i) const { return reversed_ ? reversed_bits(i, fold_.size()) : i; }
  Buffer blocks(const Blocks& all, int number) const {
    const int first = fold_.first_of(number);
    return all.range(first, fold_.rank_of(number) - first + 1);
  }

  PowerFold fold_;
  bool reversed_;
  Buffer sum_;
  Blocks parts_;
};

/// Halves until each rank that stays has the blocks it stands for; the other of a pair gets its
/// own.
void halve(Steps& s, const Work& w, Halving::Partners order) {
  const PowerFold fold(s.rank(), s.size());
  const Groups groups(s, w, fold, order);
  Halving(fold, order).reduce(s, groups.sum(), groups.parts(), w.commutative);
  if (!fold.stays()) return s.receive_now(w.result, fold.pair());
  const Buffer own = groups.own();
  const std::int64_t others = own.count - w.result.count;
  if (fold.in_pair()) s.send_now(part(own, 0, others), fold.pair());
  s.copy(part(own, others, w.result.count), w.result);
}
void recursive_halving(Steps& s, const Work& w, const Tuning&) {
  halve(s, w, Halving::Partners::farthest_first);
}
void butterfly(Steps& s, const Work& w, const Tuning&) {
  halve(s, w, Halving::Partners::nearest_first);
}

/// In each node to its leader, then the leaders' sums pairwise, then to the ranks.
void by_node(Steps& s, const Work& w, const Tuning& t) {
  const Grouping& nodes = s.places().nodes();
  const LedGroup group(s, nodes, 0);
  TeamSteps team(s, group.members(), group.rank());
  const Buffer all = w.blocks.range(0, s.size());
  const Buffer sum = group.leads() ? s.scratch(all) : Buffer{};
  reduce_along(team, binomial_tree({team, 0}), all, sum, t.segment);
  if (!group.leads()) return team.receive_now(w.result, 0);
  const Leaders leaders(s, nodes, 0);
  TeamSteps among(s, leaders.members(), leaders.rank());
  doubling_reduce(among, sum);
  const Blocks results = w.blocks.moved_to(sum);
  for (int k = 1; k < team.size(); ++k)
    team.send(results[group.members()[static_cast<std::size_t>(k)]], k);
  s.copy(results[s.rank()], w.result);
  s.wait();
}

}  // namespace
}  // namespace reduce_scatter_ways

std::span<const Algorithm<ReduceScatter>> reduce_scatter_algorithms() {
  using namespace reduce_scatter_ways;
  constexpr Needs kAnyOrder = Needs::commutative;
  static constexpr Algorithm<ReduceScatter> kAll[] = {
      {"nonoverlapping", "up a binomial tree to the last rank, which sends each its block",
       reduce_then_scatter},
      {"basic_recursivehalving", "the vector halved from round to round, farthest partners first",
       recursive_halving, kAnyOrder, "nonoverlapping"},
      {"butterfly", "the same with the nearest partners first, in the order of ranks", butterfly},
      {"noncomm", "the butterfly of a power of two of ranks", butterfly, Needs::power_of_two,
       "nonoverlapping"},
      {"ring", "blocks grow around a ring", ring, kAnyOrder, "nonoverlapping"},
      {"pair", "each rank gets its block from one rank after another", pairwise, kAnyOrder,
       "nonoverlapping"},
      {"rdb", "recursive doubling of everything, of which each rank keeps its block", doubling},
      {"two_level", "a tree in each node, doubling among leaders, who hand out the blocks", by_node,
       kAnyOrder, "nonoverlapping"},
  };
  return kAll;
}

}  // namespace heddle::mpi::coll
