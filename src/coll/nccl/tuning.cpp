#include "coll/nccl/tuning.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::coll::nccl {
namespace {

constexpr std::size_t kProtocols = 3;
constexpr std::size_t kAlgorithms = 5;
using ByProtocol = double[kProtocols];

constexpr std::size_t index(auto e) {
  return static_cast<std::size_t>(e);
}

// Microseconds, by algorithm and protocol.
constexpr ByProtocol kBase[kAlgorithms] = {
    {6.8, 14.0, 8.4}, {6.6, 14.0, 8.4}, {0, 0, 0}, {0, 0, 0}, {8, 8, 8}};
constexpr ByProtocol kNvlink[kAlgorithms] = {
    {0.6, 1.25, 4.0}, {0.6, 1.9, 3.4}, {0, 0, 25}, {0, 0, 25}, {0, 0, 4.0}};
constexpr ByProtocol kNetwork[kAlgorithms] = {
    {5.0, 8.5, 14}, {2.7, 4.0, 14}, {0, 0, 18}, {0, 0, 20.9}, {0, 0, 14}};

// GB/s by kind of GPU, for one node, two and more.
using ByNodes = double[3];
constexpr ByNodes kMostLl[] = {{39, 39, 20.4}, {87.7, 22.5, 19}, {141, 45, 35}, {282, 90, 70}};
// The same, of one channel.
constexpr double kRingLl128[] = {20, 20, 36.7, 40};
constexpr ByNodes kTreeLl128[] = {{20, 20, 20}, {20, 20, 20}, {36.7, 36.7, 29}, {55.6, 31.67, 20}};
constexpr ByNodes kTree[] = {{26.5, 18.5, 10}, {24, 23.6, 17.8}, {38.7, 41.4, 36}, {70, 42.8, 24}};
constexpr ByNodes kNvlsTree[] = {{0, 0, 0}, {0, 0, 0}, {0, 57.7, 45.5}, {0, 96, 80}};
constexpr double kNvlsEfficiency[] = {0, 0, 0.85, 0.74};

// What trees reach of their bandwidth, by the power of two of 64 bytes.
constexpr std::size_t kCorrections = 24;
constexpr double kTreeCorrection[kProtocols][kCorrections] = {
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, .9, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5,
     .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}};

/// What nodes of such GPUs have: channels and GB/s of each, on one node and on several.
struct Usual {
  std::uint32_t channels_inside;
  std::uint32_t channels_between;
  double inside;
  double between;
};
constexpr Usual kUsual[] = {{12, 8, 20, 12}, {12, 8, 20, 24}, {16, 16, 20, 20}, {16, 16, 40, 40}};

double log2_floor(std::uint32_t n) {
  return std::bit_width(n) - 1;
}

/// Estimates of one operation on one cluster.
class Estimator {
 public:
  Estimator(Operation operation, const Cluster& cluster, std::uint64_t bytes)
      : operation_(operation),
        c_(filled_in(cluster)),
        bytes_(bytes),
        gpu_(index(c_.gpu)),
        column_(std::min(c_.nodes, 3U) - 1) {
    const bool all = operation == Operation::allreduce;
    const bool half = operation == Operation::allgather || operation == Operation::reduce_scatter;
    const std::uint32_t fewer = half || all ? 1 : 0;
    steps_ = (all ? 2 : 1) * (c_.ranks - fewer);
    steps_between_ = (all ? 2 : 1) * (c_.nodes - fewer);
    if (c_.nodes == 1) steps_between_ = 0;
  }

  bool can(Algorithm algorithm, Protocol protocol) const {
    const bool newer = c_.gpu >= Gpu::hopper && protocol == Protocol::simple;
    const bool alone = c_.ranks == c_.nodes;
    switch (algorithm) {
      case Algorithm::ring:
      case Algorithm::tree:
        return true;
      case Algorithm::nvls:
        return newer && c_.nodes == 1 && c_.ranks > 2;
      case Algorithm::nvls_tree:
        return newer && c_.nodes > 1 && !alone;
      case Algorithm::pat:
        return protocol == Protocol::simple && alone && c_.nodes > 1;
    }
    return false;
  }

  double microseconds(Algorithm algorithm, Protocol protocol) const {
    double latency = latency_of(algorithm, protocol);
    const bool plateau = algorithm == Algorithm::ring && protocol == Protocol::simple &&
                         c_.nodes > 1 && operation_ == Operation::allreduce &&
                         bytes_ / c_.channels / c_.ranks >= 64;
    if (plateau) latency *= c_.gpu < Gpu::ampere ? 1.9 : 1.4;
    return latency + static_cast<double>(bytes_) / (1000 * bandwidth_of(algorithm, protocol));
  }

 private:
  double most_ll() const {
    return c_.nodes == 1 ? kMostLl[gpu_][0] : kMostLl[c_.amd ? 1 : 0][column_];
  }

