// What `heddle topo` says of a machine, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "network/packet/channel_graph.hpp"
#include "platform/figures/metrics.hpp"
#include "platform/machine.hpp"
#include "report/json.hpp"
#include "report/topo/cost_report.hpp"
#include "report/topo/failure_report.hpp"
#include "run/idle_message.hpp"

namespace heddle::report {

struct TopoReport {
  const platform::Machine* machine = nullptr;
  platform::Metrics metrics;
  std::optional<run::Route> route;
  std::optional<run::IdleMessage> message;  ///< Alone on the route.
  std::optional<CostReport> cost = std::nullopt;
  std::optional<FailureReport> failures = std::nullopt;
  std::optional<network::LaneCheck> lanes;  ///< Whether packets can deadlock, if it was asked.
};

/// Everything but the route. The machine must outlive the report.
TopoReport describe_fabric(const platform::Machine& machine);
std::string text_of(const TopoReport& report);
Json json_of(const TopoReport& report);

}  // namespace heddle::report
