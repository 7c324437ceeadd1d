// Zones whose routes the file declares: every one (Full), or neighbours' (Floyd, Dijkstra).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "platform/simgrid/zone.hpp"

namespace heddle::platform::simgrid {

class ClusterZone;
class VivaldiZone;

/// A zone of declared routes.
class RoutedZone : public Zone {
 public:
  using Zone::Zone;

  /// This, if it is a zone whose hosts have links of their own.
  virtual ClusterZone* as_cluster() { return nullptr; }
  /// This, if it is a zone of peers.
  virtual VivaldiZone* as_vivaldi() { return nullptr; }

  /// Adds the route between two points of this zone; false if there is one already.
  virtual bool add_route(const Point& from, const Point& to, LocalRoute route);

 protected:
  struct Edge {
    const Point* from;
    const Point* to;
    LocalRoute route;
  };

  const Edge* find(std::uint32_t from, std::uint32_t to) const;
  const std::vector<Edge>& edges() const { return edges_; }
  /// Appends the route along declared ones, from a zone's gateway to its next where they differ.
  static void append_path(const std::vector<const Edge*>& path, LocalRoute& route);

 private:
  std::vector<Edge> edges_;  ///< In the order of the file.
  std::unordered_map<std::uint64_t, std::uint32_t> edge_of_pair_;
};

/// Every route is declared.
class FullZone final : public RoutedZone {
 public:
  using RoutedZone::RoutedZone;
  void route(const Point& from, const Point& to, LocalRoute& route) const override;
};

/// The fewest links, found for all pairs once. Which of several equally short routes is taken
/// follows SimGrid's order of search.
class FloydZone final : public RoutedZone {
 public:
  using RoutedZone::RoutedZone;
  static constexpr std::uint32_t kMostPoints = 2048;
  void route(const Point& from, const Point& to, LocalRoute& route) const override;
  void seal() override;

 private:
  void shorten_by_way_of(std::uint32_t middle);

  std::vector<std::uint32_t> cost_;         ///< By from * points() + to.
  std::vector<std::uint32_t> predecessor_;  ///< The last point before `to`.
};

/// The fewest links, found when asked for. SimGrid lists the links of each declared route on the
/// way backwards, and before all that the message crossed on its way here; so do we.
class DijkstraZone final : public RoutedZone {
 public:
  using RoutedZone::RoutedZone;
  bool add_route(const Point& from, const Point& to, LocalRoute route) override;
  void route(const Point& from, const Point& to, LocalRoute& route) const override;
  void seal() override;

 private:
  std::vector<const Edge*> search(std::uint32_t from) const;

  std::vector<std::uint32_t> rank_;  ///< By position: the order in which routes name the points.
  std::vector<std::vector<const Edge*>> out_edges_;  ///< By position.
};

/// Every host has a link up and one down of its own, and all messages cross the backbone if there
/// is one: up(a) backbone down(b); from and to a router, one half of it.
class ClusterZone final : public RoutedZone {
 public:
  using RoutedZone::RoutedZone;
  ClusterZone* as_cluster() override { return this; }
  /// Gives a host its links; false if it has them already.
  bool join(const Point& host, LinkId up, LinkId down);
  /// False if there is one already.
  bool set_backbone(LinkId link);
  void route(const Point& from, const Point& to, LocalRoute& route) const override;

 private:
  struct Ends {
    LinkId up;
    LinkId down;
  };
  const Ends* ends_of(const Point& point) const;

  std::unordered_map<std::uint32_t, Ends> ends_;  ///< By position.
  LinkId backbone_ = kNoLink;
};

/// Peers with a link up and one down each, and a place: a message takes as long as it is far
/// between two places, in milliseconds, besides the links' own latencies.
class VivaldiZone final : public RoutedZone {
 public:
  using RoutedZone::RoutedZone;
  VivaldiZone* as_vivaldi() override { return this; }
  struct Place {
    double x;
    double y;
    double height;  ///< Above the plane, over which all messages go.
  };
  struct Peer {
    LinkId up;
    LinkId down;
    Place place;
  };
  /// Adds what the next point of the zone has.
  void join(const Peer& peer);
  void route(const Point& from, const Point& to, LocalRoute& route) const override;

 private:
  static Time distance(const Place& a, const Place& b);

  std::vector<Peer> peers_;  ///< By position.
};

/// Makes the zone of that routing: "Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster",
/// "Vivaldi", or "None", which has no routes but those declared, like "Full".
std::unique_ptr<RoutedZone> make_routed_zone(std::string_view routing, std::string name,
                                             const Zone* parent, const SourceLocation& where);

}  // namespace heddle::platform::simgrid
