#include "platform/simgrid/platform_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/units.hpp"
#include "platform/simgrid/cluster_reader.hpp"
#include "platform/simgrid/config_settings.hpp"

namespace heddle::platform::simgrid {
namespace {

/// Deeper nesting is taken for a mistake; following a route recurs as deep.
constexpr std::uint32_t kMostDepth = 100;

template <class Tags>
[[noreturn]] void fail_unknown_tag(const Element& element, std::string_view parent,
                                   const Tags& accepted) {
  std::vector<std::string> names(accepted.begin(), accepted.end());
  element.fail("<" + std::string(element.tag()) + "> is not supported inside <" +
               std::string(parent) + ">" + did_you_mean(element.tag(), names) + ": accepted are " +
               joined(names));
}

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
      fail_unknown_tag(child, platform.tag(),
                       std::vector{"config", "zone", "AS", "cluster", "trace", "trace_connect"});
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

void PlatformReader::check_props(const Element& element) {
  for (const Element& prop : element.children()) {
    if (prop.tag() != "prop") fail_unknown_tag(prop, element.tag(), std::vector{"prop"});
    prop.accept_attributes({"id", "value"});
    prop.text("id");
    prop.text("value");
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
  static const std::vector<TagInZone> tags = {
      {"zone", &PlatformReader::read_inner_zone, TagInZone::among_zones},
      {"AS", &PlatformReader::read_inner_zone, TagInZone::among_zones},
      {"cluster", &PlatformReader::read_cluster_zone, TagInZone::among_zones},
      {"host", &PlatformReader::read_host, TagInZone::among_hosts},
      {"router", &PlatformReader::read_router, TagInZone::among_hosts},
      {"link", &PlatformReader::read_link, TagInZone::anywhere},
      {"route", &PlatformReader::read_route, TagInZone::among_hosts},
      {"zoneRoute", &PlatformReader::read_zone_route, TagInZone::among_zones},
      {"ASroute", &PlatformReader::read_zone_route, TagInZone::among_zones},
      {"bypassRoute", &PlatformReader::read_bypass, TagInZone::among_hosts},
      {"bypassZoneRoute", &PlatformReader::read_zone_bypass, TagInZone::among_zones},
      {"bypassASroute", &PlatformReader::read_zone_bypass, TagInZone::among_zones},
      {"prop", &PlatformReader::read_prop, TagInZone::anywhere},
      {"trace", &PlatformReader::read_trace, TagInZone::anywhere},
      {"trace_connect", &PlatformReader::read_connection, TagInZone::anywhere},
      {"host_link", &PlatformReader::read_host_link, TagInZone::in_cluster},
      {"backbone", &PlatformReader::read_backbone, TagInZone::in_cluster},
      {"cabinet", &PlatformReader::read_cabinet, TagInZone::in_cluster},
      {"peer", &PlatformReader::read_peer, TagInZone::in_vivaldi},
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
      std::vector<std::string> names;
      for (const TagInZone& t : tags) names.emplace_back(t.tag);
      fail_unknown_tag(child, element.tag(), names);
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
    (this->*tag->read)(child, zone);
  }
}

void PlatformReader::read_prop(const Element& element, RoutedZone&) {
  element.accept_attributes({"id", "value"});
  element.text("id");
  element.text("value");
}

void PlatformReader::ignore(const SourceLocation& where, const std::string& what) {
  warnings_.push_back(where.str() + ": " + what + " is not applied");
}

void PlatformReader::ignore_profiles(const Element& element,
                                     std::initializer_list<std::string_view> attributes) {
  for (const std::string_view attribute : attributes) {
    if (!element.text_or(attribute, "").empty()) {
      ignore(element.where(attribute),
             "the profile '" + std::string(element.text(attribute)) + "'");
    }
  }
}

/// Properties, and disks, which no message passes.
void PlatformReader::check_host_content(const Element& element) {
  for (const Element& child : element.children()) {
    if (child.tag() == "disk" || child.tag() == "mount") {
      ignore(child.where(), "<" + std::string(child.tag()) + ">");
    } else if (child.tag() == "prop") {
      child.accept_attributes({"id", "value"});
      child.text("id");
      child.text("value");
    } else {
      fail_unknown_tag(child, element.tag(), std::vector{"prop", "disk"});
    }
  }
}

void PlatformReader::read_cluster_zone(const Element& element, RoutedZone& zone) {
  add_cluster(element, &zone);
}

void PlatformReader::add_cluster(const Element& element, RoutedZone* parent) {
  check_props(element);
  place(model_.add_zone(read_cluster(element, parent, model_, warnings_)), parent, element);
}

void PlatformReader::read_host(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "speed", "core", "pstate", "coordinates", "availability_file",
                             "state_file", "speed_file"});
  ignore_profiles(element, {"availability_file", "state_file", "speed_file"});
  check_host_content(element);
  const SourceLocation where = element.where("id");
  const Point& point = model_.add_point(std::string(element.text("id")), PointKind::host, &zone,
                                        zone.next_position(), where);
  const std::vector<Speed> speeds = speeds_of(element, "speed", warnings_);
  const std::uint32_t state = count_of(element, "pstate", element.text_or("pstate", "0"), 0);
  if (state >= speeds.size()) {
    element.fail_at("pstate", "there are speeds for the states 0 to " +
                                  std::to_string(speeds.size() - 1) + " only");
  }
  if (speeds[state].flops() == 0) {
    element.fail_at("speed", "a speed must be more than zero, in the state that the host is in");
  }
  model_.add_host(point, speeds[state], count_of(element, "core", element.text_or("core", "1"), 1),
                  element.where());
}

void PlatformReader::read_router(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id"});
  check_props(element);
  model_.add_router(model_.add_point(std::string(element.text("id")), PointKind::router, &zone,
                                     zone.next_position(), element.where("id")));
}

void PlatformReader::read_link(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "bandwidth", "latency", "sharing_policy", "bandwidth_file",
                             "latency_file", "state_file"});
  ignore_profiles(element, {"state_file"});
  check_props(element);
  const std::string id(element.text("id"));
  const Bandwidth bandwidth = bandwidth_of(element, "bandwidth", warnings_);
  const Time latency = element.has("latency") ? latency_of_link(element) : Time::zero();
  const Sharing sharing =
      sharing_of(element, "sharing_policy", {"SHARED", "SPLITDUPLEX", "FATPIPE", "FULLDUPLEX"});
  const std::uint32_t cable =
      model_.add_cable({id, bandwidth, latency, sharing, &zone}, element.where("id"));
  profiles_.read_file(element, "bandwidth_file", LinkQuantity::bandwidth, cable);
  profiles_.read_file(element, "latency_file", LinkQuantity::latency, cable);
}

