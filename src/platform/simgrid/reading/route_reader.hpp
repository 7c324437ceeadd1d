// Reads the routes of a platform file, and what they name.
#pragma once

#include <string_view>

#include "platform/simgrid/model.hpp"
#include "platform/simgrid/reading/values.hpp"
#include "platform/simgrid/reading/xml_element.hpp"
#include "platform/simgrid/routed_zone.hpp"

namespace heddle::platform::simgrid {

/// All throw InputError for anything that is wrong, such as a name of what does not stand before
/// the route.
class RouteReader {
 public:
  /// The model must outlive the reader.
  explicit RouteReader(const Model& model) : model_(model) {}

  void read(const Element& element, RoutedZone& zone) const;
  void read_between_zones(const Element& element, RoutedZone& zone) const;
  void read_bypass(const Element& element, RoutedZone& zone) const;
  void read_bypass_between_zones(const Element& element, RoutedZone& zone) const;

  /// The host of the zone that an attribute names.
  const Point& host(const Element& element, std::string_view attribute, const Zone& zone) const {
    return end_of(element, attribute, PointKind::host, zone);
  }
  /// The link that it names, wherever that is.
  LinkId link(const Element& element, std::string_view attribute) const;

 private:
  const Point& end_of(const Element& element, std::string_view attribute, PointKind kind,
                      const Zone& zone) const;
  const Point& gateway(const Element& element, std::string_view attribute,
                       std::string_view zone_attribute) const;
  LinkId link_of(const Element& link_ctn) const;
  Links links_of(const Element& route) const;
  void add_route(const Element& element, RoutedZone& zone, const Point& from, const Point& to,
                 const LocalRoute& route) const;
  void add_bypass(const Element& element, RoutedZone& zone, const Point& from, const Point& to,
                  LocalRoute route) const;
  /// The same way back. A half of a SPLITDUPLEX link that was named itself ("l_UP") stays.
  LocalRoute back(const Element& element, const LocalRoute& route) const;

  const Model& model_;
};

}  // namespace heddle::platform::simgrid
