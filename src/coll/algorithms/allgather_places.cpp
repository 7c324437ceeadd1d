#include "coll/algorithms/allgather_places.hpp"

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace {

/// The blocks of a group's ranks as few buffers: calls `each(buffer)` for each run of ranks.
template <class Each>
void runs(const Blocks& blocks, std::span<const int> members, Each each) {
  for (std::size_t i = 0; i < members.size();) {
    std::size_t end = i + 1;
    while (end < members.size() && members[end] == members[end - 1] + 1) ++end;
    each(blocks.range(members[i], static_cast<int>(end - i)));
    i = end;
  }
}

/// Blocks of the group's ranks come together at the leader.
void collect(TeamSteps& team, const Blocks& blocks, std::span<const int> members) {
  if (team.rank() != 0) {
    return team.send_now(blocks[members[static_cast<std::size_t>(team.rank())]], 0);
  }
  for (int k = 1; k < team.size(); ++k) {
    team.receive(blocks[members[static_cast<std::size_t>(k)]], k);
  }
  team.wait();
}

/// Leaders pass the blocks of groups around a ring; `arrived(group)` is called after each step.
template <class Arrived>
void ring_of_leaders(TeamSteps& leaders, const Blocks& blocks, const Grouping& grouping,
                     Arrived arrived) {
  const int n = leaders.size();
  for (int k = 0; k + 1 < n; ++k) {
    const int out = (leaders.rank() - k + n) % n;
    const int in = (leaders.rank() - k - 1 + n) % n;
    runs(blocks, grouping.members(in),
         [&](const Buffer& run) { leaders.receive(run, (leaders.rank() + n - 1) % n); });
    runs(blocks, grouping.members(out),
         [&](const Buffer& run) { leaders.send(run, (leaders.rank() + 1) % n); });
    leaders.wait();
    arrived(in);
  }
}
void nothing_more(int) {}

void send_to_all_leaders(TeamSteps& leaders, const Blocks& blocks, const Grouping& grouping) {
  const int n = leaders.size();
  for (int k = 1; k < n; ++k) {
    const int from = (leaders.rank() + k) % n;
    runs(blocks, grouping.members(from), [&](const Buffer& run) { leaders.receive(run, from); });
  }
  for (int k = 1; k < n; ++k) {
    const int to = (leaders.rank() - k + n) % n;
    runs(blocks, grouping.members(leaders.rank()),
         [&](const Buffer& run) { leaders.send(run, to); });
  }
  leaders.wait();
}

/// Gathers in groups, lets `among(leaders)` exchange, and hands everything down.
template <class Among>
void by_group(Steps& s, const Allgather& w, const Tuning& t, const Grouping& grouping,
              Among among) {
  const int group = grouping.group_of(s.rank());
  TeamSteps team(s, grouping.members(group), grouping.position(s.rank()));
  collect(team, w.blocks, grouping.members(group));
  if (team.rank() == 0) {
    TeamSteps leaders(s, grouping.leaders(), group);
    among(leaders);
  }
  bcast_along(team, binomial_tree({team, 0}), w.blocks.range(0, s.size()), t.segment);
}

}  // namespace

void allgather_smp_simple(Steps& s, const Allgather& w, const Tuning& t) {
  const Grouping& nodes = s.places().nodes();
  by_group(s, w, t, nodes,
           [&](TeamSteps& leaders) { send_to_all_leaders(leaders, w.blocks, nodes); });
}
void allgather_smp(Steps& s, const Allgather& w, const Tuning& t) {
  const Grouping& nodes = s.places().nodes();
  by_group(s, w, t, nodes,
           [&](TeamSteps& leaders) { ring_of_leaders(leaders, w.blocks, nodes, nothing_more); });
}
void allgather_by_switch(Steps& s, const Allgather& w, const Tuning& t) {
  const Grouping& switches = s.places().switches();
  by_group(s, w, t, switches,
           [&](TeamSteps& leaders) { ring_of_leaders(leaders, w.blocks, switches, nothing_more); });
}

void allgather_smp_ring(Steps& s, const Allgather& w, const Tuning&) {
  const Grouping& nodes = s.places().nodes();
  const int node = nodes.group_of(s.rank());
  TeamSteps team(s, nodes.members(node), nodes.position(s.rank()));
  collect(team, w.blocks, nodes.members(node));
  // Each node's blocks go down a tree of the node as soon as its leader has them.
  const Tree tree = binomial_tree({team, 0});
  const auto hand_down = [&](int group) {
    runs(w.blocks, nodes.members(group),
         [&](const Buffer& run) { bcast_along(team, tree, run, 0); });
  };
  hand_down(node);
  if (team.rank() == 0) {
    TeamSteps leaders(s, nodes.leaders(), node);
    return ring_of_leaders(leaders, w.blocks, nodes, hand_down);
  }
  const int n = nodes.groups();
  for (int k = 0; k + 1 < n; ++k) hand_down((node - k - 1 + n) % n);
}

void allgather_loose_rings(Steps& s, const Allgather& w, const Tuning&) {
  const Grouping& nodes = s.places().nodes();
  const int n = nodes.groups();
  const int node = nodes.group_of(s.rank());
  const int position = nodes.position(s.rank());
  const int size = nodes.even_size();
  const auto rank_of = [&](int g, int place) {
    return nodes.members((g + n) % n)[static_cast<std::size_t>((place + size) % size)];
  };
  for (int k = 0; k + 1 < n; ++k) {
    s.exchange(w.blocks[rank_of(node - k, position)], rank_of(node + 1, position),
               w.blocks[rank_of(node - k - 1, position)], rank_of(node - 1, position));
  }
  for (int k = 0; k + 1 < size; ++k) {
    for (int g = 0; g < n; ++g) {
      s.receive(w.blocks[rank_of(g, position - k - 1)], rank_of(node, position - 1));
      s.send(w.blocks[rank_of(g, position - k)], rank_of(node, position + 1));
    }
    s.wait();
  }
}

}  // namespace heddle::coll
