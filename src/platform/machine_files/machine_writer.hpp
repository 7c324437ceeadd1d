// Machines as YAML that reads back to the same.
#pragma once

#include <string>
#include <unordered_map>

#include "platform/machine.hpp"

namespace heddle::platform {

/// effective_config() for many machines, whose sections without a setting are written once.
class ConfigWriter {
 public:
  std::string text(const MachineDescription& machine, const Settings& settings);

 private:
  std::string lines(const ParamSection& section, const Settings& settings);
  std::string section_text(const ParamSection& section, const Settings& settings);
  std::string topology_text(const Settings& settings);

  std::unordered_map<const ParamSection*, std::string> untouched_;
};

}  // namespace heddle::platform
