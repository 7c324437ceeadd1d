#include "mpi/comm/topology.hpp"

#include <mpi.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "mpi/error.hpp"

namespace heddle::mpi {

std::vector<int> CartesianTopology::coordinates(int rank) const {
  std::vector<int> place(sizes_.size());
  for (std::size_t d = sizes_.size(); d-- > 0;) {
    place[d] = rank % sizes_[d];
    rank /= sizes_[d];
  }
  return place;
}

int CartesianTopology::rank(std::span<const int> coordinates) const {
  int number = 0;
  for (std::size_t d = 0; d < sizes_.size(); ++d) {
    int place = coordinates[d];
    if (place < 0 || place >= sizes_[d]) {
      if (!periodic_[d]) return MPI_PROC_NULL;
      place = (place % sizes_[d] + sizes_[d]) % sizes_[d];
    }
    number = number * sizes_[d] + place;
  }
  return number;
}

int CartesianTopology::shifted(int rank, int dimension, int distance) const {
  std::vector<int> place = coordinates(rank);
  const auto d = static_cast<std::size_t>(dimension);
  // Distances may be as large as a number can be.
  const std::int64_t wanted = std::int64_t{place[d]} + distance;
  if (wanted < 0 || wanted >= sizes_[d]) {
    if (!periodic_[d]) return MPI_PROC_NULL;
    place[d] = static_cast<int>((wanted % sizes_[d] + sizes_[d]) % sizes_[d]);
  } else {
    place[d] = static_cast<int>(wanted);
  }
  return this->rank(place);
}

Neighbourhood CartesianTopology::neighbourhood(int rank) const {
  Neighbourhood near;
  near.cartesian = true;
  for (int d = 0; d < dimensions(); ++d) {
    for (const int step : {-1, 1}) near.sources.push_back(shifted(rank, d, step));
  }
  near.destinations = near.sources;
  return near;
}

std::span<const int> GraphTopology::neighbours(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  const auto first = static_cast<std::size_t>(r == 0 ? 0 : ends_[r - 1]);
  return std::span(edges_).subspan(first, static_cast<std::size_t>(ends_[r]) - first);
}

Neighbourhood GraphTopology::neighbourhood(int rank) const {
  const std::span<const int> all = neighbours(rank);
  const std::vector<int> list(all.begin(), all.end());
  return {list, list, false};
}

Neighbourhood DistributedGraphTopology::neighbourhood(int rank) const {
  return {edges(rank).sources, edges(rank).destinations, false};
}

void DistributedGraphTopology::add(int source, int destination, int weight) {
  Edges& from = edges_[static_cast<std::size_t>(source)];
  from.destinations.push_back(destination);
  from.destination_weights.push_back(weight);
  Edges& to = edges_[static_cast<std::size_t>(destination)];
  to.sources.push_back(source);
  to.source_weights.push_back(weight);
}

namespace {

/// A number as a product of sizes that are as close to each other as possible: the largest exceeds
/// the smallest by as little as can be; of several such products that whose smallest is largest,
/// then the next, and so on.
class Division {
 public:
  explicit Division(int number) : number_(number) {
    for (int low = 1; low <= number / low; ++low) {
      if (number % low != 0) continue;
      divisors_.push_back(low);
      if (low != number / low) divisors_.push_back(number / low);
    }
    std::sort(divisors_.begin(), divisors_.end());
  }

  /// Largest first.
  std::vector<int> into(std::size_t sizes) {
    if (sizes == 1) return {number_};
    for (const auto& [low, high] : ranges(sizes)) {
      vain_.clear();
      found_.clear();
      if (fill(number_, sizes, low, high)) return {found_.rbegin(), found_.rend()};
    }
    return {};  // Never: 1 to the number itself is a range.
  }

 private:
  using Range = std::pair<int, int>;

  /// Those that sizes may be from, the best one first.
  std::vector<Range> ranges(std::size_t sizes) const {
    std::vector<Range> found;
    for (auto low = divisors_.begin(); low != divisors_.end(); ++low) {
      for (auto high = low; high != divisors_.end(); ++high) {
        if (in_range(number_, sizes, *low, *high)) found.emplace_back(*low, *high);
      }
    }
    std::ranges::sort(found, {},
                      [](const Range& r) { return std::pair(r.second - r.first, -r.first); });
    return found;
  }
  static bool in_range(int number, std::size_t sizes, int low, int high) {
    std::int64_t least = 1;
    std::int64_t most = 1;
    for (std::size_t i = 0; i < sizes && least <= number; ++i) {
      least *= low;
      most = std::min<std::int64_t>(most * high, number);
    }
    return least <= number && most >= number;
  }
  /// Appends sizes from `low` up to `high` whose product is `number`, each as large as can be;
  /// false if there are none.
  bool fill(int number, std::size_t sizes, int low, int high) {
    if (sizes == 0) return number == 1;
    if (!in_range(number, sizes, low, high)) return false;
    if (vain_.contains({number, sizes, low})) return false;
    for (auto size = divisors_.rbegin(); size != divisors_.rend() && *size >= low; ++size) {
      if (*size > high || number % *size != 0) continue;
      found_.push_back(*size);
      if (fill(number / *size, sizes - 1, *size, high)) return true;
      found_.pop_back();
    }
    vain_.insert({number, sizes, low});
    return false;
  }

  int number_;
  std::vector<int> divisors_;
  std::vector<int> found_;
  std::set<std::tuple<int, std::size_t, int>> vain_;  ///< Searches of a range that found nothing.
};

}  // namespace

bool divide_among_dimensions(int nodes, std::span<int> sizes) {
  std::vector<std::size_t> open;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (sizes[d] == 0) {
      open.push_back(d);
    } else if (nodes % sizes[d] != 0) {
      return false;
    } else {
      nodes /= sizes[d];
    }
  }
  if (open.empty()) return nodes == 1;
  const std::vector<int> found = Division(nodes).into(open.size());
  for (std::size_t i = 0; i < open.size(); ++i) sizes[open[i]] = found[i];
  return true;
}

namespace {

template <class Kind>
const Kind& topology_as(const Communicator& communicator, const char* what) {
  const auto* found = dynamic_cast<const Kind*>(communicator.topology());
  if (found == nullptr) {
    bad_argument(MPI_ERR_TOPOLOGY, "comm", communicator.label() + " has no " + what);
  }
  return *found;
}

}  // namespace

const VirtualTopology& topology_of(const Communicator& communicator) {
  return topology_as<VirtualTopology>(communicator, "topology");
}
const CartesianTopology& cartesian_of(const Communicator& communicator) {
  return topology_as<CartesianTopology>(communicator, "Cartesian topology");
}
const GraphTopology& graph_of(const Communicator& communicator) {
  return topology_as<GraphTopology>(communicator, "graph topology");
}
const DistributedGraphTopology& distributed_graph_of(const Communicator& communicator) {
  return topology_as<DistributedGraphTopology>(communicator, "distributed graph topology");
}

}  // namespace heddle::mpi
