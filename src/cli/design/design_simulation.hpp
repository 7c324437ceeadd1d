// What designs accept of traffic that is simulated, and how long schedules take on them, all of
// them side by side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "goal/schedule.hpp"
#include "platform/designs/design_figures.hpp"

namespace heddle::cli {

/// The pattern that stands for the shift which is worst for each design.
inline constexpr std::string_view kWorstShift = "worst-shift";

/// A figure of a design that was simulated.
struct SimulatedFigure {
  std::optional<double> value;
  std::string problem = {};  ///< Why there is none.
};

/// Simulates each design under each pattern, `jobs` at a time, each in a process of its own, over
/// the network of the settings: what of the injection it accepts where nodes offer all they can.
/// `figures` are by design; the answer is by design, then pattern.
std::vector<std::vector<SimulatedFigure>> simulate_designs(
    const std::vector<platform::FabricDesign>& designs,
    const std::vector<platform::DesignFigures>& figures, const std::vector<std::string>& patterns,
    const Settings& settings, std::size_t jobs);

/// Replays the schedule on each design in the same way: when its last rank has ended, in seconds.
std::vector<SimulatedFigure> replay_on_designs(const std::vector<platform::FabricDesign>& designs,
                                               const goal::Schedule& schedule,
                                               const Settings& settings, std::size_t jobs);

/// Assigns what a simulation of designs needs and the user has not set: the network `packet`, all
/// that nodes can inject, and 20 us of it behind as many of warming up.
void assign_simulation(Settings& settings);

}  // namespace heddle::cli
