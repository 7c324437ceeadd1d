#include "network/sections.hpp"

#include "network/network.hpp"
#include "platform/machine.hpp"

namespace heddle::network {

std::vector<const ParamSection*> fabric_sections(std::initializer_list<const ParamSection*> more) {
  std::vector<const ParamSection*> all = platform::machine_sections();
  for (const ParamSection* section : network_sections()) all.push_back(section);
  all.insert(all.end(), more);
  return all;
}

}  // namespace heddle::network
