// Reading machines in tests.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "platform/machine.hpp"

namespace heddle::platform {

/// The platform that a YAML text describes, with assignments as of --set behind it.
inline std::unique_ptr<Platform> platform_of(const std::string& text,
                                             const std::vector<std::string>& sets = {}) {
  Settings settings(machine_sections());
  const MachineDescription machine = read_machine_text(text, "m.yaml", settings);
  for (const std::string& set : sets) settings.assign(set, {"--set"});
  return build_platform(machine, settings);
}

/// What is said of a text that is not a machine.
inline std::string complaint_about(const std::string& text,
                                   const std::vector<std::string>& sets = {}) {
  return error_of([&] { platform_of(text, sets); });
}

/// A machine of four nodes, to which tests append what they are about.
inline const std::string kFour = "topology: {kind: single-switch, nodes: 4}\n";

}  // namespace heddle::platform
