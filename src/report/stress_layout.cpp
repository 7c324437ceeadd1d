#include "report/stress_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"

namespace heddle::report {
namespace {

using platform::Point;

constexpr int kRounds = 200;
constexpr float kUnreached = -1;

/// Distances in cables from `start`; kUnreached where there is no way.
std::vector<float> distances_from(const DrawingGraph& graph, std::size_t start) {
  std::vector<float> distance(graph.vertices.size(), kUnreached);
  std::vector<std::size_t> queue = {start};
  distance[start] = 0;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    for (const std::uint32_t next : graph.vertices[queue[head]].neighbours) {
      if (distance[next] != kUnreached) continue;
      distance[next] = distance[queue[head]] + 1;
      queue.push_back(next);
    }
  }
  return distance;
}

/// All distances; parts of the graph that are not joined stand a little apart.
std::vector<std::vector<float>> all_distances(const DrawingGraph& graph) {
  std::vector<std::vector<float>> distance;
  float longest = 0;
  for (std::size_t v = 0; v < graph.vertices.size(); ++v) {
    distance.push_back(distances_from(graph, v));
    longest = std::max(longest, *std::max_element(distance[v].begin(), distance[v].end()));
  }
  for (auto& row : distance) std::replace(row.begin(), row.end(), kUnreached, longest / 2 + 1.5F);
  return distance;
}

std::size_t farthest(const std::vector<float>& distance) {
  return static_cast<std::size_t>(std::max_element(distance.begin(), distance.end()) -
                                  distance.begin());
}

/// A first guess: x along a longest way, y along a long way across it.
std::vector<Point> start(const std::vector<std::vector<float>>& distance) {
  const std::size_t left = farthest(distance[0]);
  const std::size_t right = farthest(distance[left]);
  std::vector<float> across = distance[left];
  for (std::size_t v = 0; v < across.size(); ++v) {
    across[v] = std::min(distance[left][v], distance[right][v]);
  }
  const std::size_t top = farthest(across);
  const std::size_t bottom = farthest(distance[top]);
  // Vertices that look alike from all four corners would stand on one another.
  RandomStream random(1);
  const auto jitter = [&random] { return static_cast<double>(random.next() >> 40) / (1 << 24); };
  std::vector<Point> at;
  for (std::size_t v = 0; v < distance.size(); ++v) {
    const double x = distance[left][v] - distance[right][v];
    const double y = distance[top][v] - distance[bottom][v];
    at.push_back({x / 2 + 0.2 * jitter(), y / 2 + 0.2 * jitter()});
  }
  return at;
}

/// Where vertex `v` would lie best with all others fixed.
Point best_place(const std::vector<std::vector<float>>& distance, const std::vector<Point>& at,
                 std::size_t v) {
  double x = 0;
  double y = 0;
  double weights = 0;
  for (std::size_t u = 0; u < at.size(); ++u) {
    if (u == v) continue;
    const double wanted = distance[v][u];
    const double dx = at[v].x - at[u].x;
    const double dy = at[v].y - at[u].y;
    const double length = std::max(std::sqrt(dx * dx + dy * dy), 1e-6);
    const double weight = 1 / (wanted * wanted);
    x += weight * (at[u].x + wanted * dx / length);
    y += weight * (at[u].y + wanted * dy / length);
    weights += weight;
  }
  return {x / weights, y / weights};
}

/// Turns the drawing so that its longest extent (the first principal axis) is horizontal.
void turn_flat(std::vector<Point>& at) {
  const double n = static_cast<double>(at.size());
  Point mean;
  for (const Point& p : at) mean = {mean.x + p.x / n, mean.y + p.y / n};
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (Point& p : at) {
    p = {p.x - mean.x, p.y - mean.y};
    xx += p.x * p.x;
    xy += p.x * p.y;
    yy += p.y * p.y;
  }
  const double half = (xx - yy) / 2;
  const double root = std::sqrt(half * half + xy * xy);
  // The axis is (root + half, xy), or upright where both vanish.
  Point axis = root + half > 1e-9 ? Point{root + half, xy} : Point{xy, root - half};
  const double length = std::sqrt(axis.x * axis.x + axis.y * axis.y);
  if (length < 1e-9) return;
  axis = {axis.x / length, axis.y / length};
  for (Point& p : at) p = {p.x * axis.x + p.y * axis.y, p.y * axis.x - p.x * axis.y};
}

}  // namespace

std::vector<Point> stress_layout(const DrawingGraph& graph) {
  if (graph.vertices.size() < 2) return std::vector<Point>(graph.vertices.size());
  const auto distance = all_distances(graph);
  std::vector<Point> at = start(distance);
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t v = 0; v < at.size(); ++v) at[v] = best_place(distance, at, v);
  }
  turn_flat(at);
  return at;
}

}  // namespace heddle::report
