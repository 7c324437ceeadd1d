#include "host/rank/rank.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "host/rank/job.hpp"
#include "host_support.hpp"

namespace heddle::host {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Runs `body` as so many ranks, each on a node of its own unless `config` says otherwise.
class Ranks {
 public:
  explicit Ranks(std::function<int(Rank&)> body, JobConfig config = {})
      : machine_(static_cast<int>(config.ranks)),
        program_(std::move(body)),
        job_(machine_.fibers, *machine_.platform, program_, config) {}
  void run() { machine_.fibers.run(); }
  Job& job() { return job_; }
  Simulation& simulation() { return machine_.simulation; }
  std::string error() {
    try {
      run();
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  }

 private:
  TestMachine machine_;
  FunctionProgram program_;
  Job job_;
};

JobConfig with_ranks(std::uint32_t ranks, std::uint32_t per_node = 1) {
  JobConfig config;
  config.ranks = ranks;
  config.ranks_per_node = per_node;
  return config;
}

// Rank 0 waits; rank 1 rings at 5 ns. A second wait of at most 3 ns is not rung and ends at 8 ns.
TEST(Rank, WaitsUntilItIsRungOrTimeIsOver) {
  std::vector<bool> rung;
  Ranks ranks(
      [&](Rank& rank) {
        if (index(rank.id()) == 1) {
          rank.thread().waits().sleep(Time::ns(5));
          rank.job().rank(RankId{0}).threads().ring();
          return 0;
        }
        rung.push_back(rank.thread().waits().wait("waits"));
        rung.push_back(rank.thread().waits().wait("waits", Time::ns(3)));
        return 0;
      },
      with_ranks(2));
  ranks.run();
  EXPECT_THAT(rung, ElementsAre(true, false));
  EXPECT_EQ(ranks.simulation().now(), Time::ns(8));
  EXPECT_EQ(ranks.job().rank(RankId{0}).account().times().waiting, Time::ns(8));
  EXPECT_EQ(ranks.job().rank(RankId{1}).account().times().sleeping, Time::ns(5));
}

// Ten polls in vain cost 10 ns each.
TEST(Rank, PollsCostTime) {
  Ranks ranks([&](Rank& rank) {
    for (int i = 0; i < 10; ++i) rank.thread().looks().polled("polls");
    return 0;
  });
  ranks.run();
  EXPECT_EQ(ranks.simulation().now(), Time::ns(100));
}

// 2,000 polls of a progress loop cost 20 us, also while another rank has something to do.
TEST(Rank, PollsCostAConstant) {
  Time done;
  Ranks ranks(
      [&](Rank& rank) {
        if (index(rank.id()) == 0) {
          rank.thread().work().compute(Time::s(1));
          return 0;
        }
        for (int i = 0; i < 2000; ++i) rank.thread().looks().polled("polls");
        done = rank.now();
        return 0;
      },
      with_ranks(2));
  ranks.run();
  EXPECT_EQ(done, Time::us(20));
}

// Rank 1 polls, 10 ns a look, for something that rank 0 makes true after 1 s and 3 ns. It finds out
// with the look after that, with far fewer looks than a hundred million.
TEST(Rank, LongPollingIsCheapAndFindsOutInTime) {
  bool there = false;
  std::uint64_t polls = 0;
  Time found;
  Ranks ranks(
      [&](Rank& rank) {
        if (index(rank.id()) == 0) {
          rank.thread().work().compute(Time::s(1) + Time::ns(3));
          there = true;
          rank.job().rank(RankId{1}).threads().ring();
          return 0;
        }
        for (; !there; ++polls) rank.thread().looks().polled("polls");
        found = rank.now();
        return 0;
      },
      with_ranks(2));
  ranks.run();
  EXPECT_EQ(found, Time::s(1) + Time::ns(10));
  EXPECT_LT(polls, 1'100'000U);
}

// A program that polls until the clock says 1 ms ends at most 1 us late.
TEST(Rank, PollingByTheClockEndsNearItsTime) {
  Ranks ranks([&](Rank& rank) {
    while (rank.now() < Time::ms(1)) rank.thread().looks().polled("polls");
    return 0;
  });
  ranks.run();
  EXPECT_GE(ranks.simulation().now(), Time::ms(1));
  EXPECT_LE(ranks.simulation().now(), Time::ms(1) + Time::us(1));
}

// Rank 0 polls for what rank 1 does after it has polled 150,000 times itself: with nothing on its
// way, both are patient.
TEST(Rank, OnesPollsAreNotCountedAgainstAnother) {
  bool there = false;
  Ranks ranks(
      [&](Rank& rank) {
        if (index(rank.id()) == 1) {
          for (int i = 0; i < 150'000; ++i) rank.thread().looks().polled("polls");
          there = true;
          rank.job().rank(RankId{0}).threads().ring();
          return 0;
        }
        while (!there) rank.thread().looks().polled("polls");
        return 0;
      },
      with_ranks(2));
  EXPECT_EQ(ranks.error(), "");
}

// Somebody who gives up after a hundred thousand looks does give up, although nothing else happens.
TEST(Rank, CountedPollsComeToTheirEnd) {
  int polls = 0;
  Ranks ranks([&](Rank& rank) {
    for (; polls < 100'000; ++polls) rank.thread().looks().polled("polls");
    return 0;
  });
  ranks.run();
  EXPECT_EQ(polls, 100'000);
}

// Two ranks that poll for ever, and nothing else: a deadlock that says so.
TEST(Rank, PollersWithNothingLeftAreADeadlock) {
  Ranks ranks(
      [](Rank& rank) {
        rank.thread().waits().sleep(Time::us(1));
        for (;;) rank.thread().looks().polled("polls with PtlEQGet");
        return 0;
      },
      with_ranks(2));
  const std::string error = ranks.error();
  EXPECT_THAT(error, HasSubstr("deadlock"));
  EXPECT_THAT(error, HasSubstr("rank 1 polls with PtlEQGet, in vain since 1 us"));
}

// Three ranks on a node with two cores compute 10 ns each from the start: ranks 0 and 2 share the
// first core, so rank 2 is done at 20 ns and has waited for half of it.
TEST(Rank, RanksShareCores) {
  TestMachine machine(1, "node: {cores: 2}\n");
  std::vector<Time> done(3);
  FunctionProgram program([&](Rank& rank) {
    rank.thread().work().compute(Time::ns(10));
    done[index(rank.id())] = rank.now();
    return 0;
  });
  Job job(machine.fibers, *machine.platform, program, with_ranks(3, 3));
  machine.fibers.run();
  EXPECT_THAT(done, ElementsAre(Time::ns(10), Time::ns(10), Time::ns(20)));
  EXPECT_EQ(job.rank(RankId{2}).account().times().computing, Time::ns(10));
  EXPECT_EQ(job.rank(RankId{2}).account().times().waiting, Time::ns(10));
}

// With a fixed cost of 7 ns each call charges 7 ns for what was computed before it, and so does the
// end of the rank; calls within calls charge nothing.
TEST(Rank, CallsChargeAFixedCost) {
  JobConfig config;
  config.host.compute = ComputeModel::fixed;
  config.host.compute_time = Time::ns(7);
  Ranks ranks(
      [&](Rank& rank) {
        for (int i = 0; i < 3; ++i) {
          const Call call(rank);
          const Call inner(rank);
        }
        return 0;
      },
      config);
  std::vector<Time> ends;
  ranks.job().processors().tell([&](Rank&, Time, Time end) { ends.push_back(end); });
  ranks.run();
  EXPECT_THAT(ends, ElementsAre(Time::ns(7), Time::ns(14), Time::ns(21), Time::ns(28)));
}

// Measured computation takes time, and none at a factor of zero.
TEST(Rank, CallsChargeWhatWasMeasured) {
  for (const double factor : {0.0, 1000.0}) {
    JobConfig config;
    config.host.compute = ComputeModel::measure;
    config.host.compute_factor = factor;
    Ranks ranks(
        [&](Rank& rank) {
          const Call first(rank);
          return 0;
        },
        config);
    ranks.run();
    EXPECT_EQ(ranks.simulation().now() > Time::zero(), factor > 0);
  }
}

}  // namespace
}  // namespace heddle::host
