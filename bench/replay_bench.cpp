// Generated schedules replayed over LogGOPS. The peer is what SimGrid takes for one communication:
// a multiple that means the same on a slow machine as on a fast one.
#include <sys/resource.h>

#include <stdexcept>

#include "cases.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "replay/patterns/patterns.hpp"

namespace heddle::bench {
namespace {

using namespace replay;

struct Input {
  const char* pattern;
  std::int64_t ranks;
  std::int64_t size;
  std::int64_t iterations = 1;
  std::int64_t compute = 0;
};

constexpr Input kNeighbours{"nearest-neighbour", 64, 1024, 20'000, 10'000};
constexpr Input kDissemination{"dissemination", 1 << 17, 8};
constexpr Input kAlltoall{"linear-alltoall", 1024, 64};

Schedule make(const Input& input) {
  PatternConfig config = pattern_table().defaults();
  config.ranks = input.ranks;
  config.size = Bytes(input.size);
  config.iterations = input.iterations;
  config.compute = input.compute;
  return generate(input.pattern, config);
}

/// LogGOPSim's numbers.
ReplayOptions options() {
  network::LogGopsConfig loggops;
  loggops.overhead = Time::ns(1500);
  loggops.gap = Time::ns(1000);
  return {combine(loggops, replay_table().defaults())};
}

/// CPU time per event; an event is an operation or a message, as LogGOPSim counts.
Sample per_event(const Input& input) {
  const Schedule schedule = make(input);
  ReplayResult result;
  Sample sample = timed(1, [&] { result = loggops_replay(schedule, options()); });
  sample.units = static_cast<double>(result.events);
  return sample;
}

/// Peak memory of this process, schedule included.
Sample peak_memory(const Input& input) {
  per_event(input);
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) throw std::runtime_error("no figure of memory");
  return {static_cast<double>(usage.ru_maxrss) * 1024, 1};
}

void add_speed(Suite& suite, const std::string& name, const Input& input) {
  suite.cases.push_back({"replay",
                         name,
                         {1e9, "ns/event"},
                         [&input] { return per_event(input); },
                         [] { return simgrid_pingpong(10'000); }});
}

}  // namespace

void add_replay_cases(Suite& suite) {
  add_speed(suite, "nearest neighbour, 64 ranks x 20,000", kNeighbours);
  add_speed(suite, "dissemination, 2^17 ranks", kDissemination);
  add_speed(suite, "linear alltoall, 1,024 ranks", kAlltoall);
  suite.cases.push_back(
      {"replay", "dissemination, 2^17 ranks, peak memory", {1.0 / (1 << 20), "MiB"}, [] {
         return peak_memory(kDissemination);
       }});
}

}  // namespace heddle::bench
