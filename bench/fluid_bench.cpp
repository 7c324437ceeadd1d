// Many flows that share links: the fluid model against SimGrid's, on the same machines and routes.
#include <cmath>
#include <stdexcept>

#include "cases.hpp"
#include "core/random.hpp"
#include "network/fluid/fluid_network.hpp"
#include "platform/routing.hpp"
#include "platform/simgrid_xml.hpp"
#include "platform/topology/fat_tree.hpp"
#include "simgrid_engine.hpp"

namespace heddle::bench {
namespace {

namespace s4u = simgrid::s4u;

/// Links have no latency: where flows of unequal latency begin, SimGrid's default, the lazy update
/// of shares, leaves some as they were and its times are some percent off. (Its slower full update,
/// network/optim:Full, gives our times exactly; tests/simgrid checks that.)
constexpr std::int64_t kBytesPerSecond = 12'500'000'000;

struct Flow {
  std::uint32_t source;
  std::uint32_t destination;
  std::int64_t bytes;
};
/// Flows that start together; a wave starts when the one before it has ended.
using Wave = std::vector<Flow>;

/// A machine for both sides.
struct Machine {
  std::uint32_t nodes;
  std::unique_ptr<platform::Platform> (*ours)(std::uint32_t size);
  void (*simgrids)(std::uint32_t size);
  std::uint32_t size;  ///< Arity of a fat tree of two levels, or edge of a square torus.
};

/// One work for both sides.
struct Work {
  Machine machine;
  std::vector<Wave> waves;
  double tolerance = 0;  ///< Of ours.
  double flows() const {
    double sum = 0;
    for (const Wave& wave : waves) sum += static_cast<double>(wave.size());
    return sum;
  }
};

// --- The machines
// ---------------------------------------------------------------------------------

platform::LinkParams cable() {
  return {Bandwidth::bytes_per_second(kBytesPerSecond), {}, Time::zero()};
}

std::unique_ptr<platform::Platform> assemble(std::unique_ptr<platform::Topology> topology) {
  auto routing = platform::make_routing("minimal", *topology);
  return std::make_unique<platform::Platform>("machine", std::move(topology), std::move(routing),
                                              cable(), platform::SwitchParams{},
                                              platform::NodeParams{}, platform::NicParams{});
}

std::unique_ptr<platform::Platform> fat_tree(std::uint32_t arity) {
  return assemble(
      std::make_unique<platform::FatTree>(platform::FatTreeShape::k_ary_n_tree(arity, 2)));
}

/// From SimGrid's description, since its routes half-way round a ring are its own.
std::unique_ptr<platform::Platform> torus(std::uint32_t edge) {
  const std::string size = std::to_string(edge);
  return platform::read_simgrid_platform_text(
      "<?xml version='1.0'?><platform version='4.1'><cluster id='torus' prefix='node-' suffix='' "
      "radical='0-" +
          std::to_string(edge * edge - 1) + "' speed='1Gf' bw='" + std::to_string(kBytesPerSecond) +
          "Bps' lat='0s' topology='TORUS' topo_parameters='" + size + "," + size +
          "' sharing_policy='SPLITDUPLEX'/></platform>",
      "torus");
}

std::pair<simgrid::kernel::routing::NetPoint*, simgrid::kernel::routing::NetPoint*> add_host(
    s4u::NetZone* zone, const std::vector<unsigned long>&, unsigned long id) {
  return {zone->create_host("node-" + std::to_string(id), 1e9)->get_netpoint(), nullptr};
}

void simgrid_fat_tree(std::uint32_t arity) {
  s4u::create_fatTree_zone("zone", nullptr, {2, {arity, arity}, {1, arity}, {1, 1}},
                           s4u::ClusterCallbacks(add_host), kBytesPerSecond, 0,
                           s4u::Link::SharingPolicy::SPLITDUPLEX)
      ->seal();
}

void simgrid_torus(std::uint32_t edge) {
  s4u::create_torus_zone("zone", nullptr, {edge, edge}, s4u::ClusterCallbacks(add_host),
                         kBytesPerSecond, 0, s4u::Link::SharingPolicy::SPLITDUPLEX)
      ->seal();
}

// --- Our side
// -------------------------------------------------------------------------------------

/// Starts wave after wave.
class Waves final : public network::TransferClient {
 public:
  Waves(network::Network& network, const std::vector<Wave>& waves)
      : network_(network), waves_(waves) {}
  void start_next() {
    if (next_ == waves_.size()) return;
    const Wave& wave = waves_[next_++];
    left_ = wave.size();
    for (const Flow& flow : wave) {
      network::Transfer transfer;
      transfer.source = {NodeId{flow.source}};
      transfer.destination = {NodeId{flow.destination}};
      transfer.size = Bytes(flow.bytes);
      transfer.client = this;
      network_.start(transfer);
    }
  }
  void transfer_reached(network::Instant, std::uint64_t) override {
    if (--left_ == 0) start_next();
  }

