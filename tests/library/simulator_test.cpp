#include "heddle/simulator.hpp"

#include <gmock/gmock.h>

namespace heddle {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Cables of 100 Gb/s and 100 ns, switches that add nothing.
Machine tree(const std::string& network) {
  return Machine("fat-tree-64", {"network.model=" + network, "link.bandwidth=100Gbps",
                                 "link.latency=100ns", "switch.latency=0ns"});
}

// 12,500 bytes take 1 us at 100 Gb/s, and two cables of 100 ns lie between two nodes of one
// switch.
TEST(Library, MessagesArriveAtTheirTime) {
  const Machine machine = tree("queue");
  Simulator simulator(machine);
  std::vector<std::int64_t> times;
  simulator.send(0, 1, 12'500, [&] {
    times.push_back(simulator.now_ps());
    simulator.send(1, 0, 0, [&] { times.push_back(simulator.now_ps()); });
  });
  simulator.run();
  EXPECT_THAT(times, ElementsAre(1'200'000, 1'400'000));
}

TEST(Library, CallsComeInTheOrderOfTheirTimes) {
  const Machine machine = tree("fluid");
  Simulator simulator(machine);
  std::vector<int> calls;
  simulator.at(2000, [&] { calls.push_back(2); });
  simulator.at(1000, [&] {
    calls.push_back(1);
    simulator.at(3000, [&] { calls.push_back(3); });
  });
  simulator.run();
  EXPECT_THAT(calls, ElementsAre(1, 2, 3));
  EXPECT_EQ(simulator.now_ps(), 3000);
}

// Step by step all happens as in one go; a clock that is set waits for what comes later.
TEST(Library, GoesStepByStepAndUpToATime) {
  const Machine machine = tree("queue");
  Simulator whole(machine);
  Simulator parts(machine);
  int arrived = 0;
  for (Simulator* simulator : {&whole, &parts}) {
    simulator->send(0, 1, 12'500, [&] { ++arrived; });  // There after 1.2 us.
    simulator->at(2'000'000, [&] { ++arrived; });
  }
  whole.run();
  EXPECT_EQ(arrived, 2);
  while (parts.step(1'200'000)) {
  }
  EXPECT_EQ(arrived, 3);
  EXPECT_EQ(parts.now_ps(), 1'200'000);
  parts.run_until(1'500'000);
  EXPECT_EQ(parts.now_ps(), 1'500'000);
  EXPECT_TRUE(parts.step());
  EXPECT_FALSE(parts.step());
  EXPECT_EQ(arrived, 4);
  EXPECT_EQ(parts.fingerprint(), whole.fingerprint());
  EXPECT_THROW(parts.run_until(1'000'000), std::runtime_error);
}

TEST(Library, EqualSimulationsAreEqual) {
  const Machine machine("dragonfly-72", {"topology.routing=valiant"});
  const auto fingerprint = [&](std::uint64_t seed) {
    Simulator simulator(machine, seed);
    for (std::uint32_t n = 0; n < machine.nodes(); ++n) simulator.send(n, 0, 4096);
    simulator.run();
    return simulator.fingerprint();
  };
  EXPECT_EQ(fingerprint(1), fingerprint(1));
  EXPECT_NE(fingerprint(1), fingerprint(2));
}

TEST(Library, SaysWhatIsWrong) {
  const auto problem_of = [](const auto& work) {
    try {
      work();
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(problem_of([] { Machine("nope"); }), HasSubstr("neither a built-in machine nor"));
  EXPECT_THAT(problem_of([] { Machine("quito", {"link.latency=x"}); }), HasSubstr("link.latency"));
  const Machine machine("quito");
  Simulator simulator(machine);
  EXPECT_THAT(problem_of([&] { simulator.send(0, 99, 1); }), HasSubstr("accepted is 0 to 10"));
  EXPECT_THAT(problem_of([&] { simulator.send(0, 1, -1); }), HasSubstr("bytes"));
  EXPECT_EQ(machine.node("n3"), 3U);
}

}  // namespace
}  // namespace heddle
