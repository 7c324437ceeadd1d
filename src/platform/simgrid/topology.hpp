// The fabric that a SimGrid platform describes, with its routes found on demand.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platform/simgrid/model.hpp"
#include "platform/topology.hpp"

namespace heddle::platform::simgrid {

/// Routes that have been asked for, by pair. Holds a bounded number and forgets all when full.
class RouteCache {
 public:
  RouteCache();

  struct Entry {
    std::uint64_t pair = UINT64_MAX;
    std::uint32_t offset = 0;
    std::uint32_t length = 0;
  };
  /// The entry of a pair, or an empty one to store it in.
  const Entry* find(std::uint64_t pair) const;
  const Entry* store(std::uint64_t pair, const Links& links);
  LinkId link(const Entry& entry, std::uint32_t step) const { return pool_[entry.offset + step]; }

 private:
  std::size_t slot_of(std::uint64_t pair) const;
  void clear();
  void grow();

  std::vector<Entry> slots_;  ///< A power of two, at most half full.
  std::size_t used_ = 0;
  Links pool_;
};

/// Links have no fixed ends here: a route is a list of links. Not safe for use by several threads
/// at once, for it remembers routes.
class SimgridTopology final : public Topology {
 public:
  explicit SimgridTopology(std::unique_ptr<const Model> model);

  std::string describe() const override;
  LinkEnds ends(LinkId) const override { return {kNoVertex, kNoVertex}; }
  /// Throws NoRoute if the file declares no route. kNoLink if the route is empty: a host and the
  /// router of its cluster can be one place.
  LinkId output(const Hop& hop) const override;
  bool has_route(VertexId from, VertexId to) const override;
  VertexId after(const Hop& hop, LinkId link) const override;
  std::optional<VertexId> find(std::string_view name) const override;
  std::string name(VertexId v) const override;
  std::string link_name(LinkId link) const override;
  /// The zone that declares the link.
  std::string cable_group(std::uint32_t cable) const override;

 private:
  const Point& point(VertexId v) const;
  const RouteCache::Entry& route(const Hop& hop) const;

  std::unique_ptr<const Model> model_;
  mutable RouteCache routes_;
  mutable const RouteCache::Entry* last_ = nullptr;  ///< A message asks for its route link by link.
  mutable Links scratch_;
};

}  // namespace heddle::platform::simgrid
