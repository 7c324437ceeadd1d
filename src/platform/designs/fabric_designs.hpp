// Which fabrics of so many nodes can be built from switches with so many ports.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/params.hpp"

namespace heddle::platform {

/// A topology and its parameters.
struct FabricDesign {
  std::string name;  ///< For people: "fat-tree 2 levels 2:1". Unique in a list.
  std::string kind;
  std::vector<std::pair<std::string, std::string>> parameters;

  /// Makes it the topology of `settings`.
  void apply(Settings& settings) const;
  /// "{kind: fat-tree, down: [32, 4], ...}": what a machine's file says behind `topology:`.
  std::string yaml() const;
};

/// Every kind that fits, with at least `nodes` nodes and at most `radix` cables at a switch. Of the
/// instances of a kind the one with fewest switches whose cables, by its own rule of balance, carry
/// what uniform traffic needs; if none is so balanced, the one with fewest switches that fits.
std::vector<FabricDesign> fitting_designs(std::uint64_t nodes, std::uint64_t radix);

}  // namespace heddle::platform
