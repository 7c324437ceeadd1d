// What a fabric costs and draws under given prices, part by part.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/cost/prices.hpp"
#include "platform/platform.hpp"

namespace heddle::platform {

/// All parts of one class.
struct CostItem {
  std::string part;  ///< "switches", "cables", "optics", "adapters".
  std::string name;  ///< Of the class.
  std::uint64_t count = 0;
  double price = 0;   ///< Of all of them.
  double power = 0;   ///< In watts.
  double ports = 0;   ///< Of switches, those in use.
  double metres = 0;  ///< Of cables.
};

struct FabricCost {
  std::string currency;
  std::vector<CostItem> items;  ///< Classes that are used, in the order of the table.
  std::uint64_t racks = 0;
  double price = 0;
  double power = 0;
};

/// Throws InputError if a class is missing: of switches with so many ports, of cables so long.
FabricCost cost_of(const Platform& platform, const Prices& prices);

}  // namespace heddle::platform
