#include "traffic/traffic_setup.hpp"

#include "core/error.hpp"
#include "traffic/size_file.hpp"

namespace heddle::traffic {

TrafficConfig complete(TrafficConfig config) {
  if (config.pattern_part() < 0.0099) {
    throw ParamError({"traffic.incast", "traffic.outcast"},
                     "leave nothing of the load to the pattern: accepted are 0.99 in all at most");
  }
  if (config.has_size_file()) {
    config.size =
        read_named_by("traffic.size_file", [&] { return read_size_file(config.size_file); });
  }
  return config;
}

std::unique_ptr<const Pattern> pattern_for(TrafficConfig config, const platform::Platform& platform,
                                           const RandomStream& random) {
  if (config.grid == "auto") {
    std::string extents;
    for (const std::uint32_t extent : platform.topology().node_grid()) {
      extents += (extents.empty() ? "" : "x") + std::to_string(extent);
    }
    if (!extents.empty()) config.grid = extents;
  }
  return make_pattern(config, platform.nodes(), random);
}

}  // namespace heddle::traffic
