#include "core/fiber.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <cfenv>
#include <cstring>
#include <memory>

#include "core/sanitizer.hpp"
#include "error_of.hpp"

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Room for the frames of a sanitizer build.
constexpr FiberConfig kFew{Bytes(256 * 1024), 8};

// A program that sleeps 3 ns and then 4 ns ends at 7 ns.
TEST(Fiber, SleepsAddUp) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  Fiber& fiber = fibers.spawn("sleeper", [](Fiber& self) {
    self.sleep(Time::ns(3));
    self.sleep(Time::ns(4));
  });
  fibers.run();
  EXPECT_EQ(simulation.now(), Time::ns(7));
  EXPECT_TRUE(fiber.finished());
  EXPECT_EQ(fibers.unfinished(), 0U);
}

// Two programs that sleep until the same instant go on in the order in which they were spawned,
// whoever went to sleep first; a sleep of zero lets the other go first.
TEST(Fiber, SimultaneousProgramsGoOnInOrderOfTheirSpawning) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  std::vector<std::string> log;
  fibers.spawn("a", [&](Fiber& self) {
    self.sleep(Time::ns(1));
    self.sleep(Time::ns(4));
    log.push_back("a");
    self.sleep(Time::zero());
    log.push_back("a again");
  });
  fibers.spawn("b", [&](Fiber& self) {
    self.sleep(Time::ns(5));
    log.push_back("b");
  });
  fibers.run();
  EXPECT_THAT(log, ElementsAre("a", "b", "a again"));
  EXPECT_EQ(simulation.now(), Time::ns(5));
}

// The consumer waits at 0, is woken at 10 ns by the producer and goes on in that instant. A second
// wake in the same instant, and one of a sleeping or finished fiber, does nothing.
TEST(Fiber, WakesInTheSameInstantAndOnlyWhoIsSuspended) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  Time woken;
  Fiber& consumer = fibers.spawn("consumer", [&](Fiber& self) {
    self.suspend("waits for the producer");
    woken = simulation.now();
    self.sleep(Time::ns(5));
  });
  std::vector<bool> answers;
  fibers.spawn("producer", [&](Fiber& self) {
    self.sleep(Time::ns(10));
    answers.push_back(consumer.wake());
    answers.push_back(consumer.wake());
    self.sleep(Time::ns(1));
    answers.push_back(consumer.wake());
    self.sleep(Time::ns(10));
    answers.push_back(consumer.wake());
  });
  fibers.run();
  EXPECT_EQ(woken, Time::ns(10));
  EXPECT_THAT(answers, ElementsAre(true, false, false, false));
}

// Who has a deputy goes on itself only at the third wake, at 3 ns, for the deputy has seen to the
// first two. A wake while it acts does nothing, as if the fiber ran.
TEST(Fiber, ADeputyActsInItsPlace) {
  struct Counter final : FiberDeputy {
    bool act() override {
      EXPECT_EQ(fiber->scheduler().current(), nullptr);
      EXPECT_FALSE(fiber->wake());
      return ++calls == 3;
    }
    Fiber* fiber = nullptr;
    int calls = 0;
  } deputy;
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  Time woken;
  deputy.fiber = &fibers.spawn("consumer", [&](Fiber& self) {
    self.suspend("waits for the producer", deputy);
    woken = simulation.now();
    self.sleep(Time::ns(5));
  });
  fibers.spawn("producer", [&](Fiber& self) {
    for (int i = 0; i < 3; ++i) {
      self.sleep(Time::ns(1));
      EXPECT_TRUE(deputy.fiber->wake());
    }
  });
  fibers.run();
  EXPECT_EQ(woken, Time::ns(3));
  EXPECT_EQ(deputy.calls, 3);
  EXPECT_EQ(simulation.now(), Time::ns(8));
}

// Who is woken at 10 ns for 3 ns later, and in that instant put off to 7 ns later, goes on at 17
// ns; nobody can wake it in between.
TEST(Fiber, WakesLater) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  Time woken;
  Fiber& consumer = fibers.spawn("consumer", [&](Fiber& self) {
    self.suspend("waits for the producer");
    woken = simulation.now();
  });
  std::vector<bool> answers;
  fibers.spawn("producer", [&](Fiber& self) {
    self.sleep(Time::ns(10));
    answers.push_back(consumer.wake_in(Time::ns(3)));
    consumer.put_off(Time::ns(7));
    self.sleep(Time::ns(5));
    answers.push_back(consumer.wake());
  });
  fibers.run();
  EXPECT_EQ(woken, Time::ns(17));
  EXPECT_THAT(answers, ElementsAre(true, false));
}

