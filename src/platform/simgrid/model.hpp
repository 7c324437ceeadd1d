// What a SimGrid platform consists of: points (hosts, routers, zones), links and the zone tree.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/quantity.hpp"
#include "platform/link_profiles.hpp"
#include "platform/platform.hpp"

namespace heddle::platform::simgrid {

class Zone;

enum class PointKind : std::uint8_t { host, router, zone };

/// Something that a route can begin or end at.
struct Point {
  std::string name;
  PointKind kind;
  const Zone* zone;        ///< The zone it lies in; none for the root zone's own point.
  std::uint32_t position;  ///< Its number among the points of that zone.
  std::uint32_t number;    ///< Its number among the platform's hosts, or routers.
};

/// SHARED: all messages of both directions; SPLITDUPLEX: two links, "_UP" and "_DOWN"; FATPIPE:
/// each message gets the bandwidth.
enum class Sharing : std::uint8_t { shared, split_duplex, fatpipe };

/// A link of the file: one cable, whose forward link is UP and whose backward link is DOWN.
struct Cable {
  std::string name;
  Bandwidth bandwidth;
  Time latency;
  Sharing sharing;
  const Zone* zone;  ///< The zone that declares it.
};

constexpr LinkId up(std::uint32_t cable) {
  return LinkId{2 * cable};
}
/// The same link as up() unless the cable is SPLITDUPLEX.
constexpr LinkId down(std::uint32_t cable, Sharing sharing) {
  return LinkId{2 * cable + (sharing == Sharing::split_duplex ? 1U : 0U)};
}
/// The link that goes back where `link` goes.
constexpr LinkId opposite(LinkId link, Sharing sharing) {
  return sharing == Sharing::split_duplex ? reverse(link) : link;
}

using Links = std::vector<LinkId>;

/// What one host has of its own.
struct Host {
  const Point* point;
  Speed speed;
  std::int64_t cores;
};

/// How a message from a host to itself goes: each gets the bandwidth.
struct Loopback {
  Bandwidth bandwidth;
  Time latency;
};

/// The largest platform that is read; more is taken for a mistake.
struct Limits {
  std::uint64_t hosts = 1U << 20;
  std::uint64_t cables = 1U << 23;
};

/// The tables that reading fills and routing uses. Points and zones never move.
class Model {
 public:
  explicit Model(const Limits& limits);
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;

  /// Adds a point; throws InputError at `where` if its name is taken.
  const Point& add_point(std::string name, PointKind kind, const Zone* zone, std::uint32_t position,
                         const SourceLocation& where);
  void add_host(const Point& point, Speed speed, std::int64_t cores, const SourceLocation& where);
  void add_router(const Point& point) { routers_.push_back(&point); }
  /// Adds a cable and gives its number; throws InputError at `where` if its name is taken.
  std::uint32_t add_cable(Cable cable, const SourceLocation& where);
  Zone& add_zone(std::unique_ptr<Zone> zone);

  const Point* find_point(std::string_view name) const;
  /// The SHARED or FATPIPE link called `name`, or one half of a SPLITDUPLEX one ("x_UP").
  std::optional<LinkId> find_link(std::string_view name) const;
  /// The SPLITDUPLEX cable called `name`.
  std::optional<std::uint32_t> find_split(std::string_view name) const;
  /// Names that resemble a link's, for an error message.
  std::vector<std::string> cable_names() const;

  const std::deque<Point>& points() const { return points_; }
  const std::vector<Host>& hosts() const { return hosts_; }
  const std::vector<const Point*>& routers() const { return routers_; }
  const std::vector<Cable>& cables() const { return cables_; }
  Sharing sharing(LinkId link) const { return cables_[index(link) / 2].sharing; }
  /// "l0", or "l0_UP" and "l0_DOWN".
  std::string link_name(LinkId link) const;
  const Limits& limits() const { return limits_; }

  /// SimGrid numbers the nodes and the cables of all fat trees of a platform through, and those of
  /// all dragonflies.
  std::uint64_t fat_tree_nodes = 0;
  std::uint64_t fat_tree_cables = 0;
  std::uint64_t dragonfly_cables = 0;
  /// What changes while a simulation runs.
  LinkProfiles profiles;
  /// Whether ways have distances of their own.
  bool has_distances = false;
  /// For a host whose zone declares none; 3.32's default.
  Loopback loopback{Bandwidth::bytes_per_second(10'000'000'000), Time::zero()};

 private:
  void add_link_name(std::string name, LinkId link, const SourceLocation& where);

  Limits limits_;
  std::deque<Point> points_;
  std::vector<Host> hosts_;
  std::vector<const Point*> routers_;
  std::vector<Cable> cables_;
  std::vector<std::unique_ptr<Zone>> zones_;
  std::unordered_map<std::string_view, const Point*> point_by_name_;
  std::unordered_map<std::string, LinkId> link_by_name_;
};

}  // namespace heddle::platform::simgrid
