// What `heddle topo` says of a machine, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "platform/machine.hpp"
#include "platform/metrics.hpp"
#include "report/route.hpp"

namespace heddle::report {

struct TopoReport {
  const platform::Machine* machine = nullptr;
  platform::Metrics metrics;
  std::optional<Route> route;
  std::optional<IdleMessage> message;  ///< Alone on the route.
};

/// Everything but the route. The machine must outlive the report.
TopoReport describe_fabric(const platform::Machine& machine);
std::string text_of(const TopoReport& report);
Json json_of(const TopoReport& report);

}  // namespace heddle::report
