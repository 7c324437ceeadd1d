// Gathering blocks at one rank.
#include <algorithm>

#include "mpi/coll/parts.hpp"

namespace heddle::mpi::coll {
namespace gather_ways {
namespace {

using Work = Gather;

/// The root's own block goes to its place.
void keep_own(Steps& s, const Work& w) {
  if (w.own.address && w.own.address != w.blocks[w.root].address) s.copy(w.own, w.blocks[w.root]);
}

/// As Open MPI has it: the receive of a rank's block is posted when that of the one before is done.
void linear(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return s.send_now(w.own, w.root);
  for (int r = 0; r < s.size(); ++r) {
    if (r != w.root) s.receive_now(w.blocks[r], r);
  }
  keep_own(s, w);
}

void linear_at_once(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return s.send_now(w.own, w.root);
  for (int r = 0; r < s.size(); ++r) {
    if (r != w.root) s.receive(w.blocks[r], r);
  }
  keep_own(s, w);
  s.wait();
}

/// The root calls one rank after another; the next is called before the last has answered.
void linear_sync(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) {
    s.receive_now(nothing(), w.root);
    return s.send_now(w.own, w.root);
  }
  keep_own(s, w);
  Step last{};
  bool any = false;
  for (int r = 0; r < s.size(); ++r) {
    if (r == w.root) continue;
    const Step block = s.receive(w.blocks[r], r);
    s.send_now(nothing(), r);
    if (any) s.wait(last);
    last = block;
    any = true;
  }
  s.wait();
}

/// Blocks of the ranks from `first` on (counted from the root) arrive at the root; they may go on
/// from the last rank to rank 0.
void receive_blocks(Steps& s, const Work& w, int first, int count, int child) {
  const int p = s.size();
  const int begin = (first + w.root) % p;
  if (begin + count <= p) return s.receive_now(w.blocks.range(begin, count), child);
  const Buffer memory = s.scratch(w.blocks.range(0, count));
  const Blocks arrived = w.blocks.moved_to(memory);
  s.receive_now(memory, child);
  for (int i = 0; i < count; ++i) s.copy(arrived[i], w.blocks[(begin + i) % p]);
}

void binomial(Steps& s, const Work& w, const Tuning&) {
  const TreePlace place(s, w.root);
  const int own = place.relative();
  const int p = s.size();
  int subtree = 1;
  while (subtree < p && (own & subtree) == 0) subtree <<= 1;
  if (own == 0) {
    keep_own(s, w);
    for (int bit = 1; bit < p; bit <<= 1)
      receive_blocks(s, w, bit, std::min(bit, p - bit), place.absolute(bit));
    return;
  }
  const int held = std::min(subtree, p - own);
  if (held == 1) return s.send_now(w.own, place.absolute(own - subtree));
  const Buffer memory = s.scratch(w.own.count * held, *w.own.type);
  const Blocks blocks = Blocks::equal(memory.address, w.own.count, *w.own.type);
  s.copy(w.own, blocks[0]);
  for (int bit = 1; bit < held; bit <<= 1)
    s.receive_now(blocks.range(bit, std::min(bit, held - bit)), place.absolute(own + bit));
  s.send_now(memory, place.absolute(own - subtree));
}

/// In each group at its leader, then at the root.
void by_group(Steps& s, const Work& w, const Grouping& grouping) {
  const LedGroup group(s, grouping, w.root);
  TeamSteps team(s, group.members(), group.rank());
  if (!group.leads()) return team.send_now(w.own, 0);
  if (s.rank() != w.root) {
    const Buffer memory = s.scratch(w.own.count * team.size(), *w.own.type);
    const Blocks blocks = Blocks::equal(memory.address, w.own.count, *w.own.type);
    s.copy(w.own, blocks[0]);
    for (int k = 1; k < team.size(); ++k) team.receive(blocks[k], k);
    team.wait();
    return s.send_now(memory, w.root);
  }
  keep_own(s, w);
  for (int k = 1; k < team.size(); ++k)
    team.receive(w.blocks[group.members()[static_cast<std::size_t>(k)]], k);
  std::vector<Blocks> arrived;
  const Leaders leaders(s, grouping, w.root);
  for (int g = 0; g < grouping.groups(); ++g) {
    const auto count = static_cast<int>(grouping.members(g).size());
    const bool own = g == leaders.root();
    const Buffer memory = own ? Buffer{} : s.scratch(w.blocks.range(0, count));
    arrived.push_back(own ? Blocks{} : w.blocks.moved_to(memory));
    if (!own) s.receive(memory, leaders.members()[static_cast<std::size_t>(g)]);
  }
  s.wait();
  for (int g = 0; g < grouping.groups(); ++g) {
    if (g == leaders.root()) continue;
    const std::span<const int> members = grouping.members(g);
    for (std::size_t i = 0; i < members.size(); ++i)
      s.copy(arrived[static_cast<std::size_t>(g)][static_cast<int>(i)], w.blocks[members[i]]);
  }
}
void by_node(Steps& s, const Work& w, const Tuning&) {
  by_group(s, w, s.places().nodes());
}
void by_switch(Steps& s, const Work& w, const Tuning&) {
  by_group(s, w, s.places().switches());
}

}  // namespace
}  // namespace gather_ways

std::span<const Algorithm<Gather>> gather_algorithms() {
  using namespace gather_ways;
  static constexpr Algorithm<Gather> kAll[] = {
      {"binomial", "up a binomial tree, each rank with the blocks below it", binomial},
      {"basic_linear", "every rank sends to the root, which takes one block after another", linear},
      {"linear_sync", "every rank sends to the root when the root calls it", linear_sync},
      {"two_level", "in each node at its leader, who sends them to the root", by_node},
      {"switch_aware", "below each switch at a leader, who sends them to the root", by_switch},
  };
  return kAll;
}

std::span<const Algorithm<Gather>> gatherv_algorithms() {
  using namespace gather_ways;
  static constexpr Algorithm<Gather> kAll[] = {
      {"basic_linear", "every rank sends to the root", linear_at_once},
      {"linear_sync", "every rank sends to the root when the root calls it", linear_sync},
  };
  return kAll;
}

}  // namespace heddle::mpi::coll
