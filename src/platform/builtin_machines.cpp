#include <yaml-cpp/yaml.h>

#include <algorithm>

#include "platform/embedded_machines.hpp"
#include "platform/machine.hpp"

namespace heddle::platform {

const std::vector<BuiltinMachine>& builtin_machines() {
  static const std::vector<BuiltinMachine> machines = [] {
    std::vector<BuiltinMachine> list;
    for (const EmbeddedMachine& machine : embedded_machines()) {
      const YAML::Node root = YAML::Load(std::string(machine.text));
      list.push_back({machine.name, root["about"].as<std::string>(), machine.text});
    }
    std::sort(list.begin(), list.end(),
              [](const BuiltinMachine& a, const BuiltinMachine& b) { return a.name < b.name; });
    return list;
  }();
  return machines;
}

}  // namespace heddle::platform
