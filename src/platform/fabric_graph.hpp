// The graph of a fabric: its nodes, switches and cables, and what they are called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"

namespace heddle::platform {

/// The two ends of a link (one direction of a cable).
struct LinkEnds {
  VertexId from;
  VertexId to;
};

/// Cables of one group whose numbers follow each other.
struct CableRun {
  std::string group;
  std::uint32_t first = 0;
  std::uint32_t cables = 0;
};

/// A place for a vertex in a drawing, in units of about one vertex.
struct Point {
  double x = 0;
  double y = 0;
};

/// A fabric's graph. Vertices 0 .. nodes()-1 are the nodes (their adapters), the rest are switches.
/// Cables are numbered from 0; cable c consists of the links 2c and 2c+1, one per direction.
class FabricGraph {
 public:
  virtual ~FabricGraph() = default;

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t switches() const { return switches_; }
  std::uint32_t vertices() const { return nodes_ + switches_; }
  std::uint32_t cables() const { return cables_; }
  std::uint32_t links() const { return 2 * cables_; }
  bool is_switch(VertexId v) const { return index(v) >= nodes_; }

  /// One line for people: "3-level fat tree, arity 8".
  virtual std::string describe() const = 0;
  virtual LinkEnds ends(LinkId link) const = 0;

  /// Names are unique: "n12" for nodes, "s3" for switches, unless the topology has better ones.
  /// Those of topologies that have no find() of their own do not begin with a digit.
  virtual std::string name(VertexId v) const;
  /// The number of the vertex called `name`, if there is one. Quick for names that end in a
  /// vertex's own number, such as "n12", and for numbers alone, which are none.
  virtual std::optional<VertexId> find(std::string_view name) const;
  /// "n3->s0": a name of one direction of a cable, unique among the links ("n3->s0#1" for a twin).
  virtual std::string link_name(LinkId link) const;
  /// How many cables of lower number join the same two vertices.
  virtual std::uint32_t twin(std::uint32_t) const { return 0; }
  /// The group of equal cables that a cable belongs to ("access", "level 1", "x", "global"):
  /// drawings, tables and overrides use it.
  virtual std::string cable_group(std::uint32_t cable) const = 0;
  /// All cables in runs, in the order of their numbers. The default asks for every cable's group.
  virtual std::vector<CableRun> cable_runs() const;
  /// Extents of the grid on which nodes stand, the one that varies fastest with their number first;
  /// empty if they stand on none.
  virtual std::vector<std::uint32_t> node_grid() const { return {}; }
  /// Where to draw a vertex; nothing lets the drawer choose.
  virtual std::optional<Point> position(VertexId) const { return std::nullopt; }

 protected:
  FabricGraph(std::uint32_t nodes, std::uint32_t switches, std::uint32_t cables)
      : nodes_(nodes), switches_(switches), cables_(cables) {}
  FabricGraph() = default;

  std::uint32_t nodes_ = 0;
  std::uint32_t switches_ = 0;
  std::uint32_t cables_ = 0;
};

}  // namespace heddle::platform
