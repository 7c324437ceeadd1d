#include "host/rank/spinners.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"
#include "host/rank/job.hpp"
#include "host_support.hpp"

namespace heddle::host {
namespace {

using testing::HasSubstr;

/// Ranks of one node, which share the test's memory, and what drives a run of them.
class NodeRanks {
 public:
  NodeRanks(std::uint32_t ranks, std::function<int(Rank&)> body)
      : program_(std::move(body)), job_(machine_.fibers, *machine_.platform, program_, of(ranks)) {}

  /// Answers what went wrong, or nothing.
  std::string run() {
    try {
      do {
        machine_.simulation.run();
        ++resorts_;
      } while (job_.shared().waiters().spinners.last_resort());
      machine_.fibers.run();
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  }
  int resorts() const { return resorts_ - 1; }
  Simulation& simulation() { return machine_.simulation; }

 private:
  static JobConfig of(std::uint32_t ranks) {
    JobConfig config;
    config.ranks = config.ranks_per_node = ranks;
    return config;
  }

  TestMachine machine_{1};
  FunctionProgram program_;
  Job job_;
  int resorts_ = 0;
};

/// Waits by looking until a flag is `wanted`, as code is seen to do of which it is known what it
/// reads. Answers how often it went on.
int look_for(Rank& rank, volatile int& flag, int wanted) {
  int looks = 0;
  for (; flag != wanted; ++looks) {
    LookedAt looked_at;
    looked_at.add(reinterpret_cast<std::uint64_t>(&flag), static_cast<std::uint32_t>(flag),
                  sizeof flag);
    rank.thread().looks().spin("looks", {&looked_at});
  }
  return looks;
}

/// The same of code of which that is not known.
int stare_at(Rank& rank, volatile int& flag, int wanted, bool new_state = false) {
  int looks = 0;
  for (; flag != wanted; ++looks) rank.thread().looks().spin("stares", {nullptr, new_state});
  return looks;
}

void make_call(Rank& rank) {
  const Call call(rank);
}

// A helper waits by looking for four phases, and for a hundred; the other rank sleeps 1,500 times
// before each. It is waked once for each phase, when that begins: at 1.5 us, 3 us and so on.
TEST(Spinners, AreWakedByWhatTheyLookAt) {
  for (const int phases : {4, 100}) {
    volatile int flag = 0;
    int looks = 0;
    std::vector<Time> seen;
    NodeRanks ranks(2, [&](Rank& rank) {
      for (int phase = 1; phase <= phases; ++phase) {
        if (index(rank.id()) == 0) {
          looks += look_for(rank, flag, phase);
          seen.push_back(rank.now());
        } else {
          for (int i = 0; i < 1500; ++i) rank.thread().waits().sleep(Time::ns(1));
          flag = phase;
          // It is seen when this one stops.
          rank.thread().waits().sleep(Time::zero());
        }
      }
      return 0;
    });
    EXPECT_EQ(ranks.run(), "");
    EXPECT_EQ(ranks.resorts(), 0);
    EXPECT_EQ(looks, phases);
    for (int i = 0; i < phases; ++i) {
      EXPECT_EQ(seen[static_cast<std::size_t>(i)], Time::ns(1500 * (i + 1)));
    }
  }
}

// The same where it is not known what the helper looks at: after a while it looks only when nothing
// else is left, once for each phase, and makes a call then. That is progress, however many phases
// there are.
TEST(Spinners, CallsAreProgress) {
  constexpr int kPhases = 100;
  volatile int flag = 0;
  volatile int done = 0;
  NodeRanks ranks(2, [&](Rank& rank) {
    for (int phase = 1; phase <= kPhases; ++phase) {
      if (index(rank.id()) == 0) {
        stare_at(rank, flag, phase);
        make_call(rank);
        done = phase;
        rank.job().rank(RankId{1}).threads().ring();
      } else {
        for (int i = 0; i < 1500; ++i) rank.thread().waits().sleep(Time::ns(1));
        flag = phase;
        while (done != phase) rank.thread().waits().wait("waits");
      }
    }
    return 0;
  });
  EXPECT_EQ(ranks.run(), "");
}

// Nobody will change what is looked at: neither of the two goes on even once, and that is found
// after a few resorts.
TEST(Spinners, ADeadlockIsFound) {
  volatile int flag = 0;
  int looks = 0;
  NodeRanks ranks(2, [&](Rank& rank) {
    looks += look_for(rank, flag, 1);
    return 0;
  });
  EXPECT_THAT(ranks.run(),
              AllOf(HasSubstr("deadlock"), HasSubstr("rank 0 looks"), HasSubstr("rank 1 looks")));
  EXPECT_EQ(looks, 0);
  EXPECT_LE(ranks.resorts(), 5);
}

// Two that hand a turn to and fro by what they write alone, without a call, ten thousand times:
// what each looks at changes each time, so nobody is taken for stuck.
TEST(Spinners, HandATurnToAndFro) {
  volatile int turn = 0;
  NodeRanks ranks(2, [&](Rank& rank) {
    const int mine = static_cast<int>(index(rank.id()));
    for (int i = 0; i < 10'000; ++i) {
      look_for(rank, turn, mine);
      turn = 1 - mine;
    }
    return 0;
  });
  EXPECT_EQ(ranks.run(), "");
  EXPECT_EQ(ranks.resorts(), 0);
}

// One that is seen now in one loop, now in another, both in vain, seems to get on, but not for
// ever: after 1,000 changes without a call it is a deadlock.
TEST(Spinners, ToAlternateIsNoProgressForEver) {
  volatile int flag = 0;
  NodeRanks ranks(1, [&](Rank& rank) {
    stare_at(rank, flag, 1, true);
    return 0;
  });
  EXPECT_THAT(ranks.run(), HasSubstr("deadlock"));
  EXPECT_GE(ranks.resorts(), 1000);
  EXPECT_LE(ranks.resorts(), 1010);
}

// What one run has counted is of no interest to the next.
TEST(Spinners, BelongToTheirRun) {
  for (int run = 0; run < 5; ++run) {
    volatile int flag = 0;
    volatile int never = 0;
    NodeRanks stuck(1, [&](Rank& rank) { return stare_at(rank, never, 1); });
    NodeRanks fine(2, [&](Rank& rank) {
      if (index(rank.id()) == 0) {
        stare_at(rank, flag, 1);
      } else {
        // So that the other's patience grows, and only the last resort is left.
        for (int i = 0; i < 3000; ++i) rank.thread().waits().sleep(Time::ns(1));
        flag = 1;
      }
      return 0;
    });
    EXPECT_THAT(stuck.run(), HasSubstr("deadlock")) << run;
    EXPECT_EQ(fine.run(), "") << run;
  }
}

}  // namespace
}  // namespace heddle::host
