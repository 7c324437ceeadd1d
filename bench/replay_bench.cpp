// Generated schedules replayed over LogGOPS, one over links. The peer is what SimGrid takes for one
// communication: a multiple that means the same on a slow machine as on a fast one.
#include <sys/resource.h>

#include <chrono>
#include <sstream>
#include <stdexcept>

#include "cases.hpp"
#include "goal/formats/formats.hpp"
#include "goal/patterns/patterns.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "replay/loggops/loggops_replay.hpp"
#include "replay/network_replay.hpp"

namespace heddle::bench {
namespace {

using namespace goal;
using namespace replay;

struct Input {
  const char* pattern;
  std::int64_t ranks;
  std::int64_t size;
  std::int64_t iterations = 1;
  std::int64_t compute = 0;
};

constexpr Input kNeighbours{"nearest-neighbour", 64, 1024, 20'000, 10'000};
constexpr Input kManyNeighbours{"nearest-neighbour", 4096, 1024, 500, 10'000};
constexpr Input kLinkedNeighbours{"nearest-neighbour", 4096, 1024, 50, 3000};
constexpr Input kRandomDag{"random-dag", 1'000, 4096, 500, 2000};
constexpr Input kDissemination{"dissemination", 1 << 17, 8};
constexpr Input kLargeDissemination{"dissemination", 1 << 20, 8};
constexpr Input kAlltoall{"linear-alltoall", 1024, 64};
constexpr Input kBroadcast{"binomial-bcast", 1 << 23, 8};

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

/// CPU time of a binary file, in memory, read and replayed.
Sample read_and_replayed(const Input& input) {
  std::ostringstream out;
  write_binary(make(input), out);
  const std::string bytes = std::move(out).str();
  return timed(1, [&] { loggops_replay(parse_binary(bytes, "bench"), options()); });
}

/// Beside what LogGOPSim took for the same schedule on another machine, in seconds.
void add_beside_loggopsim(Suite& suite, const std::string& name, const Input& input, double peer) {
  Case beside{"replay",
              name + ", read and replayed, beside LogGOPSim",
              {1, "s"},
              [&input] { return read_and_replayed(input); },
              [peer] {
                return Sample{peer, 1};
              }};
  beside.peer_kind = PeerKind::published;
  beside.target_ratio = 6;
  suite.cases.push_back(std::move(beside));
}

/// Time on the clock, not of processors, per event by so many threads.
Sample on_the_clock(const Input& input, unsigned threads) {
  const Schedule schedule = make(input);
  ReplayOptions shared = options();
  shared.threads = threads;
  const auto begin = std::chrono::steady_clock::now();
  const ReplayResult result = loggops_replay(schedule, shared);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return {taken.count(), static_cast<double>(result.events)};
}

/// The same over the queues of a fat tree of 4,096 nodes; an event is a hop, an operation or a
/// message.
Sample over_links_on_the_clock(const Input& input, unsigned threads) {
  const Schedule schedule = make(input);
  Settings settings(network::fabric_sections());
  const auto description = platform::read_machine("fat-tree-64", settings);
  settings.assign("fat-tree.arity=16", {"bench"});
  const auto platform = platform::build_platform(description, settings);
  Simulation simulation;
  const auto network = network::make_network("queue", simulation, *platform, settings);
  const ReplayConfig config = replay_table().defaults();
  Carrier carrier{simulation, *network, place_ranks(schedule.ranks(), platform->nodes(), config)};
  ReplayOptions shared{combine_for_network({}, config)};
  shared.threads = threads;
  const auto begin = std::chrono::steady_clock::now();
  const ReplayResult result = network_replay(schedule, shared, carrier);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  return {taken.count(), static_cast<double>(result.events + result.network_events)};
}

/// Two threads beside one; means something on an idle machine of two cores only.
void add_threads(Suite& suite, const std::string& name, const Input& input,
                 Sample (*measure)(const Input&, unsigned) = on_the_clock) {
  Case speed_up{"replay",
                name + ", two threads beside one, on the clock",
                {1e9, "ns/event"},
                [&input, measure] { return measure(input, 2); },
                [&input, measure] { return measure(input, 1); }};
  speed_up.target_ratio = 1.7;
  suite.cases.push_back(std::move(speed_up));
}

/// Peak memory of a replay alone, its schedule included: each sample has a process of its own.
Sample peak_memory(const Input& input) {
  per_event(input);
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) throw std::runtime_error("no figure of memory");
  return {static_cast<double>(usage.ru_maxrss) * 1024, 1};
}

/// CPU time and memory; at most `repetitions` samples of the time, at most `limit_mib` if not 0.
void add_cases(Suite& suite, const std::string& name, const Input& input, int repetitions,
               double limit_mib = 0) {
  Case speed{"replay",
             name,
             {1e9, "ns/event"},
             [&input] { return per_event(input); },
             [] { return simgrid_pingpong(10'000); }};
  speed.max_repetitions = repetitions;
  suite.cases.push_back(std::move(speed));
  Case memory{"replay", name + ", peak memory", {1.0 / (1 << 20), "MiB"}, [&input] {
                return peak_memory(input);
              }};
  memory.max_repetitions = 1;
  memory.limit = limit_mib * (1 << 20);
  suite.cases.push_back(std::move(memory));
}

}  // namespace

void add_replay_cases(Suite& suite) {
  // No more memory than LogGOPSim takes, of which the times are too.
  add_cases(suite, "nearest neighbour, 64 ranks x 20,000", kNeighbours, 5, 280);
  add_beside_loggopsim(suite, "nearest neighbour, 64 ranks x 20,000", kNeighbours, 2.27);
  add_cases(suite, "random DAG, 1,000 ranks x 1,500", kRandomDag, 5, 67);
  add_beside_loggopsim(suite, "random DAG, 1,000 ranks x 1,500", kRandomDag, 0.92);
  add_cases(suite, "dissemination, 2^17 ranks", kDissemination, 5);
  add_cases(suite, "dissemination, 2^20 ranks", kLargeDissemination, 1, 3 << 10);
  add_threads(suite, "dissemination, 2^20 ranks", kLargeDissemination);
  add_threads(suite, "nearest neighbour, 4,096 ranks x 500", kManyNeighbours);
  add_threads(suite, "nearest neighbour over queues, 4,096 nodes x 50", kLinkedNeighbours,
              over_links_on_the_clock);
  add_cases(suite, "linear alltoall, 1,024 ranks", kAlltoall, 5);
  add_cases(suite, "binomial broadcast, 2^23 ranks", kBroadcast, 1);
}

}  // namespace heddle::bench
