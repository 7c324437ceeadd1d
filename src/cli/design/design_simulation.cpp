#include "cli/design/design_simulation.hpp"

#include <fmt/core.h>

#include "core/forked_tasks.hpp"
#include "core/units.hpp"
#include "network/network.hpp"
#include "platform/machine.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::cli {
namespace {

constexpr char kProblem = '!';  ///< Begins the answer of a task that has no number.

double accepted_by(const platform::FabricDesign& design, const platform::DesignFigures& figures,
                   const std::string& pattern, Settings settings) {
  design.apply(settings);
  const bool worst = pattern == kWorstShift;
  settings.assign("traffic.pattern", worst ? "shift" : pattern, {"--patterns"});
  if (worst) {
    settings.assign("traffic.shift", std::to_string(figures.shift.shift), {"--patterns"});
  }
  platform::MachineDescription machine;
  machine.name = design.name;
  const auto platform = platform::build_platform(machine, settings);
  const std::string network = settings.get(network::network_choice_table()).model;
  const auto results = traffic::run_traffic(settings.get(traffic::traffic_table()), *platform,
                                            network, settings, {0});
  return results.back().fraction(results.back().accepted_per_second());
}

SimulatedLoad load_of(const std::optional<std::string>& answer) {
  if (!answer) return {std::nullopt, "the simulation was ended, perhaps for want of memory"};
  if (answer->starts_with(kProblem)) return {std::nullopt, answer->substr(1)};
  return {parse_ratio(*answer)};
}

}  // namespace

std::vector<std::vector<SimulatedLoad>> simulate_designs(
    const std::vector<platform::FabricDesign>& designs,
    const std::vector<platform::DesignFigures>& figures, const std::vector<std::string>& patterns,
    const Settings& settings, std::size_t jobs) {
  const auto task = [&](std::size_t number) {
    const std::size_t design = number / patterns.size();
    try {
      return fmt::format("{}", accepted_by(designs[design], figures[design],
                                           patterns[number % patterns.size()], settings));
    } catch (const std::exception& error) {
      return kProblem + std::string(error.what());
    }
  };
  std::vector<std::vector<SimulatedLoad>> loads(designs.size());
  if (patterns.empty()) return loads;
  ForkedTasks tasks(task, designs.size() * patterns.size(), jobs);
  while (tasks.wait()) {
  }
  for (std::size_t i = 0; i < designs.size() * patterns.size(); ++i) {
    loads[i / patterns.size()].push_back(load_of(tasks.result(i)));
  }
  return loads;
}

void assign_simulation(Settings& settings) {
  const auto otherwise = [&](const char* name, const char* value) {
    if (!settings.has(name)) settings.assign(name, value, {"--patterns"});
  };
  otherwise("network.model", "packet");
  otherwise("traffic.load", "1");
  otherwise("traffic.warm_up", "20us");
  otherwise("traffic.duration", "20us");
}

}  // namespace heddle::cli
