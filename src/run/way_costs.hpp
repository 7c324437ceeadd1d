// What messages cost that are alone on their way.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "network/network.hpp"
#include "record/critical_path.hpp"

namespace heddle::run {

/// Latencies and links come from the route; how long all of it takes is tried out on a network of
/// its own where nothing else happens, once for each kind of way and size.
class WayCosts final : private network::TransferClient {
 public:
  /// All must outlive it.
  WayCosts(const platform::Platform& platform, std::string model, const Settings& settings)
      : platform_(platform), model_(std::move(model)), settings_(settings) {}

  /// Links as the platform numbers them.
  record::WayCost of(platform::Endpoint from, platform::Endpoint to, std::int64_t bytes);

 private:
  /// Ways of which messages make the same of.
  using Kind = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::vector<double>>;

  record::WayCost way(platform::Endpoint from, platform::Endpoint to, std::int64_t bytes) const;
  Time alone(platform::Endpoint from, platform::Endpoint to, std::int64_t bytes);
  void transfer_reached(network::Instant, std::uint64_t) override { arrived_ = simulation_.now(); }

  const platform::Platform& platform_;
  std::string model_;
  const Settings& settings_;
  Simulation simulation_;
  std::unique_ptr<network::Network> network_;  ///< Made when it is first needed.
  Time arrived_;
  std::map<Kind, Time> known_;
};

}  // namespace heddle::run
