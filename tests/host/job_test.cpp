#include "host/rank/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "error_of.hpp"
#include "host_support.hpp"

namespace heddle::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Three ranks, two per node: rank 2 is the first of node 1. Each sees itself as the current rank,
// before and after it sleeps; outside of them there is none.
TEST(Job, EachRankIsTheCurrentOneWhileItRuns) {
  TestMachine machine(2);
  std::vector<std::uint32_t> seen;
  FunctionProgram program([&](Rank& rank) {
    EXPECT_EQ(current_rank(), &rank);
    rank.fiber().sleep(Time::ns(10) - Time::ns(static_cast<std::int64_t>(index(rank.id()))));
    EXPECT_EQ(current_rank(), &rank);
    seen.push_back(static_cast<std::uint32_t>(rank.id()));
    return 0;
  });
  Job job(machine.fibers, *machine.platform, program, {3, 2});
  EXPECT_EQ(job.rank(RankId{2}).node(), NodeId{1});
  EXPECT_EQ(job.rank(RankId{2}).local(), 0U);
  machine.fibers.run();
  EXPECT_THAT(seen, ElementsAre(2, 1, 0));
  EXPECT_EQ(current_rank(), nullptr);
}

// A job keeps the exit status of each rank, and tells of its end while the rank is still there.
TEST(Job, KeepsExitStatusAndTellsOfEnds) {
  TestMachine machine(2);
  FunctionProgram program([](Rank& rank) { return static_cast<int>(index(rank.id())) * 3; });
  Job job(machine.fibers, *machine.platform, program, {2, 1});
  std::vector<const Rank*> ended;
  job.ends().tell([&](Rank& rank) {
    EXPECT_EQ(current_rank(), &rank);
    ended.push_back(&rank);
  });
  machine.fibers.run();
  EXPECT_EQ(job.ends().status(RankId{0}), 0);
  EXPECT_EQ(job.ends().status(RankId{1}), 3);
  EXPECT_THAT(ended, ElementsAre(&job.rank(RankId{0}), &job.rank(RankId{1})));
}

// Seven ranks, two per node, need four nodes.
TEST(Job, RefusesAMachineThatIsTooSmall) {
  TestMachine machine(3);
  FunctionProgram program([](Rank&) { return 0; });
  EXPECT_THAT(error_of([&] {
                const Job job(machine.fibers, *machine.platform, program, {7, 2});
              }),
              HasSubstr("7 ranks, 2 per node, need 4 nodes"));
}

// A job that goes while ranks wait lets go of what they hold.
TEST(Job, EndsWhileRanksWait) {
  TestMachine machine(1);
  const auto held = std::make_shared<int>(1);
  {
    FunctionProgram program([&](Rank& rank) {
      const auto mine = held;
      rank.fiber().suspend("waits for ever");
      return 0;
    });
    Job job(machine.fibers, *machine.platform, program, {1, 1});
    machine.simulation.run();
    EXPECT_EQ(held.use_count(), 2);
  }
  EXPECT_EQ(held.use_count(), 1);
}

}  // namespace
}  // namespace heddle::host