 private:
  network::Network& network_;
  const std::vector<Wave>& waves_;
  std::size_t next_ = 0;
  std::size_t left_ = 0;
};

struct Run {
  Sample sample;
  double makespan;  ///< Simulated seconds.
};

Run run_ours(const Work& work) {
  const auto platform = work.machine.ours(work.machine.size);
  Simulation simulation;
  network::FluidConfig config = network::FluidNetwork::table().defaults();
  config.weighting = network::Weighting::simgrid;
  config.occupancy = network::Occupancy::after_latency;
  config.tolerance = work.tolerance;
  network::FluidNetwork network(simulation, *platform, config);
  Waves waves(network, work.waves);
  const Sample sample = timed(work.flows(), [&] {
    waves.start_next();
    simulation.run();
  });
  return {sample, simulation.now().seconds()};
}

// --- SimGrid's side
// -------------------------------------------------------------------------------

Run run_simgrid(const Work& work) {
  const auto engine = make_simgrid_engine({"network/model:CM02", "network/TCP-gamma:0",
                                           "network/latency-factor:1", "network/bandwidth-factor:1",
                                           "network/weight-S:0", "network/crosstraffic:0"});
  work.machine.simgrids(work.machine.size);
  std::vector<s4u::Host*> hosts;
  for (std::uint32_t n = 0; n < work.machine.nodes; ++n) {
    hosts.push_back(engine->host_by_name("node-" + std::to_string(n)));
  }
  s4u::Actor::create("waves", hosts[0], [&] {
    for (const Wave& wave : work.waves) {
      std::vector<s4u::CommPtr> comms;
      for (const Flow& flow : wave) {
        comms.push_back(s4u::Comm::sendto_async(hosts[flow.source], hosts[flow.destination],
                                                static_cast<std::uint64_t>(flow.bytes)));
      }
      for (const s4u::CommPtr& comm : comms) comm->wait();
    }
  });
  const Sample sample = timed(work.flows(), [&] { engine->run(); });
  return {sample, s4u::Engine::get_clock()};
}

/// SimGrid's cost of the work; throws if the two do not agree on the simulated time.
Sample checked_simgrid(const Work& work) {
  const double ours = run_ours(work).makespan;
  const Run simgrids = run_simgrid(work);
  if (std::abs(ours / simgrids.makespan - 1) > 1e-6) {
    throw std::runtime_error("simulated times differ: ours " + std::to_string(ours) +
                             " s, SimGrid's " + std::to_string(simgrids.makespan) + " s");
  }
  return simgrids.sample;
}

// --- The works
// ------------------------------------------------------------------------------------

std::int64_t random_bytes(RandomStream& random) {
  return 1'000'000 + static_cast<std::int64_t>(random.below(9'000'000));
}

Wave random_flows(std::uint32_t nodes, std::size_t count) {
  RandomStream random(count);
  Wave wave;
  while (wave.size() < count) {
    const auto source = static_cast<std::uint32_t>(random.below(nodes));
    const auto offset = static_cast<std::uint32_t>(1 + random.below(nodes - 1));
    wave.push_back({source, (source + offset) % nodes, random_bytes(random)});
  }
  return wave;
}

Wave permutation(std::uint32_t nodes, std::uint64_t seed) {
  RandomStream random(seed);
  std::vector<std::uint32_t> to(nodes);
  for (std::uint32_t n = 0; n < nodes; ++n) {
    const auto place = static_cast<std::uint32_t>(random.below(n + 1));
    to[n] = to[place];
    to[place] = n;
  }
  Wave wave;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    if (to[n] != n) wave.push_back({n, to[n], random_bytes(random)});
  }
  return wave;
}

std::vector<Wave> permutations(std::uint32_t nodes, std::uint64_t waves) {
  std::vector<Wave> result;
  for (std::uint64_t seed = 0; seed < waves; ++seed) result.push_back(permutation(nodes, seed));
  return result;
}

Case& add_ours(Suite& suite, const std::string& name, const Work& work) {
  Case& added = suite.cases.emplace_back();
  added.group = "fluid";
  added.name = name;
  added.scale = {1e6, "us/flow"};
  added.ours = [work] { return run_ours(work).sample; };
  return added;
}

Case& add(Suite& suite, const std::string& name, double target, const Work& work) {
  Case& added = add_ours(suite, name, work);
  added.peer = [work] { return checked_simgrid(work); };
  added.target_ratio = target;
  return added;
}

/// Each node to each other.
Wave all_to_all(std::uint32_t nodes) {
  RandomStream random(nodes);
  Wave wave;
  for (std::uint32_t source = 0; source < nodes; ++source) {
    for (std::uint32_t to = 0; to < nodes; ++to) {
      if (to != source) wave.push_back({source, to, random_bytes(random)});
    }
  }
  return wave;
}

/// Flows at once between random ends of 1,024 nodes, few of which share links or many of which do.
void add_large(Suite& suite) {
  const Machine large{1024, fat_tree, simgrid_fat_tree, 32};
  const auto name = [](int flows) {
    return std::to_string(flows) + " flows at once, fat tree of 1,024 nodes";
  };
  const auto work = [&large](int flows) {
    return Work{large, {random_flows(1024, static_cast<std::size_t>(flows))}};
  };
  constexpr double kMostPerFlow = 250e-6;  // 8 s in all.
  add(suite, name(2000), 150, work(2000));
  add(suite, name(10000), 150, work(10000)).max_repetitions = 1;
  Case& most = add_ours(suite, name(32000), work(32000));
  most.limit = kMostPerFlow;
  most.max_repetitions = 2;
  suite.growths.push_back({name(2000), name(32000), 16, 2.3});
  Work rough = work(32000);
  rough.tolerance = 1e-3;
  add_ours(suite, "32000 flows at once, tolerance 0.001", rough).max_repetitions = 2;
  suite.growths.push_back({name(2000), "32000 flows at once, tolerance 0.001", 16, 1.8});
}

}  // namespace