/// Those of more than 1000 s may be few.
Time PlatformReader::latency_of_link(const Element& element) {
  constexpr Time kMost = Time::s(500'000);
  const Time latency = latency_of(element, "latency", warnings_, kMost);
  if (latency > Time::s(1000)) long_latencies_ += latency;
  if (long_latencies_ > kMost) {
    element.fail_at("latency", "latencies of more than 1000 s are 500000 s together at most");
  }
  return latency;
}

LinkId PlatformReader::link_called(const Element& element, std::string_view attribute) const {
  const std::string_view id = element.text(attribute);
  if (const auto link = model_.find_link(id)) return *link;
  element.fail_at(attribute, "no link of that name is declared before this" +
                                 did_you_mean(id, model_.cable_names()));
}

void PlatformReader::read_host_link(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "up", "down"});
  const Point& host = end_of_route(element, "id", PointKind::host, zone);
  if (!zone.as_cluster()->join(host, link_called(element, "up"), link_called(element, "down"))) {
    element.fail_at("id", "has a host_link already");
  }
}

void PlatformReader::read_backbone(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "bandwidth", "latency", "sharing_policy"});
  const Bandwidth bandwidth = bandwidth_of(element, "bandwidth", warnings_);
  const Time latency = latency_of(element, "latency", warnings_);
  const Sharing sharing = sharing_of(element, "sharing_policy", {"SHARED", "FATPIPE"});
  const std::uint32_t cable = model_.add_cable(
      {std::string(element.text("id")), bandwidth, latency, sharing, &zone}, element.where("id"));
  if (!zone.as_cluster()->set_backbone(up(cable))) {
    element.fail("a second backbone: a zone has one at most");
  }
}

