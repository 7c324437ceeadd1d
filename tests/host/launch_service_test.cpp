#include "host/rank/launch_service.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace heddle::host {
namespace {

/// Members without code: those that wait are gone.
class GoneMembers final : public Members {
 public:
  struct Gone {};
  std::uint32_t size() const override { return 4; }
  void wait(RankId, const WaitReason& reason) override {
    reasons.push_back(reason.text());
    throw Gone();
  }
  void ring_all() override { ++rung; }

  std::vector<std::string> reasons;
  int rung = 0;
};

struct LaunchBed {
  Simulation simulation;
  GoneMembers members;
  LaunchService service{members, simulation, Time::us(1)};
};

// Three of four members are there when the last one comes, at 0: all are rung ceil(log2 4) = 2
// steps of 1 us later, once.
TEST(LaunchServiceAlone, BarriersTakeAStepForEachDoubling) {
  LaunchBed bed;
  for (std::uint32_t r = 0; r < 3; ++r) {
    EXPECT_THROW(bed.service.barrier(RankId{r}, "meet"), GoneMembers::Gone);
  }
  bed.simulation.run();
  EXPECT_EQ(bed.members.rung, 0);
  EXPECT_EQ(bed.members.reasons.back(), "waits in meet: 3 of 4 ranks are there");
  EXPECT_THROW(bed.service.barrier(RankId{3}, "meet"), GoneMembers::Gone);
  bed.simulation.run();
  EXPECT_EQ(bed.members.rung, 1);
  EXPECT_EQ(bed.simulation.now(), Time::us(2));
}

// What a member has put is seen when it shows it, under its own number and as the last that was
// shown.
TEST(LaunchServiceAlone, ShowsWhatWasPut) {
  LaunchBed bed;
  bed.service.put(RankId{1}, "key", "one");
  EXPECT_EQ(bed.service.find("key"), std::nullopt);
  bed.service.show(RankId{1});
  bed.service.put(RankId{2}, "key", "two");
  bed.service.show(RankId{2});
  EXPECT_EQ(bed.service.get(RankId{1}, "key"), "one");
  EXPECT_EQ(bed.service.find("key"), "two");
  EXPECT_TRUE(bed.service.remove("key"));
  EXPECT_FALSE(bed.service.remove("key"));
}

}  // namespace
}  // namespace heddle::host
