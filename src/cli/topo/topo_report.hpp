// What `heddle topo` says of a machine, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "cli/common.hpp"
#include "platform/metrics.hpp"
#include "report/route.hpp"

namespace heddle::cli {

struct TopoReport {
  const Machine* machine = nullptr;
  platform::Metrics metrics;
  std::optional<report::Route> route;
  std::optional<report::IdleMessage> message;  ///< Alone on the route.
};

/// Everything but the route. The machine must outlive the report.
TopoReport describe_fabric(const Machine& machine);
std::string text_of(const TopoReport& report);
report::Json json_of(const TopoReport& report);

}  // namespace heddle::cli