// A wait of at most 5 ns that nobody ends lasts 5 ns; one that is ended after 2 ns lasts 2 ns, and
// its time limit is forgotten: the second wait begins at 5 ns, is over at 7 ns and the program at
// 17 ns.
TEST(Fiber, SuspendsWithATimeLimit) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  std::vector<bool> woken;
  std::vector<Time> times;
  Fiber& fiber = fibers.spawn("waits", [&](Fiber& self) {
    for (int i = 0; i < 2; ++i) {
      woken.push_back(self.suspend("waits", Time::ns(5)));
      times.push_back(simulation.now());
    }
    self.sleep(Time::ns(10));
  });
  fibers.spawn("wakes", [&](Fiber& self) {
    self.sleep(Time::ns(7));
    fiber.wake();
  });
  fibers.run();
  EXPECT_THAT(woken, ElementsAre(false, true));
  EXPECT_THAT(times, ElementsAre(Time::ns(5), Time::ns(7)));
  EXPECT_EQ(simulation.now(), Time::ns(17));
}

// Each fiber has an errno of its own, as each process has.
TEST(Fiber, ErrnoFollowsTheFiber) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  std::vector<int> seen;
  for (const int value : {5, 7}) {
    fibers.spawn("sets errno", [&, value](Fiber& self) {
      errno = value;
      self.sleep(Time::ns(1));
      seen.push_back(errno);
    });
  }
  errno = 3;
  fibers.run();
  EXPECT_THAT(seen, ElementsAre(5, 7));
  EXPECT_EQ(errno, 3);
}

// So has it a way of rounding: 1/3 rounded up is more than 1/3 rounded down.
TEST(Fiber, RoundingFollowsTheFiber) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  std::vector<double> thirds;
  volatile double one = 1;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD}) {
    fibers.spawn("rounds", [&, mode](Fiber& self) {
      std::fesetround(mode);
      self.sleep(Time::ns(1));
      thirds.push_back(one / 3);
    });
  }
  fibers.run();
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
  EXPECT_GT(thirds[0], thirds[1]);
}

// A fiber that ends itself in the middle runs no destructors, and is finished.
TEST(Fiber, EndsInTheMiddle) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  int destroyed = 0;
  struct Counts {
    int& count;
    ~Counts() { ++count; }
  };
  Fiber& fiber = fibers.spawn("ends", [&](Fiber& self) {
    const Counts counts{destroyed};
    self.end();
  });
  fibers.run();
  EXPECT_TRUE(fiber.finished());
  EXPECT_EQ(destroyed, 0);
}

/// Writes down what happens to its fiber.
struct Watched final : FiberTask {
  std::vector<std::string> log;
  void run(Fiber& fiber) override {
    log.push_back("runs");
    fiber.sleep(Time::ns(1));
    log.push_back("ends");
  }
  std::string name() const override { return "watched"; }
  void resumed() override { log.push_back("resumed"); }
  void paused() override { log.push_back("paused"); }
};

TEST(Fiber, TellsItsTaskOfEverySwitch) {
  Simulation simulation;
  Watched task;
  FiberScheduler fibers(simulation, kFew);
  EXPECT_EQ(fibers.spawn(task).name(), "watched");
  fibers.run();
  EXPECT_THAT(task.log, ElementsAre("resumed", "runs", "paused", "resumed", "ends", "paused"));
}

TEST(Fiber, KnowsWhichFiberRuns) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  Fiber* seen = nullptr;
  Fiber& fiber = fibers.spawn("one", [&](Fiber&) { seen = fibers.current(); });
  EXPECT_EQ(fibers.current(), nullptr);
  fibers.run();
  EXPECT_EQ(seen, &fiber);
  EXPECT_EQ(fibers.current(), nullptr);
}

