// What the event core costs by itself.
#include <unistd.h>

#include <deque>
#include <fstream>
#include <string>

#include "cases.hpp"
#include "core/fiber.hpp"
#include "core/random.hpp"
#include "core/simulation.hpp"

namespace heddle::bench {
namespace {

/// An event that schedules itself again after a random while, as long as the budget lasts.
class Hopper final : public Event {
 public:
  Hopper(Simulation& simulation, EventSource& source, std::int64_t& budget, std::uint64_t seed)
      : simulation_(simulation), source_(source), budget_(budget), random_(seed) {}
  void hop() {
    const auto delay = static_cast<std::int64_t>(random_.next() % 1'000'000);
    simulation_.schedule_in(*this, Time::ps(1 + delay), source_);
  }

 private:
  void fire() override {
    if (--budget_ > 0) hop();
  }
  Simulation& simulation_;
  EventSource& source_;
  std::int64_t& budget_;
  RandomStream random_;
};

/// `events` events, of which `pending` are in the queue at any time.
Sample fire_events(std::size_t pending, std::int64_t events) {
  Simulation simulation;
  EventSource source = simulation.new_source();
  std::int64_t budget = events;
  std::deque<Hopper> hoppers;
  for (std::size_t i = 0; i < pending; ++i) {
    hoppers.emplace_back(simulation, source, budget, i).hop();
  }
  return timed(static_cast<double>(events), [&] {
    while (budget > 0) simulation.step();
  });
}

/// One fiber that sleeps `sleeps` times: each is an event and a switch to and fro.
Sample switch_fibers(std::int64_t sleeps) {
  Simulation simulation;
  FiberScheduler fibers(simulation);
  fibers.spawn("sleeper", [sleeps](Fiber& self) {
    for (std::int64_t i = 0; i < sleeps; ++i) self.sleep(Time::ns(1));
  });
  return timed(static_cast<double>(sleeps), [&] { fibers.run(); });
}

/// Memory of this process that is in use, in bytes.
double resident() {
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

/// `count` fibers that have not started, or that wait.
Sample idle_fibers(std::uint32_t count, bool started) {
  const double before = resident();
  Simulation simulation;
  FiberScheduler fibers(simulation, {Bytes(16 * 1024), count});
  for (std::uint32_t i = 0; i < count; ++i) {
    fibers.spawn("rank " + std::to_string(i), [](Fiber& self) { self.suspend("waits"); });
  }
  if (started) simulation.run();
  return {resident() - before, static_cast<double>(count)};
}

}  // namespace

void add_core_cases(Suite& suite) {
  for (const std::size_t pending : {1, 1'000, 100'000}) {
    suite.cases.push_back(
        {"core", "events, " + std::to_string(pending) + " pending", {1e9, "ns/event"}, [pending] {
           return fire_events(pending, 3'000'000);
         }});
  }
  suite.cases.push_back({"core", "fiber: sleep, switch to and fro", {1e9, "ns/sleep"}, [] {
                           return switch_fibers(3'000'000);
                         }});
  suite.cases.push_back({"core", "100,000 fibers that have not started", {1, "B/fiber"}, [] {
                           return idle_fibers(100'000, false);
                         }});
  suite.cases.push_back({"core", "100,000 fibers that wait", {1, "B/fiber"}, [] {
                           return idle_fibers(100'000, true);
                         }});
}

}  // namespace heddle::bench
