#include "platform/simgrid/reading/part_reader.hpp"

#include <string>
#include <vector>

#include "platform/simgrid/props.hpp"
#include "platform/simgrid/reading/cluster_reader.hpp"

namespace heddle::platform::simgrid {

void PartReader::ignore(const SourceLocation& where, const std::string& what) {
  warnings_.push_back(where.str() + ": " + what + " is not applied");
}

void PartReader::ignore_profiles(const Element& element,
                                 std::initializer_list<std::string_view> attributes) {
  for (const std::string_view attribute : attributes) {
    if (!element.text_or(attribute, "").empty()) {
      ignore(element.where(attribute),
             "the profile '" + std::string(element.text(attribute)) + "'");
    }
  }
}

/// Properties, and disks, which no message passes.
void PartReader::check_host_content(const Element& element) {
  for (const Element& child : element.children()) {
    if (child.tag() == "disk" || child.tag() == "mount") {
      ignore(child.where(), "<" + std::string(child.tag()) + ">");
    } else if (child.tag() == "prop") {
      check_prop(child);
    } else {
      child.fail_inside(element, {"prop", "disk"});
    }
  }
}

void PartReader::read_host(const Element& element, RoutedZone& zone) {
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

void PartReader::read_router(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id"});
  check_props(element);
  model_.add_router(model_.add_point(std::string(element.text("id")), PointKind::router, &zone,
                                     zone.next_position(), element.where("id")));
}

void PartReader::read_link(const Element& element, RoutedZone& zone) {
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
Time PartReader::latency_of_link(const Element& element) {
  constexpr Time kMost = Time::s(500'000);
  const Time latency = latency_of(element, "latency", warnings_, kMost);
  if (latency > Time::s(1000)) long_latencies_ += latency;
  if (long_latencies_ > kMost) {
    element.fail_at("latency", "latencies of more than 1000 s are 500000 s together at most");
  }
  return latency;
}

void PartReader::read_host_link(const Element& element, RoutedZone& zone) {
  element.accept_attributes({"id", "up", "down"});
  const Point& host = routes_.host(element, "id", zone);
  if (!zone.as_cluster()->join(host, routes_.link(element, "up"), routes_.link(element, "down"))) {
    element.fail_at("id", "has a host_link already");
  }
}

void PartReader::read_backbone(const Element& element, RoutedZone& zone) {
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
void PartReader::read_cabinet(const Element& element, RoutedZone& zone) {
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
void PartReader::read_peer(const Element& element, RoutedZone& zone) {
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

}  // namespace heddle::platform::simgrid
