#include "goal/patterns/room.hpp"

#include <unistd.h>

#include <fmt/core.h>

#include "core/error.hpp"
#include "goal/schedule_builder.hpp"

namespace heddle::goal {

void require_room(std::string_view pattern, std::int64_t ranks, double operations) {
  constexpr double kBytes = 32;  // Of an operation with its dependencies.
  constexpr double kGiB = 1 << 30;
  const double memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  const std::string asked =
      fmt::format("{} on {} ranks has about {:.3g} operations", pattern, ranks, operations);
  if (operations / static_cast<double>(ranks) > ScheduleBuilder::kMostOps) {
    throw InputError({"pattern"}, asked + fmt::format(": at most {} a rank are accepted",
                                                      ScheduleBuilder::kMostOps));
  }
  if (operations * kBytes > memory) {
    throw InputError(
        {"pattern"},
        asked + fmt::format(", which need {:.3g} GiB of memory: this machine has {:.3g}",
                            operations * kBytes / kGiB, memory / kGiB));
  }
}

}  // namespace heddle::goal
