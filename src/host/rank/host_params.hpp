// The parameters of the section `host`: what code costs on a node, and where ranks keep things.
#pragma once

#include <cstdint>
#include <optional>

#include "core/params.hpp"

namespace heddle::host {

/// What computation between two calls costs.
enum class ComputeModel : std::uint8_t {
  none,     ///< Nothing.
  measure,  ///< The processor time it takes here, times a factor.
  fixed,    ///< Always the same.
  count,    ///< What it does, as the program counts it, over a rate.
};

/// How each rank gets globals of its own.
enum class Privatization : std::uint8_t { automatic, copies, swap, none };

struct HostParams {
  ComputeModel compute = ComputeModel::none;
  double compute_factor = 1;
  Time compute_time;
  Time compute_threshold;
  std::int64_t count_rate = 1;  ///< A second, on a core of the fastest nodes.
  Time poll_cost;
  Time poll_patience;
  Time clock_cost;
  Time spin_patience;
  Time outside_patience;
  Time barrier_step;
  Privatization privatize = Privatization::automatic;
  std::optional<Bytes> stack;
  std::int64_t epoch = 0;
  std::int64_t threads_per_rank = 1;
  std::int64_t disturb_threads = 0;
};

const ParamTable<HostParams>& host_table();

}  // namespace heddle::host
