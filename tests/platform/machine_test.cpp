#include "platform/machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace heddle::platform {
namespace {

Settings new_settings() {
  return Settings(machine_sections());
}

/// The platform that a YAML text describes, with assignments as of --set behind it.
std::unique_ptr<Platform> platform_of(const std::string& text,
                                      const std::vector<std::string>& sets = {}) {
  Settings settings = new_settings();
  const MachineDescription machine = read_machine_text(text, "m.yaml", settings);
  for (const std::string& set : sets) settings.assign(set, {"--set"});
  return build_platform(machine, settings);
}

// The text alone decides; what is set afterwards wins.
TEST(Machine, ReadsParametersAndLetsLaterAssignmentsWin) {
  const std::string text =
      "topology: {kind: single-switch, nodes: 3}\n"
      "link: {bandwidth: 50Gbps, latency: 200ns}\n";
  EXPECT_EQ(platform_of(text)->nodes(), 3U);
  EXPECT_EQ(platform_of(text)->cable_params(0).bandwidth, Bandwidth::gbps(50));
  const auto changed = platform_of(text, {"single-switch.nodes=5", "link.latency=1us"});
  EXPECT_EQ(changed->nodes(), 5U);
  EXPECT_EQ(changed->cable_params(4).latency, Time::us(1));
}

}  // namespace
}  // namespace heddle::platform
