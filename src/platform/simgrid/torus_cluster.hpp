// <cluster topology="TORUS">: hosts on an n-dimensional grid that closes on itself.
#pragma once

#include <vector>

#include "platform/simgrid/cluster.hpp"

namespace heddle::platform::simgrid {

/// Dimension by dimension, the first fastest, each in the shorter direction seen from the source.
/// Every host has one cable per dimension, to its next neighbour in it.
class TorusCluster final : public Cluster {
 public:
  TorusCluster(const ClusterParams& params, std::vector<std::uint32_t> dimensions,
               const Zone* parent, SourceLocation where, Model& model);

  void route(const Point& from, const Point& to, LocalRoute& route) const override;

 private:
  std::uint32_t cable(std::uint32_t host, std::size_t dimension) const {
    return first_cable_ + host * static_cast<std::uint32_t>(dimensions_.size()) +
           static_cast<std::uint32_t>(dimension);
  }
  void append_dimension(std::uint32_t& at, std::uint32_t to, std::size_t dimension,
                        std::uint32_t stride, Links& links) const;

  std::vector<std::uint32_t> dimensions_;
  std::uint32_t first_cable_ = 0;
};

}  // namespace heddle::platform::simgrid
