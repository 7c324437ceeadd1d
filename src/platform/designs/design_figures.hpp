// What a design is worth: the figures by which fabrics are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/cost/fabric_cost.hpp"
#include "platform/designs/fabric_designs.hpp"
#include "platform/figures/metrics.hpp"
#include "platform/loads/static_loads.hpp"

namespace heddle::platform {

/// Loads are parts of what nodes can inject, counted on fixed minimal routes: no more than that can
/// be delivered of every flow. Past it, flows that miss the busiest link may still get more.
struct DesignFigures {
  std::string about;  ///< What the topology says of itself.
  std::uint32_t nodes = 0;
  std::uint32_t switches = 0;
  std::uint32_t cables = 0;  ///< Those of nodes included.
  Metrics metrics;
  UniformLoad uniform;
  WorstShift shift;
  /// What any traffic gets by way of random switches: it is twice as much uniform traffic between
  /// switches. Nothing where messages cannot go so.
  std::optional<double> detour;
  std::optional<FabricCost> cost;
  // With some of the cables down:
  UniformLoad uniform_after;
  std::uint32_t diameter_after = 0;
  std::uint64_t cut_off = 0;  ///< Pairs of nodes without a way, of those looked at.

  /// The better of minimal routes and detours under the worst shift.
  double adversarial() const { return std::max(shift.load.saturation, detour.value_or(0)); }
};

struct DesignQuestion {
  const Settings* settings = nullptr;  ///< Of links, switches and nodes.
  const Prices* prices = nullptr;      ///< Null: no cost.
  std::string failures = "1%";         ///< Cables that are down in the end,
  SourceLocation failures_where = {};  ///< and where that was said.
};

/// Throws InputError if it cannot be built, or a price is missing.
DesignFigures figures_of(const FabricDesign& design, const DesignQuestion& question);

/// Which of them no other is better than or as good as in everything: cost (cables and ports where
/// there are no prices), uniform and adversarial traffic, mean hops.
std::vector<bool> pareto_front(const std::vector<DesignFigures>& list);

}  // namespace heddle::platform
