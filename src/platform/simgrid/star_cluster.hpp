// <cluster topology="FLAT">: every host on a link of its own, with or without a backbone.
#pragma once

#include <optional>
#include <string>

#include "platform/simgrid/cluster.hpp"

namespace heddle::platform::simgrid {

/// The backbone that all messages of a FLAT cluster cross.
struct Backbone {
  Bandwidth bandwidth;
  Time latency;
  Sharing sharing = Sharing::shared;
};

/// limiter(a) link(a)_UP backbone link(b)_DOWN limiter(b); from and to the router, one half of it.
class StarCluster final : public Cluster {
 public:
  StarCluster(const ClusterParams& params, const std::optional<Backbone>& backbone,
              const std::string& router, const Zone* parent, SourceLocation where, Model& model);

  void route(const Point& from, const Point& to, LocalRoute& route) const override;

 private:
  void add_links(const ClusterParams& params, Model& model);

  std::optional<std::uint32_t> backbone_;
  std::uint32_t first_cable_ = 0;
  std::uint32_t cables_per_host_ = 1;
};

}  // namespace heddle::platform::simgrid
