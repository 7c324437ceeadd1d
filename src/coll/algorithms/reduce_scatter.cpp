// Reductions of which each rank gets its block.
#include <algorithm>

#include "coll/algorithms/parts.hpp"
#include "coll/algorithms/reductions.hpp"
#include "coll/rules/selector.hpp"

namespace heddle::coll {
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

/// To rank 0, as the library reduces: what that is to hand out.
Scatter reduced(Steps& s, const Work& w) {
  const Buffer all = w.blocks.range(0, s.size());
  const Buffer sum = s.rank() == 0 ? s.scratch(all) : Buffer{};
  run_as_chosen(s, Collective::reduce, reduce_algorithms(), Reduce{all, sum, 0, w.commutative},
                bytes(all));
  s.wait();
  return {s.rank() == 0 ? w.blocks.moved_to(sum) : Blocks{}, w.result, 0};
}
void reduce_then_scatterv(Steps& s, const Work& w, const Tuning&) {
  run_as_chosen(s, Collective::scatterv, scatterv_algorithms(), reduced(s, w), 0);
}
bool alike(const Steps& s, const Blocks& blocks) {
  for (int r = 1; r < s.size(); ++r) {
    if (blocks[r].count != blocks[0].count) return false;
  }
  return true;
}
void reduce_then_scatter(Steps& s, const Work& w, const Tuning& t) {
  if (!alike(s, w.blocks)) return reduce_then_scatterv(s, w, t);
  run_as_chosen(s, Collective::scatter, scatter_algorithms(), reduced(s, w), bytes(w.result));
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

/// All blocks but those of a group of ranks: what comes before them and what comes behind, which
/// are sent as one.
class Others {
 public:
  Others(const Blocks& blocks, int ranks, int first, int group)
      : before_(blocks.range(0, first)),
        behind_(
            blocks.range(std::min(first + group, ranks), ranks - std::min(first + group, ranks))) {}
  std::int64_t count() const { return before_.count + behind_.count; }
  /// Calls `action(piece, in memory)` with both.
  template <class Action>
  void each(const Buffer& memory, Action action) const {
    action(before_, part(memory, 0, before_.count));
    action(behind_, part(memory, before_.count, behind_.count));
  }

 private:
  Buffer before_;
  Buffer behind_;
};

/// Partners twice as far away in each round exchange what their groups have of all blocks but their
/// own; those that have no partner get it from others of their group.
void doubling(Steps& s, const Work& w, const Tuning&) {
  const int p = s.size();
  const Blocks sums = copied(s, w);
  const Buffer out = s.scratch(sums.range(0, p));
  const Buffer in = s.scratch(out);
  for (int bit = 1; bit < p; bit <<= 1) {
    const int first = s.rank() & ~(bit - 1);
    const int first_in = first ^ bit;
    if (first_in >= p) continue;
    const Others given(sums, p, first, bit);
    const Others got(sums, p, first_in, bit);
    const Buffer arrived = part(in, 0, got.count());
    const int peer = s.rank() ^ bit;
    if (peer < p) {
      given.each(out, [&](const Buffer& sum, const Buffer& packed) { s.copy(sum, packed); });
      s.exchange(part(out, 0, given.count()), peer, arrived, peer);
    }
    if (first_in + bit > p) hand_on(s, TreePlace(s, 0), bit, p - first_in, arrived);
    got.each(arrived, [&](const Buffer& sum, const Buffer& other) {
      if (w.commutative || first_in < first) return s.reduce(other, sum);
      s.reduce(sum, other);
      s.copy(other, sum);
    });
  }
  s.copy(sums[s.rank()], w.result);
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

void receive_some(Steps& s, const Buffer& data, int peer) {
  if (data.count > 0) s.receive_now(data, peer);
}

/// Halves until each rank that stays has the blocks it stands for; the other of a pair gets its
/// own.
void halve(Steps& s, const Work& w, Halving::Partners order) {
  const PowerFold fold(s.rank(), s.size());
  const Groups groups(s, w, fold, order);
  Halving(fold, order).reduce(s, groups.sum(), groups.parts(), w.commutative);
  if (!fold.stays()) return receive_some(s, w.result, fold.pair());
  const Buffer own = groups.own();
  const std::int64_t others = own.count - w.result.count;
  if (fold.in_pair() && others > 0) s.send_now(part(own, 0, others), fold.pair());
  s.copy(part(own, others, w.result.count), w.result);
}
void recursive_halving(Steps& s, const Work& w, const Tuning&) {
  halve(s, w, Halving::Partners::farthest_first);
}
void permuted_butterfly(Steps& s, const Work& w, const Tuning&) {
  halve(s, w, Halving::Partners::nearest_first);
}

/// Halves the blocks as they lie, so that each rank comes to have those of the rank whose number
/// has its bits in reverse, and sends them there.
void butterfly(Steps& s, const Work& w, const Tuning&) {
  if (s.size() == 1) return s.copy(w.blocks[0], w.result);
  const PowerFold fold(s.rank(), s.size());
  const int other = reversed_bits(fold.number(), fold.size());
  const Blocks blocks = copied(s, w);
  std::vector<std::int64_t> counts;
  for (int i = 0; i < fold.size(); ++i) {
    counts.push_back(blocks.start(fold.rank_of(i) + 1) - blocks.start(fold.first_of(i)));
  }
  const Buffer sum = blocks.range(0, s.size());
  Halving(fold, Halving::Partners::nearest_first)
      .reduce(s, sum, Blocks::packed(sum.address, counts, *sum.type), w.commutative,
              Halving::Empty::sent);
  const int to = fold.rank_of(other);
  if (!fold.stays()) return s.receive_now(w.result, to);
  if (fold.first_of(other) != to) s.send_now(blocks[fold.first_of(other)], fold.first_of(other));
  if (other == fold.number()) return s.copy(blocks[to], w.result);
  s.exchange(blocks[to], to, w.result, to);
}

/// A power of two of ranks can spare the last exchange.
void shortest_butterfly(Steps& s, const Work& w, const Tuning& t) {
  if (is_power_of_two(s.size())) {
    permuted_butterfly(s, w, t);
  } else {
    butterfly(s, w, t);
  }
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
  for (int k = 1; k < team.size(); ++k) {
    team.send(results[group.members()[static_cast<std::size_t>(k)]], k);
  }
  s.copy(results[s.rank()], w.result);
  s.wait();
}

}  // namespace
}  // namespace reduce_scatter_ways

std::span<const Algorithm<ReduceScatter>> reduce_scatter_algorithms() {
  using namespace reduce_scatter_ways;
  constexpr Needs kAnyOrder = Needs::commutative;
  static constexpr Algorithm<ReduceScatter> kAll[] = {
      {"nonoverlapping", "reduced to rank 0 and scattered by a scatterv, as the library does these",
       reduce_then_scatterv},
      {"basic_linear", "the same; blocks that are alike by a scatter", reduce_then_scatter},
      {"basic_recursivehalving", "the vector halved from round to round, farthest partners first",
       recursive_halving, kAnyOrder, "nonoverlapping"},
      {"butterfly", "the same with the nearest partners first, who exchange blocks in the end",
       butterfly},
      {"noncomm", "the same of a power of two of ranks, blocks put in order before",
       permuted_butterfly, Needs::power_of_two, "nonoverlapping"},
      {"butterfly_block", "noncomm of a power of two of ranks, butterfly of others",
       shortest_butterfly},
      {"ring", "blocks grow around a ring", ring, kAnyOrder, "nonoverlapping"},
      {"pair", "each rank gets its block from one rank after another", pairwise, kAnyOrder,
       "nonoverlapping"},
      {"rdb", "partners twice as far away in each round exchange all blocks but their own",
       doubling},
      {"two_level", "a tree in each node, doubling among leaders, who hand out the blocks", by_node,
       kAnyOrder, "nonoverlapping"},
  };
  return kAll;
}

}  // namespace heddle::coll
