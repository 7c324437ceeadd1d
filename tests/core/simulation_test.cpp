#include "core/simulation.hpp"

#include <gtest/gtest.h>

namespace heddle {
namespace {

struct Note final : Event {
  Note(std::vector<int>& log, int number) : log(log), number(number) {}
  void fire() override { log.push_back(number); }
  std::vector<int>& log;
  int number;
};

// At one instant, kind comes first, then the source's number, then the order within the source.
TEST(Simulation, SimultaneousEventsFireByKindSourceAndNumber) {
  Simulation simulation;
  EventSource a = simulation.new_source();
  EventSource b = simulation.new_source();
  std::vector<int> log;
  Note program(log, 4), from_b(log, 3), first(log, 1), second(log, 2);
  simulation.schedule(program, Time::ns(5), a, kProgram);
  simulation.schedule(from_b, Time::ns(5), b);
  simulation.schedule(first, Time::ns(5), a);
  simulation.schedule(second, Time::ns(5), a);
  simulation.run();
  EXPECT_EQ(log, (std::vector{1, 2, 3, 4}));
}

}  // namespace
}  // namespace heddle
