#include "cli/design/design_simulation.hpp"

#include <fmt/core.h>

#include "core/forked_tasks.hpp"
#include "core/units.hpp"
#include "network/loggops/loggops_network.hpp"
#include "network/network.hpp"
#include "platform/machine.hpp"
#include "replay/network_replay.hpp"
#include "traffic/traffic_run.hpp"

namespace heddle::cli {
namespace {

constexpr char kProblem = '!';  ///< Begins the answer of a task that has no number.

std::unique_ptr<platform::Platform> platform_of(const platform::FabricDesign& design,
                                                const Settings& settings) {
  platform::MachineDescription machine;
  machine.name = design.name;
  return platform::build_platform(machine, settings);
}

double accepted_by(const platform::FabricDesign& design, const platform::DesignFigures& figures,
                   const std::string& pattern, Settings settings) {
  design.apply(settings);
  const bool worst = pattern == kWorstShift;
  settings.assign("traffic.pattern", worst ? "shift" : pattern, {"--patterns"});
  if (worst) {
    settings.assign("traffic.shift", std::to_string(figures.shift.shift), {"--patterns"});
  }
  const auto platform = platform_of(design, settings);
  const std::string network = settings.get(network::network_choice_table()).model;
  const auto results = traffic::run_traffic(settings.get(traffic::traffic_table()), *platform,
                                            network, settings, {0});
  return results.back().fraction(results.back().accepted_per_second());
}

double seconds_on(const platform::FabricDesign& design, const goal::Schedule& schedule,
                  Settings settings) {
  design.apply(settings);
  const auto platform = platform_of(design, settings);
  Simulation simulation;
  const auto network = network::make_network(simulation, *platform, settings);
  replay::ReplayOptions options;
  const auto config = settings.get(replay::replay_table());
  options.parameters =
      replay::combine_for_network(settings.get(network::LogGopsNetwork::table()), config);
  replay::Carrier carrier{simulation, *network,
                          replay::place_ranks(schedule.ranks(), platform->nodes(), config)};
  carrier.memory = replay::bind_ranks(*platform, carrier.nodes);
  options.slowdown = replay::slowdown_of(*platform, carrier.nodes, config);
  return replay::network_replay(schedule, options, carrier).makespan().seconds();
}

SimulatedFigure figure_of(const std::optional<std::string>& answer) {
  if (!answer) return {std::nullopt, "the simulation was ended, perhaps for want of memory"};
  if (answer->starts_with(kProblem)) return {std::nullopt, answer->substr(1)};
  return {parse_ratio(*answer)};
}

/// What tasks answer, each in a process of its own, `jobs` at a time.
template <class Task>
std::vector<SimulatedFigure> in_processes(std::size_t count, std::size_t jobs, const Task& task) {
  const auto told = [&task](std::size_t number) {
    try {
      return fmt::format("{}", task(number));
    } catch (const std::exception& error) {
      return kProblem + std::string(error.what());
    }
  };
  std::vector<SimulatedFigure> figures;
  if (count == 0) return figures;
  ForkedTasks tasks(told, count, jobs);
  while (tasks.wait()) {
  }
  for (std::size_t i = 0; i < count; ++i) figures.push_back(figure_of(tasks.result(i)));
  return figures;
}

}  // namespace

std::vector<std::vector<SimulatedFigure>> simulate_designs(
    const std::vector<platform::FabricDesign>& designs,
    const std::vector<platform::DesignFigures>& figures, const std::vector<std::string>& patterns,
    const Settings& settings, std::size_t jobs) {
  const auto answers =
      in_processes(designs.size() * patterns.size(), jobs, [&](std::size_t number) {
        const std::size_t design = number / patterns.size();
        return accepted_by(designs[design], figures[design], patterns[number % patterns.size()],
                           settings);
      });
  std::vector<std::vector<SimulatedFigure>> loads(designs.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    loads[i / patterns.size()].push_back(answers[i]);
  }
  return loads;
}

std::vector<SimulatedFigure> replay_on_designs(const std::vector<platform::FabricDesign>& designs,
                                               const goal::Schedule& schedule,
                                               const Settings& settings, std::size_t jobs) {
  return in_processes(designs.size(), jobs, [&](std::size_t design) {
    return seconds_on(designs[design], schedule, settings);
  });
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
