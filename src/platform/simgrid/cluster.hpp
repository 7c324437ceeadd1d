// What all clusters have in common, and how each kind of them is built.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/simgrid/zone.hpp"

namespace heddle::platform::simgrid {

/// The attributes of a <cluster>.
struct ClusterParams {
  std::string id;
  std::string prefix;
  std::string suffix;
  std::vector<std::uint32_t> radicals;
  Speed speed;
  std::uint32_t cores = 1;
  Bandwidth bandwidth;
  Time latency;
  Sharing sharing = Sharing::split_duplex;
  std::optional<Bandwidth> limiter;
  std::optional<Loopback> loopback;
};

/// A zone of equal hosts. A host's position in the zone is its number in the cluster.
class Cluster : public Zone {
 public:
  Cluster(const ClusterParams& params, const Zone* parent, SourceLocation where);

  Loopback loopback(const Point& host, const Model& model) const override;

 protected:
  using Zone::where;
  std::uint32_t hosts() const { return hosts_; }
  void add_hosts(const ClusterParams& params, Model& model);
  /// Adds a cable with the cluster's sharing and latency, and `parallel` times its bandwidth.
  std::uint32_t add_cable(std::string name, Model& model, std::uint32_t parallel = 1);
  /// Adds a limiter, which all that passes a host or a switch shares, if the cluster has them.
  void add_limiter(std::int64_t number, Model& model);
  /// Appends the limiter that was added as number `n`, if there are any.
  void append_limiter(std::uint64_t n, Links& links) const;
  LinkId up_link(std::uint64_t cable) const { return up(static_cast<std::uint32_t>(cable)); }
  LinkId down_link(std::uint64_t cable) const {
    return down(static_cast<std::uint32_t>(cable), sharing_);
  }
  /// Throws InputError unless `cables` more, and the limiters of as many switches, can be added.
  void check_size(std::uint64_t cables, std::uint64_t switches, const Model& model) const;

 private:
  Sharing sharing_;
  Bandwidth bandwidth_;
  Time latency_;
  std::optional<Bandwidth> limiter_;
  std::optional<Loopback> loopback_;
  std::uint32_t hosts_;
  std::vector<std::uint32_t> limiters_;  ///< Their cables, in the order they were added.
};

/// The product, or the largest number if it does not fit.
std::uint64_t saturated_product(std::uint64_t a, std::uint64_t b);

}  // namespace heddle::platform::simgrid
