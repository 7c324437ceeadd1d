// Broadcasts that know where ranks are, or when they arrive.
#include "coll/algorithms/bcast_places.hpp"

#include <vector>

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace {

using Phase = void (*)(Steps&, const Bcast&, const Tuning&);

void along_chain(Steps& s, const Bcast& w, const Tuning& t) {
  bcast_along(s, chain_tree({s, w.root}, 1), w.data, segment_of(t, 8 * kKiB));
}
void along_binary(Steps& s, const Bcast& w, const Tuning& t) {
  bcast_along(s, binary_tree({s, w.root}), w.data, segment_of(t, 8 * kKiB));
}
void along_binomial(Steps& s, const Bcast& w, const Tuning& t) {
  bcast_along(s, binomial_tree({s, w.root}), w.data, t.segment);
}
void along_knomial(Steps& s, const Bcast& w, const Tuning& t) {
  bcast_along(s, knomial_tree({s, w.root}, radix_of(t, 4)), w.data, t.segment);
}
void flat(Steps& s, const Bcast& w, const Tuning&) {
  if (s.rank() != w.root) return s.receive_now(w.data, w.root);
  for (int k = 1; k < s.size(); ++k) s.send(w.data, (w.root + k) % s.size());
  s.wait();
}
void scatter_ring(Steps& s, const Bcast& w, const Tuning&) {
  const Blocks parts = Blocks::split(w.data, s.size());
  scatter_parts(s, parts, w.root);
  ring_allgather(s, parts, w.root);
}

/// Among the leaders of groups, then in each group.
void two_levels(Steps& s, const Bcast& w, const Tuning& t, const Grouping& grouping, Phase among,
                Phase within) {
  const LedGroup group(s, grouping, w.root);
  if (group.leads()) {
    const Leaders leaders(s, grouping, w.root);
    TeamSteps team(s, leaders.members(), leaders.rank());
    among(team, {w.data, leaders.root()}, t);
  }
  TeamSteps team(s, group.members(), group.rank());
  within(team, {w.data, 0}, t);
}

/// Ranks tell the root that they are there; which of them it has heard of.
class Arrivals {
 public:
  Arrivals(Steps& s, int root) : steps_(s) {
    for (int r = 0; r < s.size(); ++r) {
      if (r != root) waiting_.push_back({r, s.receive(nothing(), r)});
    }
  }
  bool empty() const { return waiting_.empty(); }
  std::size_t left() const { return waiting_.size(); }
  /// Calls `serve(rank)` for those that have come, after waiting for the first that has not.
  template <class Serve>
  void next(Serve serve) {
    std::vector<Arrival> absent;
    for (const Arrival& arrival : waiting_) {
      if (steps_.complete(arrival.message)) {
        serve(arrival.rank);
      } else {
        absent.push_back(arrival);
      }
    }
    if (absent.size() == waiting_.size()) steps_.wait(absent.front().message);
    waiting_ = std::move(absent);
  }

 private:
  struct Arrival {
    int rank;
    Step message;
  };
  Steps& steps_;
  std::vector<Arrival> waiting_;
};

void announce_and_receive(Steps& s, const Bcast& w) {
  const Step data = s.receive(w.data, w.root);
  s.send(nothing(), w.root);
  s.wait(data);
  s.wait();
}

}  // namespace

void bcast_in_nodes_linear(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().nodes(), along_chain, along_chain);
}
void bcast_in_nodes_binary(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().nodes(), along_binary, along_binary);
}
void bcast_in_nodes_binomial(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().nodes(), along_binomial, along_binomial);
}
void bcast_inter_node(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().nodes(), scatter_ring, flat);
}
void bcast_intra_node(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().nodes(), along_binomial, flat);
}
void bcast_knomial_intra_node(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().nodes(), along_knomial, along_knomial);
}

void bcast_by_switch(Steps& s, const Bcast& w, const Tuning& t) {
  two_levels(s, w, t, s.places().switches(), along_binomial, along_binomial);
}

void bcast_by_arrival(Steps& s, const Bcast& w, const Tuning&) {
  if (s.rank() != w.root) return announce_and_receive(s, w);
  Arrivals arrivals(s, w.root);
  while (!arrivals.empty()) arrivals.next([&](int rank) { s.send(w.data, rank); });
  s.wait();
}

void bcast_by_arrival_waiting(Steps& s, const Bcast& w, const Tuning&) {
  if (s.rank() != w.root) return announce_and_receive(s, w);
  constexpr int kShare = 8;
  Arrivals arrivals(s, w.root);
  std::vector<int> present;
  const auto wanted = static_cast<std::size_t>((s.size() - 1 + kShare - 1) / kShare);
  while (!arrivals.empty()) {
    arrivals.next([&](int rank) { present.push_back(rank); });
    if (present.size() < wanted && !arrivals.empty()) continue;
    for (const int rank : present) s.send(w.data, rank);
    present.clear();
  }
  s.wait();
}

void bcast_scatter_after_arrival(Steps& s, const Bcast& w, const Tuning& t) {
  if (s.rank() == w.root) {
    for (int r = 0; r < s.size(); ++r) {
      if (r != w.root) s.receive(nothing(), r);
    }
  } else {
    s.send(nothing(), w.root);
  }
  s.wait();
  scatter_ring(s, w, t);
}

}  // namespace heddle::coll
