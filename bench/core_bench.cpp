// What the event core costs by itself.
#include <deque>
#include <string>

#include "cases.hpp"
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

}  // namespace

void add_core_cases(Suite& suite) {
  for (const std::size_t pending : {1, 1'000, 100'000}) {
    suite.cases.push_back(
        {"core", "events, " + std::to_string(pending) + " pending", {1e9, "ns/event"}, [pending] {
           return fire_events(pending, 3'000'000);
         }});
  }
}

}  // namespace heddle::bench
