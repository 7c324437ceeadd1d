// The minimal routes of a fabric: what every topology offers.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "platform/fabric_graph.hpp"

namespace heddle::platform {

/// Where a message is in the fabric and where it is going.
struct Hop {
  VertexId from;             ///< Where it came from.
  VertexId at;               ///< The vertex it stands at.
  VertexId to;               ///< Where it must go.
  std::uint32_t step = 0;    ///< Links crossed so far.
  std::uint32_t salt = 0;    ///< A number of the message's own: random choices derive from it.
  VertexId via = kNoVertex;  ///< A way-point that a non-minimal routing still has to visit.
  std::uint8_t source_adapter = 0;  ///< By which of its node's adapters it leaves, ...
  std::uint8_t target_adapter = 0;  ///< ... and by which one it comes in.
};

/// How freely a routing chooses among the ways to a destination.
enum class RouteChoice : std::uint8_t {
  fixed,     ///< The deterministic minimal route.
  drawn,     ///< Likewise, but of two ways that are equally short each message draws one.
  adaptive,  ///< Any minimal route, hop by hop.
  detour,    ///< Minimally to any switch, then minimally on.
  own,       ///< By routes that are not the topology's.
};

/// A list of links. Whoever asks often keeps one and clears it: it keeps its memory.
class LinkSet {
 public:
  /// So short that it becomes a part of whoever adds links: room is made elsewhere.
  void add(LinkId link) {
    if (size_ == room_.size()) make_room();
    room_[size_++] = link;
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  LinkId operator[](std::size_t i) const { return room_[i]; }
  const LinkId* begin() const { return room_.data(); }
  const LinkId* end() const { return room_.data() + size_; }

 private:
  void make_room();

  std::vector<LinkId> room_;  ///< The first are the list's.
  std::size_t size_ = 0;
};

/// Hops of a message between two different nodes: links of the fabric that its deterministic
/// minimal route crosses.
struct HopCounts {
  std::uint32_t most = 0;
  unsigned __int128 sum = 0;  ///< Over the pairs looked at.
  std::uint64_t pairs = 0;    ///< Ordered pairs looked at that have a route.
  std::uint64_t cut_off = 0;  ///< Those that have none.
  bool exact = true;          ///< All pairs were; otherwise a sample, the same in every run.

