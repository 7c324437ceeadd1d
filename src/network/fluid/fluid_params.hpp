// What the fluid model's parameters are, and what they mean together.
#pragma once

#include <optional>

#include "core/params.hpp"
#include "core/units.hpp"

namespace heddle::network {

enum class Weighting { automatic, none, simgrid };
enum class Occupancy { automatic, send, after_latency };
/// Whether a message stays below the bandwidth that its route had when it began.
enum class StartCap { automatic, none, route };
/// Several parameters at once, as other simulators have them.
enum class FluidPreset { none, simgrid_cm02, simgrid_lv08, smpi };
/// In which order messages between the same ends are served.
enum class FluidOrder { shared, by_pair };
/// What the factors of latency and bandwidth are multiplied by.
enum class SizeFactors { automatic, none, smpi };

/// What the user may set; the preset decides what is not.
struct FluidConfig {
  FluidPreset preset = FluidPreset::none;
  Weighting weighting = Weighting::automatic;
  std::optional<Bytes> weight_s;
  std::optional<Bytes> tcp_gamma;
  std::optional<double> cross_traffic;
  std::optional<double> latency_factor;
  std::optional<double> bandwidth_factor;
  SizeFactors size_factors = SizeFactors::automatic;
  Occupancy occupancy = Occupancy::automatic;
  StartCap start_cap = StartCap::automatic;
  FluidOrder order = FluidOrder::shared;
  double tolerance = 0;

  static const ParamTable<FluidConfig>& table();
};

/// What is in force.
struct FluidParams {
  Weighting weighting = Weighting::none;
  Bytes weight_s;
  Bytes tcp_gamma;
  double cross_traffic = 0;
  double latency_factor = 1;
  double bandwidth_factor = 1;
  SizeFactors size_factors = SizeFactors::none;
  Occupancy occupancy = Occupancy::send;
  StartCap start_cap = StartCap::none;
  FluidOrder order = FluidOrder::shared;

  /// What a route's latency is multiplied by, of a message of that size.
  double latency_factor_of(Bytes size) const;
  /// The service that makes the whole of such a message, in bytes.
  double service_of(Bytes size) const;
};
FluidParams params_of(const FluidConfig& config);

}  // namespace heddle::network
