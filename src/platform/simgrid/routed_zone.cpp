#include "platform/simgrid/routed_zone.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace heddle::platform::simgrid {
namespace {

constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();

std::uint64_t pair_key(std::uint32_t from, std::uint32_t to) {
  return static_cast<std::uint64_t>(from) << 32 | to;
}

std::uint32_t cost_of(const LocalRoute& route) {
  return static_cast<std::uint32_t>(route.links.size());
}

}  // namespace

bool RoutedZone::add_route(const Point& from, const Point& to, LocalRoute route) {
  const auto number = static_cast<std::uint32_t>(edges_.size());
  if (!edge_of_pair_.try_emplace(pair_key(from.position, to.position), number).second) return false;
  edges_.push_back({&from, &to, std::move(route)});
  return true;
}

const RoutedZone::Edge* RoutedZone::find(std::uint32_t from, std::uint32_t to) const {
  const auto it = edge_of_pair_.find(pair_key(from, to));
  return it == edge_of_pair_.end() ? nullptr : &edges_[it->second];
}

void RoutedZone::append_path(const std::vector<const Edge*>& path, LocalRoute& route) {
  const Point* at = nullptr;
  for (const Edge* edge : path) {
    if (at != nullptr && at != edge->route.source_gateway) {
      append_route(*at, *edge->route.source_gateway, route);
    }
    route.links.insert(route.links.end(), edge->route.links.begin(), edge->route.links.end());
    at = edge->route.target_gateway;
  }
  route.source_gateway = path.front()->route.source_gateway;
  route.target_gateway = path.back()->route.target_gateway;
}

void FullZone::route(const Point& from, const Point& to, LocalRoute& route) const {
  const Edge* edge = find(from.position, to.position);
  if (edge != nullptr) return append_path({edge}, route);
  if (&from != &to) fail_no_route(from, to);
}

void FloydZone::seal() {
  const std::uint32_t n = points();
  if (n > kMostPoints) {
    throw InputError(where(), "zone '" + name() + "' has " + std::to_string(n) +
                                  " points: routing Floyd takes at most " +
                                  std::to_string(kMostPoints) + ", Dijkstra any number");
  }
  cost_.assign(std::size_t{n} * n, kFar);
  predecessor_.assign(std::size_t{n} * n, kFar);
  for (const Edge& edge : edges()) {
    const std::size_t pair = std::size_t{edge.from->position} * n + edge.to->position;
    cost_[pair] = cost_of(edge.route);
    predecessor_[pair] = edge.from->position;
  }
  for (std::uint32_t middle = 0; middle < n; ++middle) shorten_by_way_of(middle);
}

void FloydZone::shorten_by_way_of(std::uint32_t middle) {
  const std::size_t n = points();
  for (std::size_t from = 0; from < n; ++from) {
    const std::uint32_t there = cost_[from * n + middle];
    if (there == kFar || from == middle) continue;
    for (std::size_t to = 0; to < n; ++to) {
      const std::uint32_t on = cost_[middle * n + to];
      if (on == kFar || to == from || there + on >= cost_[from * n + to]) continue;
      cost_[from * n + to] = there + on;
      predecessor_[from * n + to] = predecessor_[middle * n + to];
    }
  }
}

void FloydZone::route(const Point& from, const Point& to, LocalRoute& route) const {
  const std::size_t row = std::size_t{from.position} * points();
  std::vector<const Edge*> path;
  std::uint32_t at = to.position;
  do {
    const std::uint32_t before = predecessor_[row + at];
    if (before == kFar) break;
    path.push_back(find(before, at));
    at = before;
  } while (at != from.position);
  if (path.empty()) {
    if (&from != &to) fail_no_route(from, to);
    return;
  }
  std::reverse(path.begin(), path.end());
  append_path(path, route);
}

bool DijkstraZone::add_route(const Point& from, const Point& to, LocalRoute route) {
  std::reverse(route.links.begin(), route.links.end());
  return RoutedZone::add_route(from, to, std::move(route));
}

void DijkstraZone::seal() {
  rank_.assign(points(), kFar);
  out_edges_.resize(points());
  std::uint32_t next = 0;
  for (const Edge& edge : edges()) {
    for (const Point* end : {edge.from, edge.to}) {
      if (rank_[end->position] == kFar) rank_[end->position] = next++;
    }
    out_edges_[edge.from->position].push_back(&edge);
  }
}

