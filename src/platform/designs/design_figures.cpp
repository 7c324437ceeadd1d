#include "platform/designs/design_figures.hpp"

#include <algorithm>
#include <array>

#include "platform/machine.hpp"

namespace heddle::platform {
namespace {

/// Shifts looked at where a design has more nodes: seconds.
constexpr std::uint32_t kMostShifts = 1024;

std::unique_ptr<Platform> built(const FabricDesign& design, const DesignQuestion& question,
                                const std::string& failures) {
  Settings settings = *question.settings;
  design.apply(settings);
  // What is counted follows the fixed routes, whatever routing the user wants simulated.
  settings.assign("topology.routing", "minimal", {"design " + design.name});
  if (!failures.empty()) {
    assign_lasting_failures(settings, failures, question.failures_where, Origin::option);
  }
  MachineDescription machine;
  machine.name = design.name;
  return build_platform(machine, settings);
}

/// Less is better in each.
std::array<double, 4> rating(const DesignFigures& f) {
  const double nodes = f.nodes;
  const double cost = f.cost ? f.cost->price : static_cast<double>(f.switches) + f.cables;
  return {cost / nodes, -f.uniform.load.saturation, -f.adversarial(), f.metrics.hops.mean()};
}

bool beats(const std::array<double, 4>& a, const std::array<double, 4>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

DesignFigures figures_of(const FabricDesign& design, const DesignQuestion& question) {
  DesignFigures f;
  const auto platform = built(design, question, "");
  const Topology& topology = platform->topology();
  f.about = topology.describe();
  f.nodes = topology.nodes();
  f.switches = topology.switches();
  f.cables = topology.cables();
  f.metrics = measure(*platform);
  f.uniform = uniform_load(*platform, kMostShifts);
  f.shift = worst_shift(*platform, kMostShifts);
  if (topology.routes_to_switches()) f.detour = std::min(1.0, f.uniform.load.inner / 2);
  if (question.prices != nullptr) f.cost = cost_of(*platform, *question.prices);
  const auto left = built(design, question, question.failures);
  f.uniform_after = uniform_load(*left, kMostShifts);
  f.cut_off = f.uniform_after.load.cut_off;
  f.diameter_after = f.uniform_after.load.longest;
  return f;
}

std::vector<bool> pareto_front(const std::vector<DesignFigures>& list) {
  std::vector<bool> front;
  for (const DesignFigures& one : list) {
    bool beaten = false;
    for (const DesignFigures& other : list) {
      beaten = beaten || beats(rating(other), rating(one));
    }
    front.push_back(!beaten);
  }
  return front;
}

}  // namespace heddle::platform
