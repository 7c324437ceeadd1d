// Reads the elements of a platform file into the model.
#pragma once

#include <string_view>
#include <vector>

#include "platform/simgrid/model.hpp"
#include "platform/simgrid/reading/part_reader.hpp"
#include "platform/simgrid/reading/profile_reader.hpp"
#include "platform/simgrid/reading/route_reader.hpp"
#include "platform/simgrid/reading/values.hpp"
#include "platform/simgrid/reading/xml_element.hpp"
#include "platform/simgrid/routed_zone.hpp"

namespace heddle::platform::simgrid {

/// Reads one platform. Elements may refer only to what stands before them, as in SimGrid.
class PlatformReader {
 public:
  PlatformReader(Model& model, Warnings& warnings)
      : model_(model),
        warnings_(warnings),
        profiles_(model, warnings),
        routes_(model),
        parts_(model, warnings, profiles_, routes_) {}
  PlatformReader(const PlatformReader&) = delete;
  PlatformReader& operator=(const PlatformReader&) = delete;

  /// Throws InputError for anything that is wrong or not supported.
  void read(const Element& platform);

 private:
  struct TagInZone {
    std::string_view tag;
    void (*read)(PlatformReader& reader, const Element& element, RoutedZone& zone);
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
  void add_cluster(const Element& element, RoutedZone* parent);

  Model& model_;
  Warnings& warnings_;
  ProfileReader profiles_;
  RouteReader routes_;
  PartReader parts_;
};

}  // namespace heddle::platform::simgrid