/// The last declared route on the way from `from` to each point.
std::vector<const RoutedZone::Edge*> DijkstraZone::search(std::uint32_t from) const {
  using Entry = std::pair<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t>;
  std::vector<const Edge*> last(points(), nullptr);
  std::vector<std::uint64_t> cost(points(), std::numeric_limits<std::uint64_t>::max());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  cost[from] = 0;
  open.push({{0, rank_[from]}, from});
  while (!open.empty()) {
    const std::uint32_t at = open.top().second;
    open.pop();
    for (const Edge* edge : out_edges_[at]) {
      const std::uint32_t to = edge->to->position;
      const std::uint64_t reached = cost[at] + cost_of(edge->route);
      if (reached >= cost[to]) continue;
      cost[to] = reached;
      last[to] = edge;
      open.push({{reached, rank_[to]}, to});
    }
  }
  return last;
}

void DijkstraZone::route(const Point& from, const Point& to, LocalRoute& route) const {
  std::vector<const Edge*> path;
  if (&from == &to) {
    if (const Edge* self = find(from.position, to.position)) path.push_back(self);
  } else {
    const auto last = search(from.position);
    for (const Edge* edge = last[to.position]; edge != nullptr; edge = last[edge->from->position]) {
      path.push_back(edge);
    }
    if (path.empty()) fail_no_route(from, to);
  }
  if (path.empty()) return;
  std::reverse(path.begin(), path.end());
  LocalRoute found;
  append_path(path, found);
  found.links.insert(found.links.end(), route.links.begin(), route.links.end());
  found.distance += route.distance;
  route = std::move(found);
}

bool ClusterZone::join(const Point& host, LinkId up, LinkId down) {
  return ends_.emplace(host.position, Ends{up, down}).second;
}

bool ClusterZone::set_backbone(LinkId link) {
  if (backbone_ != kNoLink) return false;
  backbone_ = link;
  return true;
}

const ClusterZone::Ends* ClusterZone::ends_of(const Point& point) const {
  const auto it = ends_.find(point.position);
  return it == ends_.end() ? nullptr : &it->second;
}

void ClusterZone::route(const Point& from, const Point& to, LocalRoute& route) const {
  if (&from == &to) return;
  const Ends* first = ends_of(from);
  const Ends* last = ends_of(to);
  const bool known =
      (first || from.kind == PointKind::router) && (last || to.kind == PointKind::router);
  if (!known) fail_no_route(from, to);
  if (first) route.links.push_back(first->up);
  if (backbone_ != kNoLink) route.links.push_back(backbone_);
  if (last) route.links.push_back(last->down);
}

void VivaldiZone::join(const Peer& peer) {
  peers_.push_back(peer);
}

/// A message from a peer to itself takes the same way.
void VivaldiZone::route(const Point& from, const Point& to, LocalRoute& route) const {
  const Peer& first = peers_[from.position];
  const Peer& last = peers_[to.position];
  route.links.push_back(first.up);
  route.links.push_back(last.down);
  route.distance += distance(first.place, last.place);
}

/// The plane's distance, and from either place to the plane.
Time VivaldiZone::distance(const Place& a, const Place& b) {
  constexpr double kPerMillisecond = 1e9;  ///< Picoseconds.
  const double length = std::hypot(a.x - b.x, a.y - b.y) + std::abs(a.height) + std::abs(b.height);
  return Time::ps(std::llround(length * kPerMillisecond));
}

std::unique_ptr<RoutedZone> make_routed_zone(std::string_view routing, std::string name,
                                             const Zone* parent, const SourceLocation& where) {
  if (routing == "Cluster") return std::make_unique<ClusterZone>(std::move(name), parent, where);
  if (routing == "Vivaldi") return std::make_unique<VivaldiZone>(std::move(name), parent, where);
  if (routing == "Full" || routing == "None") {
    return std::make_unique<FullZone>(std::move(name), parent, where);
  }
  if (routing == "Floyd") return std::make_unique<FloydZone>(std::move(name), parent, where);
  return std::make_unique<DijkstraZone>(std::move(name), parent, where);
}

}  // namespace heddle::platform::simgrid
