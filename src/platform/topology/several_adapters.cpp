#include "platform/topology/several_adapters.hpp"

#include <fmt/core.h>

#include <vector>

#include "core/error.hpp"
#include "platform/topology/planes.hpp"

namespace heddle::platform {
namespace {

std::unique_ptr<const Topology> copied(std::unique_ptr<const Topology> fabric,
                                       std::uint32_t adapters, AdapterMap map) {
  if (map != AdapterMap::planes) return fabric;
  constexpr std::uint64_t kMost = 1U << 30;
  if ((std::uint64_t{fabric->vertices()} + fabric->cables()) * adapters > kMost) {
    throw ParamError({"adapters"},
                     fmt::format("{} planes of {} nodes and switches are too many: accepted are "
                                 "machines of at most {} of them and of cables together",
                                 adapters, fabric->vertices(), kMost));
  }
  return std::make_unique<Planes>(std::move(fabric), adapters);
}

/// The switch of every node, each of which has one cable.
std::vector<VertexId> switches_of_nodes(const Topology& fabric) {
  std::vector<VertexId> found(fabric.nodes(), kNoVertex);
  for (std::uint32_t cable = 0; cable < fabric.cables(); ++cable) {
    const LinkEnds ends = fabric.ends(LinkId{2 * cable});
    for (const auto& [node, other] :
         {std::pair{ends.from, ends.to}, std::pair{ends.to, ends.from}}) {
      if (fabric.is_switch(node)) continue;
      if (!fabric.is_switch(other) || found[index(node)] != kNoVertex) {
        throw ParamError({"adapters"},
                         fmt::format("{} has no single cable to a switch: accepted are several "
                                     "adapters where every place of the fabric has one",
                                     fabric.name(node)));
      }
      found[index(node)] = other;
    }
  }
  return found;
}

/// How many places that follow each other hang on each switch.
std::uint32_t nodes_on_leaf(const std::vector<VertexId>& leaf) {
  std::uint32_t on_leaf = 1;
  while (on_leaf < leaf.size() && leaf[on_leaf] == leaf[0]) ++on_leaf;
  for (std::size_t n = 0; n < leaf.size(); ++n) {
    if (leaf[n] != leaf[n / on_leaf * on_leaf]) {
      throw ParamError({"adapter_map"},
                       "rails need equally many places on every leaf switch, with numbers that "
                       "follow each other: accepted are planes or neighbours here");
    }
  }
  return on_leaf;
}

}  // namespace

SeveralAdapters::SeveralAdapters(std::unique_ptr<const Topology> fabric, std::uint32_t adapters,
                                 AdapterMap map)
    : fabric_(copied(std::move(fabric), adapters, map)),
      adapters_(adapters),
      map_(map),
      leaf_(switches_of_nodes(*fabric_)),
      on_leaf_(map == AdapterMap::rails ? nodes_on_leaf(leaf_) : 1) {
  const std::uint32_t together = adapters * on_leaf_;
  if (fabric_->nodes() == 0 || fabric_->nodes() % together != 0) {
    throw ParamError({"adapters"},
                     fmt::format("{} places of the fabric cannot be shared out to nodes of {} "
                                 "adapters: accepted is a fabric with a multiple of {} places",
                                 fabric_->nodes(), adapters, together));
  }
  nodes_ = fabric_->nodes() / adapters;
  switches_ = fabric_->switches();
  cables_ = fabric_->cables();
}

std::string SeveralAdapters::describe() const {
  const char* const how = map_ == AdapterMap::planes  ? "in a plane each"
                          : map_ == AdapterMap::rails ? "on a rail each"
                                                      : "side by side";
  return fmt::format("{}, {} adapters per node {}", fabric_->describe(), adapters_, how);
}

std::uint32_t SeveralAdapters::place_of(std::uint32_t node, std::uint32_t adapter) const {
  switch (map_) {
    case AdapterMap::planes:
      return adapter * nodes_ + node;
    case AdapterMap::rails:
      return (node / on_leaf_ * adapters_ + adapter) * on_leaf_ + node % on_leaf_;
    default:
      return node * adapters_ + adapter;
  }
}

std::uint32_t SeveralAdapters::node_at(std::uint32_t place) const {
  switch (map_) {
    case AdapterMap::planes:
      return place % nodes_;
    case AdapterMap::rails:
      return place / (on_leaf_ * adapters_) * on_leaf_ + place % on_leaf_;
    default:
      return place / adapters_;
  }
}

VertexId SeveralAdapters::inside(VertexId v, std::uint32_t adapter) const {
  if (v == kNoVertex) return kNoVertex;
  const auto number = static_cast<std::uint32_t>(v);
  if (number < nodes_) return VertexId{place_of(number, adapter)};
  return VertexId{number - nodes_ + fabric_->nodes()};
}

VertexId SeveralAdapters::outside(VertexId v) const {
  if (v == kNoVertex) return kNoVertex;
  const auto number = static_cast<std::uint32_t>(v);
  if (number < fabric_->nodes()) return VertexId{node_at(number)};
  return VertexId{number - fabric_->nodes() + nodes_};
}

Hop SeveralAdapters::in_fabric(const Hop& hop) const {
  Hop inner = hop;
  inner.from = inside(hop.from, hop.source_adapter);
  inner.at = inside(hop.at, hop.source_adapter);
  inner.to = inside(hop.to, hop.target_adapter);
  inner.via = inside(hop.via, hop.target_adapter);
  return inner;
}

LinkEnds SeveralAdapters::ends(LinkId link) const {
  const LinkEnds inner = fabric_->ends(link);
  return {outside(inner.from), outside(inner.to)};
}

std::string SeveralAdapters::name(VertexId v) const {
  return is_switch(v) ? fabric_->name(inside(v, 0)) : "n" + std::to_string(index(v));
}

/// Adapters of a node may hang on one switch, by cables that are no twins in the fabric.
std::uint32_t SeveralAdapters::twin(std::uint32_t cable) const {
  const LinkEnds inner = fabric_->ends(LinkId{2 * cable});
  if (fabric_->is_switch(inner.from) && fabric_->is_switch(inner.to)) return fabric_->twin(cable);
  const VertexId place = fabric_->is_switch(inner.from) ? inner.to : inner.from;
  const std::uint32_t node = node_at(static_cast<std::uint32_t>(place));
  std::uint32_t earlier = 0;
  for (std::uint32_t a = 0; place_of(node, a) != index(place); ++a) {
    if (leaf_[place_of(node, a)] == leaf_[index(place)]) ++earlier;
  }
  return earlier;
}

bool SeveralAdapters::has_route(VertexId from, VertexId to) const {
  return fabric_->has_route(inside(from, 0), inside(to, 0));
}

/// A node stands where its first adapter would.
std::optional<Point> SeveralAdapters::position(VertexId v) const {
  return fabric_->position(inside(v, 0));
}

}  // namespace heddle::platform