/// Hosts with a split-duplex link each, all alike.
void PlatformReader::read_cabinet(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "prefix", "suffix", "radical", "speed", "bw", "lat"});
  const Speed speed = speed_of(element, warnings_);
  const Bandwidth bandwidth = bandwidth_of(element, "bw", warnings_);
  const Time latency = latency_of(element, "lat", warnings_);
  const SourceLocation where = element.where("id");
  for (const std::uint32_t radical : radicals_of(element, model_.limits().hosts)) {
    const std::string name = std::string(element.text("prefix")) + std::to_string(radical) +
                             std::string(element.text("suffix"));
    const Point& host = model_.add_point(name, PointKind::host, &zone, zone.next_position(), where);
    model_.add_host(host, speed, 1, element.where());
    const std::uint32_t cable =
        model_.add_cable({"link_" + name, bandwidth, latency, Sharing::split_duplex, &zone}, where);
    zone.as_cluster()->join(host, up(cable), down(cable, Sharing::split_duplex));
  }
}

/// A host with a link of its own in either direction, and a place.
void PlatformReader::read_peer(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "speed", "bw_in", "bw_out", "coordinates", "availability_file",
                             "speed_file", "state_file"});
  ignore_profiles(element, {"availability_file", "speed_file", "state_file"});
  check_host_content(element);
  const SourceLocation where = element.where("id");
  const std::string name(element.text("id"));
  const Speed speed = speed_of(element, warnings_);
  const Bandwidth out = bandwidth_of(element, "bw_out", warnings_);
  const Bandwidth in = bandwidth_of(element, "bw_in", warnings_);
  const std::vector<double> place = numbers_of(element, "coordinates", 3);
  model_.add_host(model_.add_point(name, PointKind::host, &zone, zone.next_position(), where),
                  speed, 1, element.where());
  const auto add = [&](const char* direction, Bandwidth bandwidth) {
    return up(model_.add_cable(
        {"link_" + name + direction, bandwidth, Time::zero(), Sharing::shared, &zone}, where));
  };
  const LinkId upward = add("_UP", out);
  const LinkId downward = add("_DOWN", in);
  zone.as_vivaldi()->join({upward, downward, {place[0], place[1], place[2]}});
  model_.has_distances = true;
}

const Point& PlatformReader::end_of_route(const Element& element, std::string_view attribute,
                                          PointKind kind, const Zone& zone) const {
  const Point* point = model_.find_point(element.text(attribute));
  const bool zone_wanted = kind == PointKind::zone;
  if (point == nullptr || point->zone != &zone || (point->kind == PointKind::zone) != zone_wanted) {
    std::vector<std::string> names;
    for (const Point& candidate : model_.points()) {
      if (candidate.zone == &zone) names.push_back(candidate.name);
    }
    element.fail_at(attribute, std::string("no ") + (zone_wanted ? "zone" : "host or router") +
                                   " of that name stands in zone '" + zone.name() +
                                   "' before this" + did_you_mean(element.text(attribute), names));
  }
  return *point;
}

const Point& PlatformReader::gateway(const Element& element, std::string_view attribute,
                                     std::string_view zone_attribute) const {
  const Point* gateway = model_.find_point(element.text(attribute));
  const Point* of = model_.find_point(element.text(zone_attribute));
  if (gateway == nullptr || gateway->kind == PointKind::zone) {
    element.fail_at(attribute, "no host or router of that name is declared before this");
  }
  const Zone* zone = gateway->zone;
  while (zone != nullptr && &zone->point() != of) zone = zone->parent();
  if (zone == nullptr) element.fail_at(attribute, "does not lie in zone '" + of->name + "'");
  return *gateway;
}

