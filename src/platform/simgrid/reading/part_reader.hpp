// Reads what stands in a zone of a platform file: hosts, routers, links, and what makes several.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "platform/simgrid/model.hpp"
#include "platform/simgrid/reading/profile_reader.hpp"
#include "platform/simgrid/reading/route_reader.hpp"
#include "platform/simgrid/reading/values.hpp"
#include "platform/simgrid/reading/xml_element.hpp"
#include "platform/simgrid/routed_zone.hpp"

namespace heddle::platform::simgrid {

/// All throw InputError for anything that is wrong or not supported.
class PartReader {
 public:
  /// All must outlive the reader.
  PartReader(Model& model, Warnings& warnings, ProfileReader& profiles, const RouteReader& routes)
      : model_(model), warnings_(warnings), profiles_(profiles), routes_(routes) {}

  void read_host(const Element& element, RoutedZone& zone);
  void read_router(const Element& element, RoutedZone& zone);
  void read_link(const Element& element, RoutedZone& zone);
  void read_host_link(const Element& element, RoutedZone& zone);
  void read_backbone(const Element& element, RoutedZone& zone);
  void read_cabinet(const Element& element, RoutedZone& zone);
  void read_peer(const Element& element, RoutedZone& zone);

 private:
  void check_host_content(const Element& element);
  void ignore_profiles(const Element& element, std::initializer_list<std::string_view> attributes);
  void ignore(const SourceLocation& where, const std::string& what);
  Time latency_of_link(const Element& element);

  Model& model_;
  Warnings& warnings_;
  ProfileReader& profiles_;
  const RouteReader& routes_;
  Time long_latencies_;  ///< Those of more than 1000 s, together.
};

}  // namespace heddle::platform::simgrid
