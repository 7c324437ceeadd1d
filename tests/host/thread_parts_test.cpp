// Parts of a thread by themselves: on a fiber, without a rank.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "host/rank/thread_waits.hpp"
#include "host/rank/thread_work.hpp"
#include "host_support.hpp"

namespace heddle::host {
namespace {

class BareJob final : public JobSite {
 public:
  BareJob(TestMachine& machine, const HostParams& params)
      : JobSite(machine.simulation, *machine.platform, params, {}, 1) {
    const NodeId first{0};
    add_to_nodes({&first, 1});
  }
};

class BareRank final : public RankSite {
 public:
  BareRank(JobSite& job, Program& program) : RankSite(job, program, RankId{0}, NodeId{0}, 0) {}
  Rank& self() override { std::abort(); }
  void run() override {}
  void foresee() const override {}
  void resumed(Thread&) override {}
  bool over() const override { return false; }
  void ended() override {}
};

class BareThread final : public ThreadSite {
 public:
  explicit BareThread(RankSite& rank) : ThreadSite(rank, 0) {}
  using ThreadSite::run_on;
};

/// The parts of one thread, whose code is a function, and another fiber beside it.
class ThreadParts : public testing::Test {
 protected:
  void run(const std::function<void()>& code, const std::function<void(Fiber&)>& other = {}) {
    site.run_on(machine.fibers.spawn("thread", [&](Fiber&) { code(); }));
    account.begin(nullptr);
    if (other) machine.fibers.spawn("other", other);
    machine.fibers.run();
  }

  TestMachine machine{1};
  HostParams params = host_table().defaults();
  FunctionProgram program{[](Rank&) { return 0; }};
  BareJob job{machine, params};
  BareRank rank{job, program};
  BareThread site{rank};
  ThreadAccount account{site};
  ThreadWaits waits{site, account};
  ThreadWork work{site, waits};
};

// A wait that is rung at 4 ns has taken 4 ns of waiting; one of at most 5 ns that nobody rings ends
// at 9 ns, and answers so.
TEST_F(ThreadParts, WaitUntilRung) {
  bool rung = false;
  bool again = true;
  run(
      [&] {
        rung = waits.wait("waits");
        EXPECT_EQ(account.times().waiting, Time::ns(4));
        again = waits.wait("waits", Time::ns(5));
      },
      [&](Fiber& other) {
        other.sleep(Time::ns(4));
        waits.ring();
      });
  EXPECT_TRUE(rung);
  EXPECT_FALSE(again);
  EXPECT_EQ(account.times().waiting, Time::ns(9));
  EXPECT_EQ(machine.simulation.now(), Time::ns(9));
}

// Who is rung at 4 ns so that it goes on 3 ns later has waited 4 ns, not 7; put off to 5 ns later
// in that instant, it goes on at 9 ns and has waited 4 ns still.
TEST_F(ThreadParts, WaitNoLongerThanUntilTheRing) {
  run(
      [&] {
        waits.wait("waits");
        EXPECT_EQ(site.now(), Time::ns(9));
      },
      [&](Fiber& other) {
        other.sleep(Time::ns(4));
        waits.ring_in(Time::ns(3));
        waits.put_off(Time::ns(5));
      });
  EXPECT_EQ(account.times().waiting, Time::ns(4));
}

// A ring ends no sleep. Of 10 ns in all, 6 ns asleep and 3 ns waiting leave the 1 ns that was
// charged on the clock of processor time.
TEST_F(ThreadParts, KeepAccountOfWhatTheyDo) {
  run(
      [&] {
        EXPECT_EQ(waits.sleep(Time::ns(6)), Time::zero());
        work.charge(Time::ns(1));
        waits.wait("waits", Time::ns(3));
      },
      [&](Fiber& other) {
        other.sleep(Time::ns(2));
        waits.ring();
      });
  EXPECT_EQ(account.times().sleeping, Time::ns(6));
  EXPECT_EQ(account.times().waiting, Time::ns(3));
  EXPECT_EQ(account.processor_time(), Time::ns(1));
}

// By itself, computation takes no time, and none of it goes on beside the simulator.
TEST_F(ThreadParts, ChargeNothingForComputationThatTakesNoTime) {
  run([&] {
    work.begin_stretch();
    work.end_stretch();
  });
  EXPECT_EQ(account.times().computing, Time::zero());
  EXPECT_FALSE(work.departs());
}

}  // namespace
}  // namespace heddle::host
