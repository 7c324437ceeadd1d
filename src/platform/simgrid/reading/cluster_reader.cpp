#include "platform/simgrid/reading/cluster_reader.hpp"

#include <utility>

#include "platform/simgrid/dragonfly_cluster.hpp"
#include "platform/simgrid/fat_tree_cluster.hpp"
#include "platform/simgrid/star_cluster.hpp"
#include "platform/simgrid/torus_cluster.hpp"

namespace heddle::platform::simgrid {
namespace {

constexpr std::string_view kTopology = "topo_parameters";

/// Whether an optional attribute is there and not empty; empty means "none" in SimGrid.
bool given(const Element& element, std::string_view attribute) {
  return !element.text_or(attribute, "").empty();
}

std::optional<Loopback> loopback_of(const Element& element, Warnings& warnings) {
  if (!given(element, "loopback_bw")) {
    if (given(element, "loopback_lat")) element.fail_at("loopback_lat", "needs loopback_bw, too");
    return std::nullopt;
  }
  Loopback loopback{bandwidth_of(element, "loopback_bw", warnings), Time::zero()};
  if (given(element, "loopback_lat")) {
    loopback.latency = latency_of(element, "loopback_lat", warnings);
  }
  return loopback;
}

std::optional<Backbone> backbone_of(const Element& element, Warnings& warnings) {
  const Sharing sharing = sharing_of(element, "bb_sharing_policy", {"SHARED", "FATPIPE"});
  if (!given(element, "bb_bw")) {
    if (given(element, "bb_lat") && latency_of(element, "bb_lat", warnings) > Time::zero()) {
      element.fail_at("bb_lat", "needs bb_bw, too");
    }
    return std::nullopt;
  }
  Backbone backbone{bandwidth_of(element, "bb_bw", warnings), Time::zero(), sharing};
  if (given(element, "bb_lat")) backbone.latency = latency_of(element, "bb_lat", warnings);
  return backbone;
}

Sharing cluster_sharing(const Element& element, Warnings& warnings) {
  const Sharing sharing =
      sharing_of(element, "sharing_policy", {"SPLITDUPLEX", "SHARED", "FATPIPE", "FULLDUPLEX"});
  if (sharing != Sharing::fatpipe) return sharing;
  warnings.push_back(element.where("sharing_policy").str() +
                     ": the links of a cluster that asks for FATPIPE are SHARED, as in SimGrid");
  return Sharing::shared;
}

ClusterParams params_of(const Element& element, const Model& model, Warnings& warnings) {
  ClusterParams params;
  params.id = element.text("id");
  params.prefix = element.text("prefix");
  params.suffix = element.text("suffix");
  params.radicals = radicals_of(element, model.limits().hosts - model.hosts().size());
  params.speed = speed_of(element, warnings);
  params.cores = count_of(element, "core", element.text_or("core", "1"), 1);
  params.bandwidth = bandwidth_of(element, "bw", warnings);
  params.latency = latency_of(element, "lat", warnings);
  params.sharing = cluster_sharing(element, warnings);
  if (given(element, "limiter_link")) {
    params.limiter = bandwidth_of(element, "limiter_link", warnings);
  }
  params.loopback = loopback_of(element, warnings);
  return params;
}

void check_host_count(const Element& element, std::uint64_t wanted, std::size_t named) {
  if (wanted == named) return;
  element.fail_at(kTopology, "these parameters connect " + std::to_string(wanted) +
                                 " hosts, but radical names " + std::to_string(named));
}

std::vector<std::string_view> topology_parts(const Element& element, std::string_view format) {
  auto parts = split(element.text(kTopology), ';');
  if (parts.size() != 4) element.fail_at(kTopology, "not of the form " + std::string(format));
  return parts;
}

std::vector<FatTreeLevel> fat_tree_levels(const Element& element) {
  constexpr std::string_view kFormat =
      "levels;children per level;parents per level;cables per level, such as 2;4,4;1,2;1,2";
  const auto parts = topology_parts(element, kFormat);
  constexpr std::uint32_t kMostLevels = 32;
  const std::uint32_t levels = count_of(element, kTopology, parts[0], 1);
  if (levels > kMostLevels) {
    element.fail_at(kTopology, "a fat tree has at most " + std::to_string(kMostLevels) + " levels");
  }
  std::vector<std::vector<std::uint32_t>> lists;
  for (std::size_t i = 1; i < 4; ++i) {
    lists.push_back(counts_of(element, kTopology, parts[i]));
    if (lists.back().size() != levels) {
      element.fail_at(kTopology, "'" + std::string(parts[i]) + "' has not the " +
                                     std::to_string(levels) + " numbers that the format " +
                                     std::string(kFormat) + " asks for");
    }
  }
  std::vector<FatTreeLevel> result;
  for (std::size_t l = 0; l < levels; ++l) {
    result.push_back({lists[0][l], lists[1][l], lists[2][l]});
  }
  return result;
}

DragonflyShape dragonfly_shape(const Element& element) {
  constexpr std::string_view kFormat =
      "groups,links;chassis,links;routers,links;hosts, such as 3,4;4,3;5,1;2";
  const auto parts = topology_parts(element, kFormat);
  std::vector<std::uint32_t> numbers;
  for (std::size_t i = 0; i < 4; ++i) {
    const auto counts = counts_of(element, kTopology, parts[i]);
    if (counts.size() != (i < 3 ? 2 : 1)) {
      element.fail_at(kTopology, "'" + std::string(parts[i]) + "' is not as in the format " +
                                     std::string(kFormat));
    }
    numbers.insert(numbers.end(), counts.begin(), counts.end());
  }
  const DragonflyShape shape{numbers[0], numbers[1], numbers[2], numbers[3],
                             numbers[4], numbers[5], numbers[6]};
  if (shape.groups > shape.blades) {
    element.fail_at(kTopology, std::to_string(shape.groups) +
                                   " groups need at least as many routers per chassis, for router "
                                   "g leads to group g: there are " +
                                   std::to_string(shape.blades));
  }
  return shape;
}

std::unique_ptr<Zone> read_star(const Element& element, const ClusterParams& params,
                                const Zone* parent, Model& model, Warnings& warnings) {
  if (given(element, kTopology)) {
    warnings.push_back(element.where(kTopology).str() +
                       ": topo_parameters mean nothing to a FLAT cluster");
  }
  return std::make_unique<StarCluster>(params, backbone_of(element, warnings),
                                       std::string(element.text_or("router_id", "")), parent,
                                       element.where(), model);
}

std::unique_ptr<Zone> read_torus(const Element& element, const ClusterParams& params,
                                 const Zone* parent, Model& model) {
  auto dimensions = counts_of(element, kTopology, element.text(kTopology));
  std::uint64_t hosts = 1;
  for (const std::uint32_t size : dimensions) hosts = saturated_product(hosts, size);
  check_host_count(element, hosts, params.radicals.size());
  return std::make_unique<TorusCluster>(params, std::move(dimensions), parent, element.where(),
                                        model);
}

std::unique_ptr<Zone> read_fat_tree(const Element& element, const ClusterParams& params,
                                    const Zone* parent, Model& model) {
  auto levels = fat_tree_levels(element);
  check_host_count(element, FatTreeCluster::host_count(levels), params.radicals.size());
  return std::make_unique<FatTreeCluster>(params, std::move(levels), parent, element.where(),
                                          model);
}

std::unique_ptr<Zone> read_dragonfly(const Element& element, const ClusterParams& params,
                                     const Zone* parent, Model& model) {
  const DragonflyShape shape = dragonfly_shape(element);
  check_host_count(element, DragonflyCluster::host_count(shape), params.radicals.size());
  return std::make_unique<DragonflyCluster>(params, shape, parent, element.where(), model);
}

/// Attributes that only a FLAT cluster has a use for.
void refuse_star_attributes(const Element& element) {
  for (const std::string_view name : {"bb_bw", "bb_lat", "router_id"}) {
    if (given(element, name)) element.fail_at(name, "accepted with topology FLAT only");
  }
}

}  // namespace

Sharing sharing_of(const Element& element, std::string_view attribute,
                   const std::vector<std::string>& accepted) {
  const std::string name = choice_of(element, attribute, accepted);
  if (name == "SHARED") return Sharing::shared;
  return name == "FATPIPE" ? Sharing::fatpipe : Sharing::split_duplex;
}

std::unique_ptr<Zone> read_cluster(const Element& element, const Zone* parent, Model& model,
                                   Warnings& warnings) {
  element.accept_attributes({"id", "prefix", "suffix", "radical", "speed", "core", "bw", "lat",
                             "sharing_policy", "topology", kTopology, "bb_bw", "bb_lat",
                             "bb_sharing_policy", "router_id", "limiter_link", "loopback_bw",
                             "loopback_lat"});
  const std::string topology =
      choice_of(element, "topology", {"FLAT", "TORUS", "FAT_TREE", "DRAGONFLY"});
  const ClusterParams params = params_of(element, model, warnings);
  if (topology == "FLAT") return read_star(element, params, parent, model, warnings);
  refuse_star_attributes(element);
  if (topology == "TORUS") return read_torus(element, params, parent, model);
  if (topology == "FAT_TREE") return read_fat_tree(element, params, parent, model);
  return read_dragonfly(element, params, parent, model);
}

}  // namespace heddle::platform::simgrid