LinkId PlatformReader::link_of(const Element& link_ctn) const {
  const std::string_view id = link_ctn.text("id");
  const std::string direction = choice_of(link_ctn, "direction", {"NONE", "UP", "DOWN"});
  const auto split_duplex = model_.find_split(id);
  if (direction == "NONE") {
    if (const auto link = model_.find_link(id)) return *link;
    if (split_duplex) link_ctn.fail_at("id", "is SPLITDUPLEX: needs direction=\"UP\" or \"DOWN\"");
  } else {
    if (split_duplex) {
      return direction == "UP" ? up(*split_duplex) : down(*split_duplex, Sharing::split_duplex);
    }
    if (model_.find_link(id)) {
      link_ctn.fail_at("direction", "link '" + std::string(id) + "' is not SPLITDUPLEX");
    }
  }
  link_ctn.fail_at("id", "no link of that name is declared before this" +
                             did_you_mean(id, model_.cable_names()));
}

Links PlatformReader::links_of(const Element& route) const {
  Links links;
  for (const Element& child : route.children()) {
    if (child.tag() != "link_ctn") fail_unknown_tag(child, route.tag(), std::vector{"link_ctn"});
    child.accept_attributes({"id", "direction"});
    links.push_back(link_of(child));
  }
  if (links.empty()) route.fail("an empty route: at least one <link_ctn> is needed");
  return links;
}

LocalRoute PlatformReader::back(const Element& element, const LocalRoute& route) const {
  LocalRoute result{route.links, route.target_gateway, route.source_gateway};
  const std::vector<Element> children = element.children();
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i].text_or("direction", "NONE") == "NONE") continue;
    result.links[i] = opposite(result.links[i], model_.sharing(result.links[i]));
  }
  std::reverse(result.links.begin(), result.links.end());
  return result;
}

void PlatformReader::add_route(const Element& element, RoutedZone& zone, const Point& from,
                               const Point& to, const LocalRoute& route) const {
  const std::string symmetrical = choice_of(element, "symmetrical", {"YES", "NO", "yes", "no"});
  bool added = zone.add_route(from, to, route);
  if (added && &from != &to && (symmetrical == "YES" || symmetrical == "yes")) {
    added = zone.add_route(to, from, back(element, route));
  }
  if (!added) {
    element.fail("a second route between '" + from.name + "' and '" + to.name +
                 "' (routes go both ways unless symmetrical=\"NO\")");
  }
}

void PlatformReader::read_route(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"src", "dst", "symmetrical"});
  const Point& from = end_of_route(element, "src", PointKind::host, zone);
  const Point& to = end_of_route(element, "dst", PointKind::host, zone);
  add_route(element, zone, from, to, {links_of(element), nullptr, nullptr});
}

void PlatformReader::read_zone_route(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"src", "dst", "gw_src", "gw_dst", "symmetrical"});
  const Point& from = end_of_route(element, "src", PointKind::zone, zone);
  const Point& to = end_of_route(element, "dst", PointKind::zone, zone);
  if (&from == &to) element.fail_at("dst", "a zoneRoute leads to another zone");
  const Point& source = gateway(element, "gw_src", "src");
  const Point& target = gateway(element, "gw_dst", "dst");
  add_route(element, zone, from, to, {links_of(element), &source, &target});
}

void PlatformReader::read_bypass(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"src", "dst"});
  const Point& from = end_of_route(element, "src", PointKind::host, zone);
  const Point& to = end_of_route(element, "dst", PointKind::host, zone);
  add_bypass(element, zone, from, to, {links_of(element), nullptr, nullptr});
}

void PlatformReader::read_zone_bypass(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"src", "dst", "gw_src", "gw_dst"});
  const auto zone_called = [&](std::string_view attribute) -> const Point& {
    const Point* point = model_.find_point(element.text(attribute));
    if (point == nullptr || point->kind != PointKind::zone || !zone.contains(*point)) {
      element.fail_at(attribute, "no zone of that name lies in zone '" + zone.name() +
                                     "' and is declared before this");
    }
    return *point;
  };
  const Point& from = zone_called("src");
  const Point& to = zone_called("dst");
  const Point& source = gateway(element, "gw_src", "src");
  const Point& target = gateway(element, "gw_dst", "dst");
  add_bypass(element, zone, from, to, {links_of(element), &source, &target});
}

void PlatformReader::add_bypass(const Element& element, RoutedZone& zone, const Point& from,
                                const Point& to, LocalRoute route) const {
  if (zone.add_bypass(from, to, std::move(route))) return;
  element.fail("a second bypass from '" + from.name + "' to '" + to.name + "'");
}

}  // namespace heddle::platform::simgrid
