// The fabric that a SimGrid platform describes, with its routes found on demand.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platform/simgrid/model.hpp"
#include "platform/simgrid/zone.hpp"
#include "platform/source_dependent.hpp"
#include "platform/topology.hpp"

namespace heddle::platform::simgrid {

/// Routes that have been asked for lately, by pair. A pair has one place, which it may lose to
/// another: most routes are short, and quickly made again.
class RouteCache {
 public:
  RouteCache();

  /// A line of the cache, but for long ones.
  class alignas(64) Route {
   public:
    std::uint32_t length() const { return length_; }

   private:
    friend class RouteCache;
    static constexpr std::size_t kShort = 13;
    std::uint64_t pair_ = UINT64_MAX;
    std::uint32_t length_ = 0;
    std::array<LinkId, kShort> links_;  ///< Unless there are more.
  };
  /// The route of a pair, or null.
  const Route* find(std::uint64_t pair) const;
  const Route& store(std::uint64_t pair, const Links& links);
  LinkId link(const Route& route, std::uint32_t step) const {
    return route.length_ <= Route::kShort ? route.links_[step] : long_[place_of(route.pair_)][step];
  }

 private:
  static constexpr unsigned kPlaceBits = 14;
  static std::size_t place_of(std::uint64_t pair) {
    return (pair * 0x9E3779B97F4A7C15ULL) >> (64 - kPlaceBits);
  }
  std::vector<Route> routes_;
  std::vector<Links> long_;  ///< By the same places; empty until there is one.
};

/// Links have no fixed ends here: a route is a list of links. Not safe for use by several threads
/// at once, for it remembers routes.
class SimgridTopology final : public Topology, public SourceDependent {
 public:
  explicit SimgridTopology(std::unique_ptr<const Model> model);

  bool concurrent() const override { return false; }
  std::string describe() const override;
  LinkEnds ends(LinkId) const override { return {kNoVertex, kNoVertex}; }
  /// Throws NoRoute if the file declares no route. kNoLink if the route is empty: a host and the
  /// router of its cluster can be one place.
  LinkId output(const Hop& hop) const override;
  /// Remembers nothing: that is for who goes on link by link.
  void find_route(VertexId from, VertexId to, LinkSet& links) const override;
  std::optional<std::uint32_t> route_class(VertexId) const override { return std::nullopt; }
  bool lists_routes() const override { return true; }
  bool has_route(VertexId from, VertexId to) const override;
  VertexId after(const Hop& hop, LinkId link) const override;
  bool has_distances() const override { return model_->has_distances; }
  Time distance(VertexId from, VertexId to) const override;
  std::optional<VertexId> find(std::string_view name) const override;
  std::string name(VertexId v) const override;
  std::string link_name(LinkId link) const override;
  /// The zone that declares the link.
  std::string cable_group(std::uint32_t cable) const override;

 private:
  const Point& point(VertexId v) const;
  const RouteCache::Route& route(const Hop& hop) const;
  const RouteCache::Route& new_route(const Hop& hop, std::uint64_t pair) const;

  std::unique_ptr<const Model> model_;
  mutable RouteCache routes_;
  mutable LocalRoute scratch_;
};

}  // namespace heddle::platform::simgrid
