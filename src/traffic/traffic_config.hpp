// What synthetic traffic can be asked for: the section `traffic` of the parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/params.hpp"
#include "traffic/load.hpp"
#include "traffic/sizes.hpp"

namespace heddle::traffic {

/// Whether nodes send at a rate of their own, or wait for earlier messages to arrive.
enum class Loop { open, closed };
enum class Spacing { exponential, constant, bernoulli, log_normal };
/// Whether the loads of a sweep draw the same random numbers, or each its own.
enum class LoadStreams { shared, own };
/// Where messages begin and end within a node.
enum class From { memory, nic };
/// Whether flows are compared with what they take alone.
enum class Slowdown { automatic, yes, no };

struct TrafficConfig {
  std::string pattern;  ///< A name of pattern_kinds().
  SizeDistribution size;
  std::string size_file;  ///< Whose distribution stands in for `size`, or "none".
  Loop loop = Loop::open;
  std::int64_t seed = 1;
  std::int64_t seeds = 1;
  From from = From::memory;
  std::int64_t traffic_class = 0;
  Slowdown slowdown = Slowdown::automatic;

  // Open loop.
  Loads load;
  bool find_saturation = false;
  Spacing spacing = Spacing::exponential;
  double spacing_sigma = 1;
  double incast = 0;
  double outcast = 0;
  std::int64_t burst_degree = 16;
  Bytes burst_size;
  LoadStreams load_streams = LoadStreams::shared;
  std::optional<Time> warm_up;
  std::optional<Time> duration;
  std::optional<Time> drain;

  // Closed loop.
  std::optional<std::int64_t> messages;
  std::int64_t window = 1;

  // Of single patterns.
  std::int64_t shift = 1;
  std::int64_t group = 1;
  double hot_fraction = 0;
  std::int64_t hot_nodes = 1;
  std::int64_t target = 0;
  std::optional<std::int64_t> fan_in;
  std::string grid;
  std::string file;

  /// The part of the load that is the pattern's.
  double pattern_part() const { return 1 - incast - outcast; }
  bool has_size_file() const { return size_file != "none"; }
  bool measures_slowdown() const {
    return slowdown == Slowdown::yes || (slowdown == Slowdown::automatic && size.is_measured());
  }
};

const ParamTable<TrafficConfig>& traffic_table();

}  // namespace heddle::traffic