void add_fluid_cases(Suite& suite) {
  const Machine small{64, fat_tree, simgrid_fat_tree, 8};
  const auto name = [](int flows) {
    return std::to_string(flows) + " flows at once, fat tree of 64 nodes";
  };
  for (const int flows : {1000, 2000, 4000}) {
    add(suite, name(flows), flows == 1000 ? 0 : 10,
        {small, {random_flows(64, static_cast<std::size_t>(flows))}});
  }
  suite.growths.push_back({name(1000), name(4000), 4, 2});
  add_ours(suite, name(10000), {small, {random_flows(64, 10000)}});
  add_large(suite);
  constexpr double kMostPerFlow = 10.0 / (256 * 255);  // 10 s in all.
  Case& dense = add_ours(suite, "all-to-all of 256 nodes, random sizes",
                         {{256, fat_tree, simgrid_fat_tree, 16}, {all_to_all(256)}});
  dense.limit = kMostPerFlow;
  dense.max_repetitions = 1;
  add(suite, "100 permutations, fat tree of 1,024 nodes", 10,
      {{1024, fat_tree, simgrid_fat_tree, 32}, permutations(1024, 100)});
  add(suite, "10 permutations, torus of 32 x 32 nodes", 10,
      {{1024, torus, simgrid_torus, 32}, permutations(1024, 10)});
}

}  // namespace heddle::bench
