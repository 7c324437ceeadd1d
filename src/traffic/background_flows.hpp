// Flows beside something else that uses the same network.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "traffic/flow_statistics.hpp"
#include "traffic/traffic_config.hpp"

namespace heddle::network {
class Network;
}
namespace heddle::platform {
class Platform;
}
namespace heddle {
class Settings;
class Simulation;
}  // namespace heddle

namespace heddle::traffic {

/// What became of them.
struct BackgroundResult {
  std::string load;
  std::uint64_t flows = 0;        ///< That arrived while the foreground was under way.
  std::vector<FlowGroup> groups;  ///< Of those, and of those that arrived after it.
};

/// An open loop from the beginning of the simulation on, until it is stopped.
class BackgroundFlows {
 public:
  /// The first load of `config` counts. All must outlive it; `model` is the network's name. Throws
  /// ParamError for a load that means nothing here.
  BackgroundFlows(Simulation& simulation, network::Network& network, const TrafficConfig& config,
                  const platform::Platform& platform, std::string_view model,
                  const Settings& settings);
  ~BackgroundFlows();
  /// No more flows are sent but those that are there already, of each node one at most.
  void stop();
  BackgroundResult result() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace heddle::traffic