// Ten thousand programs, one after another, need a single stack: each gives it back.
TEST(Fiber, FinishedFibersGiveTheirStacksBack) {
  Simulation simulation;
  FiberScheduler fibers(simulation, {Bytes(256 * 1024), 1});
  int runs = 0;
  for (int i = 0; i < 10'000; ++i) fibers.spawn("brief", [&](Fiber&) { ++runs; });
  fibers.run();
  EXPECT_EQ(runs, 10'000);
}

// With one stack, a second program that starts while the first waits has none.
TEST(Fiber, SaysWhenThereAreTooFewStacks) {
  Simulation simulation;
  FiberScheduler fibers(simulation, {Bytes(256 * 1024), 1});
  for (const char* name : {"rank 0", "rank 1"}) {
    fibers.spawn(name, [](Fiber& self) { self.sleep(Time::ns(1)); });
  }
  EXPECT_EQ(error_of<RunError>([&] { simulation.run(); }),
            "no stack is left for rank 1: 1 are in use already; raise the maximum number of "
            "stacks");
}

// A deadlock names those who wait and for what, not those who finished.
TEST(Fiber, DeadlockSaysWhoWaitsForWhat) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  const int peer = 3;
  fibers.spawn("rank 0", [&](Fiber& self) {
    self.sleep(Time::us(2));
    self.suspend([&] { return "waits for message from " + std::to_string(peer); });
  });
  fibers.spawn("rank 1", [](Fiber& self) { self.sleep(Time::us(1)); });
  fibers.spawn("rank 2", [](Fiber& self) { self.suspend("waits in MPI_Barrier"); });
  EXPECT_EQ(error_of<RunError>([&] { fibers.run(); }),
            "deadlock at 2 us: nothing is left to happen, and 2 of 3 programs still wait:\n"
            "  rank 0 waits for message from 3\n"
            "  rank 2 waits in MPI_Barrier");
  EXPECT_THAT(fibers.waiting(1), ElementsAre("rank 0 waits for message from 3"));
}

// Of 25 that wait, 20 are named.
TEST(Fiber, DeadlockReportsStayReadable) {
  Simulation simulation;
  FiberScheduler fibers(simulation, {Bytes(256 * 1024), 25});
  for (int i = 0; i < 25; ++i) {
    fibers.spawn("rank " + std::to_string(i), [](Fiber& self) { self.suspend("waits"); });
  }
  const std::string error = error_of<RunError>([&] { fibers.run(); });
  EXPECT_THAT(error, HasSubstr("25 of 25 programs still wait:\n  rank 0 waits\n"));
  EXPECT_THAT(error, HasSubstr("\n  rank 19 waits\n  and 5 more"));
}

// One of 25 waits for something else, which is probably why the others wait: it is named.
TEST(Fiber, DeadlockReportsNameWhoDiffers) {
  Simulation simulation;
  FiberScheduler fibers(simulation, {Bytes(256 * 1024), 25});
  for (int i = 0; i < 25; ++i) {
    fibers.spawn("rank " + std::to_string(i), [i](Fiber& self) {
      self.suspend(i == 23 ? "waits for rank 0" : "waits for all");
    });
  }
  const std::string error = error_of<RunError>([&] { fibers.run(); });
  EXPECT_THAT(error, HasSubstr("\n  rank 18 waits for all\n  rank 23 waits for rank 0\n  and 5"));
}

// An exception comes out of the simulation with the fiber's name; the original is nested in it.
// The other programs can go on.
TEST(Fiber, ExceptionsSurfaceWithTheName) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  bool other_finished = false;
  fibers.spawn("rank 7", [](Fiber& self) {
    self.sleep(Time::ns(1));
    throw std::out_of_range("no such tag");
  });
  fibers.spawn("rank 8", [&](Fiber& self) {
    self.sleep(Time::ns(2));
    other_finished = true;
  });
  try {
    simulation.run();
    FAIL() << "nothing was thrown";
  } catch (const RunError& error) {
    EXPECT_STREQ(error.what(), "rank 7: no such tag");
    EXPECT_THROW(std::rethrow_if_nested(error), std::out_of_range);
  }
  fibers.run();
  EXPECT_TRUE(other_finished);
}

TEST(Fiber, EvenExceptionsOfNoKnownKindSurface) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  fibers.spawn("rank 0", [](Fiber&) { throw 42; });
  EXPECT_EQ(error_of<RunError>([&] { simulation.run(); }), "rank 0: unknown exception");
}