  double mean() const {
    return pairs == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(pairs);
  }
};

/// How far apart the parts of a fabric are, over all pairs of them.
struct Distances {
  std::uint32_t radix = 0;            ///< Most cables at a switch.
  std::uint32_t switch_diameter = 0;  ///< Most links on the shortest path between two switches.
  HopCounts hops;
};

/// Cables between two halves of the nodes, all of one run.
struct RunCut {
  std::size_t run = 0;
  std::uint64_t cables = 0;
};

/// A fabric's graph with its minimal routes. Regular topologies compute everything from numbers and
/// store no table that grows with the square of the nodes.
class Topology : public FabricGraph {
 public:
  /// The link that the deterministic minimal routing takes from `hop.at` towards `hop.to`; `at`
  /// differs from `to`.
  virtual LinkId output(const Hop& hop) const = 0;
  /// Whether several threads may ask for routes at the same time: yes where they are computed, no
  /// where they are worked out when somebody first asks, and kept.
  virtual bool concurrent() const = 0;
  /// Whether there is a way between two different vertices at all; output() must not be asked
  /// else. All have, unless a description lists the routes and leaves some out.
  virtual bool has_route(VertexId, VertexId) const { return true; }
  /// Whether a message takes longer between some vertices than the latencies of its links are,
  virtual bool has_distances() const { return false; }
  /// and by how much.
  virtual Time distance(VertexId, VertexId) const { return Time::zero(); }
  /// Where a message stands after crossing `link`. Topologies whose links have no fixed ends
  /// override it.
  virtual VertexId after(const Hop&, LinkId link) const { return ends(link).to; }
  /// The links that output() leads along from one vertex to another, one after the other.
  virtual void find_route(VertexId from, VertexId to, LinkSet& links) const;
  /// Whether there are ways that are as short as those of output() and differ from them by a
  /// direction only: half-way round a ring,
  virtual bool has_ties() const { return false; }
  /// and the link of the other way, if two part at `hop.at`, or kNoLink.
  virtual LinkId tied_output(const Hop&) const { return kNoLink; }
  /// Every link that a minimal route from `hop.at` to `hop.to` may take, in a fixed order.
  virtual void minimal_outputs(const Hop& hop, LinkSet& out) const { out.add(output(hop)); }
  /// Whether messages that hold one link and wait for the next can wait for each other in a circle.
  /// The default follows all fixed routes of a fabric of moderate size, and fears the worst of
  /// others.
  virtual bool can_wait_in_circles(RouteChoice choice) const;
  /// Whether output() can be asked to lead to a switch as well as to a node (Valiant routing needs
  /// it).
  virtual bool routes_to_switches() const { return false; }
  /// A random switch to send a message by way of, for Valiant routing, from `draw`, any 64 random
  /// bits.
  virtual VertexId detour(std::uint64_t draw) const;
  /// How far apart its parts are, exactly, where the topology can count that without going through
  /// all pairs.
  virtual std::optional<Distances> distances() const { return std::nullopt; }
  /// The narrowest cut into two halves of the nodes, where the topology knows a formula, given what
  /// a cable of each run carries.
  virtual std::optional<RunCut> narrowest_cut(const std::vector<Bandwidth>&) const {
    return std::nullopt;
  }

 protected:
  using FabricGraph::FabricGraph;
};

/// What a routing remembers of the messages of one network.
class RouteNotes {
 public:
  virtual ~RouteNotes() = default;
};

/// How loaded links are now, for adaptive routing: any number that grows with the wait for the
/// link, zero where there is none.
class LoadView {
 public:
  virtual std::int64_t load(LinkId link) const = 0;
  /// Likewise, with what has crossed the link and, as far as its sender knows, is still in the
  /// buffer at its end; models without such buffers say load().
  virtual std::int64_t backlog(LinkId link) const { return load(link); }
  /// The load of a link that has so much to do; zero where loads are not times.
  virtual std::int64_t worth(Time work) const { return work.ps(); }
  /// When the choice is made.
  virtual Time now() const { return Time::zero(); }
  /// Those that the routing has made for this network; null where none are kept, as for a look at
  /// an idle machine.
  virtual RouteNotes* notes() const { return nullptr; }

 protected:
  ~LoadView() = default;
};

/// One way on: a link, and the way-point that is left then.
struct Way {
  LinkId link;
  VertexId via;
};

/// Chooses the next link of a message.
class Routing {
 public:
  virtual ~Routing() = default;
  /// The next link from `hop.at`, which differs from `hop.to`. May note a way-point in the hop.
  virtual LinkId next(Hop& hop, const LoadView& loads) const = 0;
  /// Whether next() answers the same there whenever it is asked: neither loads nor what was before
  /// decide. What is not known to be so is not.
  virtual bool is_settled(const Hop&) const { return false; }
  virtual RouteChoice choice() const = 0;
  /// Adds every way that next() may take, whatever is loaded and drawn; some perhaps twice.
  virtual void ways(const Hop& hop, std::vector<Way>& out) const = 0;
  /// Whether messages that hold one link and wait for the next can wait for each other in a circle;
  /// where that is not known, they are taken to.
  virtual bool can_wait_in_circles() const = 0;
  /// Links of the longest route, or a few more.
  virtual std::uint32_t longest_route() const = 0;
  /// For a network of its own; null if it needs none.
  virtual std::unique_ptr<RouteNotes> new_notes() const { return nullptr; }
};

}  // namespace heddle::platform
