// Puts without trouble: the times of each path of the payload, and what the software is told.
#include <gtest/gtest.h>

#include "support.hpp"

namespace heddle::nic {
namespace {

using ::testing::Test;

/// The command (64 B) crosses the bus in 250 + 6.4 ns; the engine takes 2 ns; 8 B travel 1 us + 0.8
/// ns and are matched; the acknowledgement needs 2 ns, 1 us and 3.2 ns for its 32 B. Its event
/// takes 250 + 9.6 ns, and is seen 250 ns later.
TEST(Put, InlinePayloadTravelsInTheCommand) {
  Bed bed;
  bed.notebook.completed_events = 1;
  const std::uint32_t put = bed.put(8);
  bed.simulation.run();
  const Notebook::Page& page = bed.page(put);
  EXPECT_EQ(page.accepted, std::vector{Time::ps(256'400)});
  EXPECT_EQ(page.arrived, std::vector{Time::ps(256'400 + 2'000 + 1'000'800)});
  EXPECT_EQ(page.completed, std::vector{Time::ps(1'259'200 + 1'005'200)});
  EXPECT_EQ(bed.notebook.seen, std::vector{Time::ps(2'264'400 + 509'600)});
}

}  // namespace
}  // namespace heddle::nic
