// Machines, routings and lanes that `heddle topo --lanes` calls safe, at full load for long.
#include <gtest/gtest.h>

#include <cstdlib>

#include "network/full_load.hpp"
#include "validation.hpp"

namespace heddle::network {
namespace {

void expect_a_million(const LaneCase& c) {
  constexpr std::uint64_t kMessages = 250'000;
  const std::uint64_t missing = missing_at_full_load(c, kMessages);
  EXPECT_EQ(missing, 0U) << text_of(c);
  validation_row("Packets that no circle of buffers can stop", text_of(c),
                 std::to_string(4 * (kMessages - missing)) + " packets arrived", "1000000", "",
                 "0");
}

// 250,000 messages of four packets each, with room for one packet per buffer and lane: all arrive.
TEST(PacketLanes, AMillionPacketsWithoutCirclesAllArrive) {
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  for (const LaneCase& c : safe_cases()) {
    ASSERT_TRUE(checked(c, machine_of(c)).circle.empty()) << text_of(c);
    expect_a_million(c);
  }
}

// The same for every pair of shape and routing, with the lanes that it has by itself and with one,
// as far as it is safe.
TEST(PacketLanes, EverySafePairOfShapeAndRouting) {
  if (std::getenv("HEDDLE_VALIDATE") == nullptr) GTEST_SKIP() << "left out";
  for (const LaneCase& c : all_pairs()) {
    if (checked(c, machine_of(c)).circle.empty()) expect_a_million(c);
  }
}

}  // namespace
}  // namespace heddle::network
