// Handing out blocks of one rank.
#include <algorithm>

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace scatter_ways {
namespace {

using Work = Scatter;

void keep_own(Steps& s, const Work& w) {
  if (w.own.address && w.own.address != w.blocks[w.root].address) s.copy(w.blocks[w.root], w.own);
}

/// Blocks without data are not sent.
void receive_own(Steps& s, const Work& w) {
  if (bytes(w.own) > 0) s.receive_now(w.own, w.root);
}
bool goes(const Work& w, int rank) {
  return rank != w.root && bytes(w.blocks[rank]) > 0;
}

/// The root sends to one rank after another.
void linear(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return receive_own(s, w);
  for (int r = 0; r < s.size(); ++r) {
    if (goes(w, r)) s.send_now(w.blocks[r], r);
  }
  keep_own(s, w);
}
void all_at_once(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return receive_own(s, w);
  for (int r = 0; r < s.size(); ++r) {
    if (goes(w, r)) s.send(w.blocks[r], r);
  }
  keep_own(s, w);
  s.wait();
}

/// Blocks of `count` ranks from `first` on, counted from the root, as one buffer.
Buffer in_sequence(Steps& s, const Work& w, int first, int count) {
  const int p = s.size();
  const int begin = (first + w.root) % p;
  if (begin + count <= p) return w.blocks.range(begin, count);
  const Buffer memory = s.scratch(w.blocks.range(0, count));
  const Blocks out = w.blocks.moved_to(memory);
  for (int i = 0; i < count; ++i) s.copy(w.blocks[(begin + i) % p], out[i]);
  return memory;
}

void binomial(Steps& s, const Work& w, const Tuning&) {
  const TreePlace place(s, w.root);
  const int own = place.relative();
  const int p = s.size();
  int subtree = 1;
  while (subtree < p && (own & subtree) == 0) subtree <<= 1;
  if (own == 0) {
    for (int bit = subtree >> 1; bit > 0; bit >>= 1) {
      if (bit < p) s.send(in_sequence(s, w, bit, std::min(bit, p - bit)), place.absolute(bit));
    }
    keep_own(s, w);
    return s.wait();
  }
  const int held = std::min(subtree, p - own);
  if (held == 1) return s.receive_now(w.own, place.absolute(own - subtree));
  const Buffer memory = s.scratch(w.own.count * held, *w.own.type);
  const Blocks blocks = Blocks::equal(memory.address, w.own.count, *w.own.type);
  s.receive_now(memory, place.absolute(own - subtree));
  for (int bit = subtree >> 1; bit > 0; bit >>= 1) {
    if (bit < held) s.send(blocks.range(bit, std::min(bit, held - bit)), place.absolute(own + bit));
  }
  s.copy(blocks[0], w.own);
  s.wait();
}

/// The root has the blocks of a group in their order, in memory of its own.
Buffer group_blocks(Steps& s, const Work& w, std::span<const int> members) {
  const Buffer memory = s.scratch(w.blocks.range(0, static_cast<int>(members.size())));
  const Blocks out = w.blocks.moved_to(memory);
  for (std::size_t i = 0; i < members.size(); ++i) {
    s.copy(w.blocks[members[i]], out[static_cast<int>(i)]);
  }
  return memory;
}

using Phase = void (*)(Steps&, const Work&, const Tuning&);

/// From the root to the leaders of groups, then in each group.
void by_group(Steps& s, const Work& w, const Tuning& t, const Grouping& grouping, Phase within) {
  const LedGroup group(s, grouping, w.root);
  TeamSteps team(s, group.members(), group.rank());
  Work inner{{}, w.own, 0};
  if (s.rank() == w.root) {
    const Leaders leaders(s, grouping, w.root);
    for (int g = 0; g < grouping.groups(); ++g) {
      if (g == leaders.root()) continue;
      s.send(group_blocks(s, w, grouping.members(g)),
             leaders.members()[static_cast<std::size_t>(g)]);
    }
    inner.blocks = w.blocks.moved_to(group_blocks(s, w, group.members()));
  } else if (group.leads()) {
    const Buffer memory = s.scratch(w.own.count * team.size(), *w.own.type);
    s.receive_now(memory, w.root);
    inner.blocks = Blocks::equal(memory.address, w.own.count, *w.own.type);
  }
  within(team, inner, t);
  s.wait();
}
void nodes_binomial(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), binomial);
}
void nodes_direct(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().nodes(), all_at_once);
}
void by_switch(Steps& s, const Work& w, const Tuning& t) {
  by_group(s, w, t, s.places().switches(), binomial);
}

}  // namespace
}  // namespace scatter_ways

std::span<const Algorithm<Scatter>> scatter_algorithms() {
  using namespace scatter_ways;
  static constexpr Algorithm<Scatter> kAll[] = {
      {"binomial", "down a binomial tree, each rank with the blocks below it", binomial},
      {"basic_linear", "the root sends to one rank after another", linear},
      {"linear_nb", "the root sends to all ranks at once", all_at_once},
      {"two_level_binomial", "to the leader of each node, then down a binomial tree",
       nodes_binomial},
      {"two_level_direct", "to the leader of each node, who sends to its ranks", nodes_direct},
      {"switch_aware", "to a leader below each switch, then down a binomial tree", by_switch},
  };
  return kAll;
}

std::span<const Algorithm<Scatter>> scatterv_algorithms() {
  using namespace scatter_ways;
  static constexpr Algorithm<Scatter> kAll[] = {
      {"linear_nb", "the root sends to all ranks at once", all_at_once},
      {"basic_linear", "the root sends to one rank after another", linear},
  };
  return kAll;
}

}  // namespace heddle::coll