  double bus_bandwidth(Algorithm algorithm, Protocol protocol) const {
    const double channels = c_.channels;
    const double bus = channels * (c_.nodes <= 2 ? c_.inside : c_.between);
    switch (algorithm) {
      case Algorithm::ring:
        if (protocol == Protocol::ll) return std::min(most_ll(), 0.5 * bus);
        if (protocol == Protocol::ll128) return std::min(0.92 * bus, channels * kRingLl128[gpu_]);
        return bus;
      case Algorithm::tree:
        return tree_bandwidth(std::min(0.92 * bus, channels * kTree[gpu_][column_]), protocol);
      case Algorithm::nvls:
        return kNvlsEfficiency[gpu_] * bus;
      case Algorithm::nvls_tree:
        return std::min(kNvlsEfficiency[gpu_] * bus, channels * kNvlsTree[gpu_][column_]);
      case Algorithm::pat:
        return 0.75 * bus;
    }
    return bus;
  }
  double tree_bandwidth(double bus, Protocol protocol) const {
    if (protocol == Protocol::ll) return std::min(bus / 3.8, most_ll());
    if (protocol == Protocol::simple) return bus;
    return std::min(bus * (c_.nodes == 1 ? 7.0 / 9 : 120.0 / 128),
                    c_.channels * kTreeLl128[gpu_][column_]);
  }

  double bandwidth_of(Algorithm algorithm, Protocol protocol) const {
    const double bus = bus_bandwidth(algorithm, protocol);
    if (algorithm != Algorithm::tree && algorithm != Algorithm::nvls_tree) {
      return bus * c_.ranks / steps_;
    }
    const std::size_t power = std::bit_width(std::max<std::uint64_t>(bytes_ / 64, 1)) - 1;
    const bool corrected = algorithm == Algorithm::tree && power < kCorrections;
    return bus * 0.5 * (corrected ? kTreeCorrection[index(protocol)][power] : 1);
  }

  double latency_of(Algorithm algorithm, Protocol protocol) const {
    const bool alone = c_.ranks == c_.nodes;
    const double base = kBase[index(algorithm)][index(protocol)];
    const double inside = kNvlink[index(algorithm)][index(protocol)];
    const std::size_t between_as =
        index(algorithm == Algorithm::ring && alone ? Algorithm::tree : algorithm);
    const double between = kNetwork[between_as][index(protocol)];
    const double depth = log2_floor(c_.nodes);
    const double per_node = static_cast<double>(c_.ranks) / c_.nodes;
    switch (algorithm) {
      case Algorithm::ring:
        return base + (steps_ - steps_between_) * std::max(inside, overhead(protocol)) +
               steps_between_ * between;
      case Algorithm::tree:
        return base + 2 * ((per_node - 1) * inside + depth * between);
      case Algorithm::nvls:
        return base + inside;
      case Algorithm::nvls_tree:
        return base + inside + 2 * depth * between;
      case Algorithm::pat:
        return base + depth * between / 3.5 + 2.8 * c_.ranks;
    }
    return base;
  }
  /// What a step costs a node's processors at least.
  double overhead(Protocol protocol) const {
    if (c_.nodes == 1) return 0;
    return (c_.amd ? 2 : 1) * (protocol == Protocol::simple ? 3 : 1);
  }

  Operation operation_;
  Cluster c_;
  std::uint64_t bytes_;
  std::size_t gpu_;
  std::size_t column_;
  std::uint32_t steps_ = 0;
  std::uint32_t steps_between_ = 0;
};

}  // namespace

Cluster filled_in(Cluster cluster) {
  const Usual& usual = kUsual[index(cluster.gpu)];
  const bool one = cluster.nodes == 1;
  if (cluster.channels == 0) {
    cluster.channels = one ? usual.channels_inside : usual.channels_between;
  }
  if (cluster.inside == 0) cluster.inside = usual.inside;
  if (cluster.between == 0) cluster.between = usual.between;
  return cluster;
}

std::vector<Estimate> estimates(Operation operation, const Cluster& cluster, std::uint64_t bytes) {
  const Estimator estimator(operation, cluster, bytes);
  std::vector<Estimate> all;
  for (const Entry& entry : entries()) {
    if (entry.operation != operation) continue;
    for (const Protocol protocol : {Protocol::ll, Protocol::ll128, Protocol::simple}) {
      if (!estimator.can(entry.algorithm, protocol)) continue;
      all.push_back({entry.algorithm, protocol, estimator.microseconds(entry.algorithm, protocol)});
    }
  }
  return all;
}

Estimate choose(Operation operation, const Cluster& cluster, std::uint64_t bytes) {
  const std::vector<Estimate> all = estimates(operation, cluster, bytes);
  return *std::min_element(all.begin(), all.end(), [](const Estimate& a, const Estimate& b) {
    return a.microseconds < b.microseconds;
  });
}

}  // namespace heddle::coll::nccl
