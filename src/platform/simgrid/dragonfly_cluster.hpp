// <cluster topology="DRAGONFLY">: groups of chassis of routers of hosts, with minimal routing.
#pragma once

#include <vector>

#include "platform/simgrid/cluster.hpp"

namespace heddle::platform::simgrid {

struct DragonflyShape {
  std::uint32_t groups;
  std::uint32_t blue;  ///< Parallel links between two groups.
  std::uint32_t chassis;
  std::uint32_t black;  ///< Parallel links between two chassis of a group.
  std::uint32_t blades;
  std::uint32_t green;  ///< Parallel links between two routers of a chassis.
  std::uint32_t hosts;  ///< Per router.
};

/// Every two routers of a chassis are joined (green), every two of the same number in a group
/// (black), and every two groups (blue): router g of the first chassis leads to group g. Parallel
/// links are one of as many times the bandwidth.
class DragonflyCluster final : public Cluster {
 public:
  DragonflyCluster(const ClusterParams& params, const DragonflyShape& shape, const Zone* parent,
                   SourceLocation where, Model& model);

  void route(const Point& from, const Point& to, LocalRoute& route) const override;

  static std::uint64_t host_count(const DragonflyShape& shape);

 private:
  struct Router {
    std::uint32_t group;
    std::uint32_t chassis;
    std::uint32_t blade;
    bool operator==(const Router&) const = default;
  };

  Router router_of(std::uint32_t host) const;
  std::uint32_t number(const Router& router) const;
  LinkId green(const Router& at, std::uint32_t blade) const;
  LinkId black(const Router& at, std::uint32_t chassis) const;
  LinkId blue(const Router& at, std::uint32_t group) const;
  /// The link of the pair a, b among the pairs of `n` that begin at cable `first`.
  LinkId pair_link(std::uint64_t first, std::uint32_t n, std::uint32_t a, std::uint32_t b,
                   std::uint32_t repeat) const;
  void append_router_limiter(const Router& router, Links& links) const;
  void append_to_group(Router& at, std::uint32_t group, Links& links) const;
  void append_inside_group(Router& at, const Router& to, Links& links) const;

  void add_numbered(std::string name, std::uint32_t parallel, Model& model);
  void add_local(Model& model);
  void add_green(Model& model);
  void add_black(Model& model);
  void add_blue(Model& model);
  void add_limiters(Model& model);

  DragonflyShape shape_;
  std::uint64_t first_local_ = 0;
  std::uint64_t first_green_ = 0;
  std::uint64_t first_black_ = 0;
  std::uint64_t first_blue_ = 0;
};

}  // namespace heddle::platform::simgrid
