// What `heddle topo --fail` says: a fabric before and after failures.
#pragma once

#include <string>

#include "platform/figures/metrics.hpp"
#include "platform/loads/static_loads.hpp"
#include "report/json.hpp"

namespace heddle::report {

/// Figures of a fabric that failures change.
struct FabricState {
  std::uint32_t cables = 0;
  platform::Metrics metrics;
  platform::WorstShift worst;
};
FabricState state_of(const platform::Platform& platform);
/// The same where the metrics are known.
FabricState state_of(const platform::Platform& platform, const platform::Metrics& metrics);

struct FailureReport {
  std::string failures;  ///< As the user said it: "1%".
  FabricState before;
  FabricState after;
};

/// Of a fabric and what is left of it, whose bisection is no wider than what was found of the
/// whole.
FailureReport compared(std::string failures, FabricState before, FabricState after);

std::string text_of(const FailureReport& report);
Json json_of(const FailureReport& report);

}  // namespace heddle::report