// Each fiber has its own exceptions in flight: one that waits inside a handler still has its own
// exception at hand after another has thrown and caught in between.
TEST(Fiber, HandlersKeepTheirExceptionAcrossAWait) {
  Simulation simulation;
  FiberScheduler fibers(simulation, kFew);
  std::string seen;
  fibers.spawn("a", [&](Fiber& self) {
    try {
      throw std::runtime_error("of a");
    } catch (...) {
      self.sleep(Time::ns(2));
      try {
        throw;
      } catch (const std::runtime_error& error) {
        seen = error.what();
      }
    }
  });
  fibers.spawn("b", [](Fiber& self) {
    self.sleep(Time::ns(1));
    try {
      throw std::runtime_error("of b");
    } catch (...) {
      self.sleep(Time::ns(2));
    }
  });
  fibers.run();
  EXPECT_EQ(seen, "of a");
}

// What a waiting program holds is released when the scheduler ends, whether the program sleeps,
// waits or has never started; nothing of it stays in the simulation.
TEST(Fiber, UnfinishedFibersAreUnwound) {
  Simulation simulation;
  const auto held = std::make_shared<int>(1);
  {
    FiberScheduler fibers(simulation, kFew);
    fibers.spawn("sleeps", [&](Fiber& self) {
      const auto mine = held;
      self.sleep(Time::s(1));
    });
    fibers.spawn("waits", [&](Fiber& self) {
      const auto mine = held;
      self.suspend("waits for ever");
    });
    fibers.spawn("insists", [&](Fiber& self) {
      const auto mine = held;
      try {
        self.suspend("waits for ever");
      } catch (...) {
        self.sleep(Time::ns(1));
      }
    });
    simulation.run_until(Time::ns(1));
    fibers.spawn("has not started", [held](Fiber&) {});
    EXPECT_EQ(held.use_count(), 5);
  }
  EXPECT_EQ(held.use_count(), 1);
  EXPECT_EQ(simulation.next_time(), Time::never());
}

#ifndef HEDDLE_ASAN
/// Fills `left` KiB of stack.
[[gnu::noinline]] int use_stack(int left) {
  volatile char block[1024];
  std::memset(const_cast<char*>(block), left, sizeof block);
  return left == 0 ? block[0] : use_stack(left - 1) + block[1023];
}

// 16 KiB of stack do not hold 18 KiB; the next switch finds out. The fiber has a neighbour below,
// into whose stack it grows.
TEST(Fiber, FindsAnOverflownStack) {
  Simulation simulation;
  FiberScheduler fibers(simulation, {Bytes(16 * 1024), 4});
  fibers.spawn("rank 0", [](Fiber& self) { self.sleep(Time::s(1)); });
  fibers.spawn("rank 1", [](Fiber& self) {
    use_stack(18);
    self.sleep(Time::ns(1));
  });
  EXPECT_EQ(error_of<RunError>([&] { simulation.run(); }),
            "rank 1 has overflowed its stack of 16 KiB: give it more");
}
#endif

// A hundred thousand programs wait at once on 8 KiB of stack each (a sanitizer's frames need more),
// and all go on.
TEST(Fiber, ManyFibersFitSmallStacks) {
  Simulation simulation;
  constexpr std::uint32_t kCount = 100'000;
#ifdef HEDDLE_ASAN
  FiberScheduler fibers(simulation, {Bytes(64 * 1024), kCount});
#else
  FiberScheduler fibers(simulation, {Bytes(8 * 1024), kCount});
#endif
  std::uint32_t finished = 0;
  for (std::uint32_t i = 0; i < kCount; ++i) {
    fibers.spawn("rank " + std::to_string(i), [&](Fiber& self) {
      self.sleep(Time::ns(1));
      ++finished;
    });
  }
  fibers.run();
  EXPECT_EQ(finished, kCount);
}

TEST(Fiber, SaysWhenStacksDoNotFitTheAddressSpace) {
  Simulation simulation;
  EXPECT_THAT(error_of<RunError>([&] {
                FiberScheduler(simulation, {Bytes(1LL << 40), 1'000'000});
              }),
              HasSubstr("cannot reserve"));
}

// The same programs give the same fingerprint in two simulations side by side.
TEST(Fiber, FingerprintsRepeat) {
  const auto fingerprint = [] {
    Simulation simulation;
    FiberScheduler fibers(simulation, kFew);
    for (int i = 1; i <= 4; ++i) {
      fibers.spawn("rank", [i](Fiber& self) {
        for (int k = 0; k < 10; ++k) self.sleep(Time::ns(i));
      });
    }
    fibers.run();
    return simulation.fingerprint();
  };
  EXPECT_EQ(fingerprint(), fingerprint());
}

}  // namespace
}  // namespace heddle
