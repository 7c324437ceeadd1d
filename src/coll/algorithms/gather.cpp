// Gathering blocks at one rank.
#include <algorithm>

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace gather_ways {
namespace {

using Work = Gather;

/// The root's own block goes to its place.
void keep_own(Steps& s, const Work& w) {
  if (w.own.address && w.own.address != w.blocks[w.root].address) s.copy(w.own, w.blocks[w.root]);
}

/// Blocks without data are not sent.
void send_own(Steps& s, const Work& w) {
  if (bytes(w.own) > 0) s.send_now(w.own, w.root);
}
bool comes(const Work& w, int rank) {
  return rank != w.root && bytes(w.blocks[rank]) > 0;
}

/// As Open MPI has it: the receive of a rank's block is posted when that of the one before is done.
void linear(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return send_own(s, w);
  for (int r = 0; r < s.size(); ++r) {
    if (comes(w, r)) s.receive_now(w.blocks[r], r);
  }
  keep_own(s, w);
}

void linear_at_once(Steps& s, const Work& w, const Tuning&) {
  if (s.rank() != w.root) return send_own(s, w);
  for (int r = 0; r < s.size(); ++r) {
    if (comes(w, r)) s.receive(w.blocks[r], r);
  }
  keep_own(s, w);
  s.wait();
}

/// A block in two messages: a first segment, and what is left, which may be nothing.
struct TwoPieces {
  TwoPieces(const Buffer& block, std::int64_t segment) {
    const std::int64_t size = block.type->size();
    const bool whole = segment <= 0 || size == 0 || segment >= bytes(block);
    const std::int64_t count = whole ? block.count : std::max<std::int64_t>(1, segment / size);
    first = part(block, 0, count);
    rest = part(block, count, block.count - count);
  }
  Buffer first;
  Buffer rest;
};

/// The root calls one rank after another, each when the first segment of the one before is there;
/// a rank sends the rest of its block behind that, even if it is empty.
void linear_sync(Steps& s, const Work& w, const Tuning& t) {
  if (s.rank() != w.root) {
    const TwoPieces own(w.own, t.segment);
    s.receive_now(nothing(), w.root);
    s.send_now(own.first, w.root);
    return s.send_now(own.rest, w.root);
  }
  for (int r = 0; r < s.size(); ++r) {
    if (r == w.root) continue;
    const TwoPieces block(w.blocks[r], t.segment);
    const Step first = s.receive(block.first, r);
    s.send_now(nothing(), r);
    s.receive(block.rest, r);
    s.wait(first);
  }
  keep_own(s, w);
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
    for (int bit = 1; bit < p; bit <<= 1) {
      receive_blocks(s, w, bit, std::min(bit, p - bit), place.absolute(bit));
    }
    return;
  }
  const int held = std::min(subtree, p - own);
  if (held == 1) return s.send_now(w.own, place.absolute(own - subtree));
  const Buffer memory = s.scratch(w.own.count * held, *w.own.type);
  const Blocks blocks = Blocks::equal(memory.address, w.own.count, *w.own.type);
  s.copy(w.own, blocks[0]);
  for (int bit = 1; bit < held; bit <<= 1) {
    s.receive_now(blocks.range(bit, std::min(bit, held - bit)), place.absolute(own + bit));
  }
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
  for (int k = 1; k < team.size(); ++k) {
    team.receive(w.blocks[group.members()[static_cast<std::size_t>(k)]], k);
  }
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
    for (std::size_t i = 0; i < members.size(); ++i) {
      s.copy(arrived[static_cast<std::size_t>(g)][static_cast<int>(i)], w.blocks[members[i]]);
    }
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
      {"linear_sync", "the root calls ranks in turn; each sends a segment (all), then the rest",
       linear_sync},
      {"two_level", "in each node at its leader, who sends them to the root", by_node},
      {"switch_aware", "below each switch at a leader, who sends them to the root", by_switch},
  };
  return kAll;
}

std::span<const Algorithm<Gather>> gatherv_algorithms() {
  using namespace gather_ways;
  static constexpr Algorithm<Gather> kAll[] = {
      {"linear_nb", "every rank sends to the root, which takes all blocks at once", linear_at_once},
      {"basic_linear", "every rank sends to the root, which takes one block after another", linear},
      {"linear_sync", "the root calls ranks in turn; each sends a segment (all), then the rest",
       linear_sync},
  };
  return kAll;
}

}  // namespace heddle::coll
