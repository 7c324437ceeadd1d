#include "platform/simgrid/reading/route_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/units.hpp"

namespace heddle::platform::simgrid {

LinkId RouteReader::link(const Element& element, std::string_view attribute) const {
  const std::string_view id = element.text(attribute);
  if (const auto link = model_.find_link(id)) return *link;
  element.fail_at(attribute, "no link of that name is declared before this" +
                                 did_you_mean(id, model_.cable_names()));
}

const Point& RouteReader::end_of(const Element& element, std::string_view attribute, PointKind kind,
                                 const Zone& zone) const {
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

const Point& RouteReader::gateway(const Element& element, std::string_view attribute,
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

LinkId RouteReader::link_of(const Element& link_ctn) const {
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

Links RouteReader::links_of(const Element& route) const {
  Links links;
  for (const Element& child : route.children()) {
    if (child.tag() != "link_ctn") child.fail_inside(route, {"link_ctn"});
    child.accept_attributes({"id", "direction"});
    links.push_back(link_of(child));
  }
  if (links.empty()) route.fail("an empty route: at least one <link_ctn> is needed");
  return links;
}

LocalRoute RouteReader::back(const Element& element, const LocalRoute& route) const {
  LocalRoute result{route.links, route.target_gateway, route.source_gateway};
  const std::vector<Element> children = element.children();
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (children[i].text_or("direction", "NONE") == "NONE") continue;
    result.links[i] = opposite(result.links[i], model_.sharing(result.links[i]));
  }
  std::reverse(result.links.begin(), result.links.end());
  return result;
}

void RouteReader::add_route(const Element& element, RoutedZone& zone, const Point& from,
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

void RouteReader::read(const Element& element, RoutedZone& zone) const {
  element.accept_attributes({"src", "dst", "symmetrical"});
  const Point& from = end_of(element, "src", PointKind::host, zone);
  const Point& to = end_of(element, "dst", PointKind::host, zone);
  add_route(element, zone, from, to, {links_of(element), nullptr, nullptr});
}

void RouteReader::read_between_zones(const Element& element, RoutedZone& zone) const {
  element.accept_attributes({"src", "dst", "gw_src", "gw_dst", "symmetrical"});
  const Point& from = end_of(element, "src", PointKind::zone, zone);
  const Point& to = end_of(element, "dst", PointKind::zone, zone);
  if (&from == &to) element.fail_at("dst", "a zoneRoute leads to another zone");
  const Point& source = gateway(element, "gw_src", "src");
  const Point& target = gateway(element, "gw_dst", "dst");
  add_route(element, zone, from, to, {links_of(element), &source, &target});
}

void RouteReader::read_bypass(const Element& element, RoutedZone& zone) const {
  element.accept_attributes({"src", "dst"});
  const Point& from = end_of(element, "src", PointKind::host, zone);
  const Point& to = end_of(element, "dst", PointKind::host, zone);
  add_bypass(element, zone, from, to, {links_of(element), nullptr, nullptr});
}

void RouteReader::read_bypass_between_zones(const Element& element, RoutedZone& zone) const {
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

void RouteReader::add_bypass(const Element& element, RoutedZone& zone, const Point& from,
                             const Point& to, LocalRoute route) const {
  if (zone.add_bypass(from, to, std::move(route))) return;
  element.fail("a second bypass from '" + from.name + "' to '" + to.name + "'");
}

}  // namespace heddle::platform::simgrid
