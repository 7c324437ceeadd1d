#include "platform/simgrid/reading/platform_reader.hpp"

#include <algorithm>
#include <utility>

#include "platform/simgrid/config_settings.hpp"
#include "platform/simgrid/props.hpp"
#include "platform/simgrid/reading/cluster_reader.hpp"

namespace heddle::platform::simgrid {
namespace {

/// Deeper nesting is taken for a mistake; following a route recurs as deep.
constexpr std::uint32_t kMostDepth = 100;

bool is_zone_tag(std::string_view tag) {
  return tag == "zone" || tag == "AS";
}

}  // namespace

void PlatformReader::read(const Element& platform) {
  if (platform.tag() != "platform") {
    platform.fail("<" + std::string(platform.tag()) +
                  "> is not a SimGrid platform: the outermost element must be <platform>");
  }
  platform.accept_attributes({"version"});
  const std::string_view version = platform.text("version");
  if (version != "4" && version != "4.0" && version != "4.1") {
    platform.fail_at("version", "accepted are 4 and 4.1");
  }
  bool have_zone = false;
  for (const Element& child : platform.children()) {
    if (child.tag() == "config") {
      read_config(child);
    } else if (is_zone_tag(child.tag()) || child.tag() == "cluster") {
      if (std::exchange(have_zone, true)) child.fail("a second outermost zone: there is one only");
      read_top_zone(child);
    } else if (child.tag() == "trace") {
      profiles_.read_trace(child);
    } else if (child.tag() == "trace_connect") {
      profiles_.read_connection(child);
    } else {
      child.fail_inside(platform, {"config", "zone", "AS", "cluster", "trace", "trace_connect"});
    }
  }
  if (model_.hosts().empty()) platform.fail("the platform has no hosts");
  profiles_.finish();
}

void PlatformReader::read_config(const Element& element) {
  element.accept_attributes({"id"});
  check_props(element);
  for (const Element& prop : element.children()) read_setting(prop);
}

void PlatformReader::read_setting(const Element& prop) {
  const std::string_view id = prop.text("id");
  if (id == "network/loopback-bw") {
    model_.loopback.bandwidth = bandwidth_of(prop, "value", warnings_);
  } else if (id == "network/loopback-lat") {
    model_.loopback.latency = latency_of(prop, "value", warnings_);
  } else if (translated_setting(id, prop.text("value"))) {
    return;  // Whoever read the file for parameters has it.
  } else if (id.starts_with("network/") || id.starts_with("smpi/")) {
    warnings_.push_back(prop.where("id").str() + ": the setting '" + std::string(id) + "' = '" +
                        std::string(prop.text("value")) +
                        "' is not applied: choose the network's parameters yourself");
  }
}

void PlatformReader::read_top_zone(const Element& element) {
  if (is_zone_tag(element.tag())) return read_zone(element, nullptr);
  add_cluster(element, nullptr);
}

void PlatformReader::place(Zone& zone, RoutedZone* parent, const Element& element) {
  const std::uint32_t position = parent == nullptr ? 0 : parent->next_position();
  zone.set_point(
      model_.add_point(zone.name(), PointKind::zone, parent, position, element.where("id")));
}

void PlatformReader::read_zone(const Element& element, RoutedZone* parent) {
  element.accept_attributes({"id", "routing"});
  element.text("routing");
  const std::string routing =
      choice_of(element, "routing",
                {"Full", "Floyd", "Dijkstra", "DijkstraCache", "None", "Cluster", "Vivaldi"});
  auto& zone = static_cast<RoutedZone&>(model_.add_zone(
      make_routed_zone(routing, std::string(element.text("id")), parent, element.where())));
  if (zone.depth() > kMostDepth) {
    element.fail("zones nested more than " + std::to_string(kMostDepth) + " deep");
  }
  place(zone, parent, element);
  read_zone_content(element, zone);
  zone.seal();
}

const std::vector<PlatformReader::TagInZone>& PlatformReader::tags_in_zone() {
  using P = PlatformReader;
  using E = const Element;
  using Z = RoutedZone;
  static const auto inner = [](P& p, E& e, Z& z) { p.read_zone(e, &z); };
  static const auto zone_route = [](P& p, E& e, Z& z) { p.routes_.read_between_zones(e, z); };
  static const auto zone_bypass = [](P& p, E& e, Z& z) {
    p.routes_.read_bypass_between_zones(e, z);
  };
  static const std::vector<TagInZone> tags = {
      {"zone", inner, TagInZone::among_zones},
      {"AS", inner, TagInZone::among_zones},
      {"cluster", [](P& p, E& e, Z& z) { p.add_cluster(e, &z); }, TagInZone::among_zones},
      {"host", [](P& p, E& e, Z& z) { p.parts_.read_host(e, z); }, TagInZone::among_hosts},
      {"router", [](P& p, E& e, Z& z) { p.parts_.read_router(e, z); }, TagInZone::among_hosts},
      {"link", [](P& p, E& e, Z& z) { p.parts_.read_link(e, z); }, TagInZone::anywhere},
      {"route", [](P& p, E& e, Z& z) { p.routes_.read(e, z); }, TagInZone::among_hosts},
      {"zoneRoute", zone_route, TagInZone::among_zones},
      {"ASroute", zone_route, TagInZone::among_zones},
      {"bypassRoute", [](P& p, E& e, Z& z) { p.routes_.read_bypass(e, z); },
       TagInZone::among_hosts},
      {"bypassZoneRoute", zone_bypass, TagInZone::among_zones},
      {"bypassASroute", zone_bypass, TagInZone::among_zones},
      {"prop", [](P&, E& e, Z&) { check_prop(e); }, TagInZone::anywhere},
      {"trace", [](P& p, E& e, Z&) { p.profiles_.read_trace(e); }, TagInZone::anywhere},
      {"trace_connect", [](P& p, E& e, Z&) { p.profiles_.read_connection(e); },
       TagInZone::anywhere},
      {"host_link", [](P& p, E& e, Z& z) { p.parts_.read_host_link(e, z); }, TagInZone::in_cluster},
      {"backbone", [](P& p, E& e, Z& z) { p.parts_.read_backbone(e, z); }, TagInZone::in_cluster},
      {"cabinet", [](P& p, E& e, Z& z) { p.parts_.read_cabinet(e, z); }, TagInZone::in_cluster},
      {"peer", [](P& p, E& e, Z& z) { p.parts_.read_peer(e, z); }, TagInZone::in_vivaldi},
  };
  return tags;
}

/// Zones of some kinds hold what others do not.
void PlatformReader::check_place(const Element& element, TagInZone::Where where, RoutedZone& zone) {
  const std::string tag = "<" + std::string(element.tag()) + ">";
  if (where == TagInZone::in_cluster && zone.as_cluster() == nullptr) {
    element.fail(tag + " belongs in a zone with routing=\"Cluster\"");
  }
  if (where == TagInZone::in_vivaldi && zone.as_vivaldi() == nullptr) {
    element.fail(tag + " belongs in a zone with routing=\"Vivaldi\"");
  }
  const bool special = where == TagInZone::among_hosts || where == TagInZone::among_zones;
  if (special && zone.as_vivaldi() != nullptr) {
    element.fail(tag + " does not belong in zone '" + zone.name() +
                 "', whose routing is Vivaldi: accepted is <peer>");
  }
}

void PlatformReader::read_zone_content(const Element& element, RoutedZone& zone) {
  auto kind = TagInZone::anywhere;
  for (const Element& child : element.children()) {
    const auto& tags = tags_in_zone();
    const auto tag = std::find_if(tags.begin(), tags.end(),
                                  [&](const TagInZone& t) { return t.tag == child.tag(); });
    if (tag == tags.end()) {
      std::vector<std::string_view> names;
      for (const TagInZone& t : tags) names.push_back(t.tag);
      child.fail_inside(element, names);
    }
    check_place(child, tag->where, zone);
    if (tag->where == TagInZone::among_zones || tag->where == TagInZone::among_hosts) {
      if (kind != TagInZone::anywhere && kind != tag->where) {
        child.fail("<" + std::string(child.tag()) + "> does not belong in zone '" + zone.name() +
                   "': a zone holds either hosts, routers and routes, or zones, clusters and "
                   "zoneRoutes");
      }
      kind = tag->where;
    }
    tag->read(*this, child, zone);
  }
}

void PlatformReader::add_cluster(const Element& element, RoutedZone* parent) {
  check_props(element);
  place(model_.add_zone(read_cluster(element, parent, model_, warnings_)), parent, element);
}

}  // namespace heddle::platform::simgrid
