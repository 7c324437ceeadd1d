// Reads the elements of a platform file into the model.
#pragma once

#include <initializer_list>

#include <string>
#include <vector>

#include "platform/simgrid/model.hpp"
#include "platform/simgrid/profile_reader.hpp"
#include "platform/simgrid/routed_zone.hpp"
#include "platform/simgrid/values.hpp"
#include "platform/simgrid/xml_element.hpp"

namespace heddle::platform::simgrid {

/// Reads one platform. Elements may refer only to what stands before them, as in SimGrid.
class PlatformReader {
 public:
  PlatformReader(Model& model, Warnings& warnings)
      : model_(model), warnings_(warnings), profiles_(model, warnings) {}

  /// Throws InputError for anything that is wrong or not supported.
  void read(const Element& platform);

 private:
  using ReadInZone = void (PlatformReader::*)(const Element&, RoutedZone&);
  struct TagInZone {
    std::string_view tag;
    ReadInZone read;
    enum Where { anywhere, among_zones, among_hosts, in_cluster, in_vivaldi } where;
  };
  static const std::vector<TagInZone>& tags_in_zone();

  void read_config(const Element& element);
  void read_setting(const Element& prop);
  void read_top_zone(const Element& element);
  void read_zone(const Element& element, RoutedZone* parent);
  void read_zone_content(const Element& element, RoutedZone& zone);
  static void check_place(const Element& element, TagInZone::Where where, RoutedZone& zone);
  void place(Zone& zone, RoutedZone* parent, const Element& element);

  void read_inner_zone(const Element& element, RoutedZone& zone) { read_zone(element, &zone); }
  void read_cluster_zone(const Element& element, RoutedZone& zone);
  void read_host(const Element& element, RoutedZone& zone);
  void read_router(const Element& element, RoutedZone& zone);
  void read_link(const Element& element, RoutedZone& zone);
  void read_route(const Element& element, RoutedZone& zone);
  void read_zone_route(const Element& element, RoutedZone& zone);
  void read_bypass(const Element& element, RoutedZone& zone);
  void read_zone_bypass(const Element& element, RoutedZone& zone);
  void read_prop(const Element& element, RoutedZone& zone);
  void read_trace(const Element& element, RoutedZone&) { profiles_.read_trace(element); }
  void read_connection(const Element& element, RoutedZone&) { profiles_.read_connection(element); }
  void read_host_link(const Element& element, RoutedZone& zone);
  void read_backbone(const Element& element, RoutedZone& zone);
  void read_cabinet(const Element& element, RoutedZone& zone);
  void read_peer(const Element& element, RoutedZone& zone);

  void add_cluster(const Element& element, RoutedZone* parent);
  void check_props(const Element& element);
  void check_host_content(const Element& element);
  void ignore_profiles(const Element& element, std::initializer_list<std::string_view> attributes);
  void ignore(const SourceLocation& where, const std::string& what);
  Time latency_of_link(const Element& element);
  LinkId link_called(const Element& element, std::string_view attribute) const;
  const Point& end_of_route(const Element& element, std::string_view attribute, PointKind kind,
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

  Model& model_;
  Warnings& warnings_;
  ProfileReader profiles_;
  Time long_latencies_;  ///< Those of more than 1000 s, together.
};

}  // namespace heddle::platform::simgrid
