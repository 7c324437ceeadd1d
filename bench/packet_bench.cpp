// The packet model on the networks and traffics for which the speed of a simulator of single flits
// is known.
#include <cmath>

#include "cases.hpp"
#include "core/random.hpp"
#include "network/packet/packet_network.hpp"
#include "packet_hops.hpp"
#include "platform/routing.hpp"
#include "platform/topology/fat_tree.hpp"

namespace heddle::bench {
namespace {

/// A two-level fat tree of full bandwidth: `leaves` switches with `per_leaf` hosts each, `per_leaf`
/// spines.
std::unique_ptr<platform::Platform> fat_tree(std::int64_t per_leaf, Bandwidth bandwidth,
                                             Time wire) {
  auto topology = std::make_unique<platform::FatTree>(
      platform::FatTreeShape{{per_leaf, 2 * per_leaf}, {1, per_leaf}, {1, 1}});
  auto routing = platform::make_routing("minimal", *topology);
  platform::LinkParams link;
  link.bandwidth = bandwidth;
  link.latency = wire;
  return std::make_unique<platform::Platform>("machine", std::move(topology), std::move(routing),
                                              link, platform::SwitchParams{Time::ns(100)},
                                              platform::NodeParams{}, platform::NicParams{});
}

enum class Partner { random, next };

/// Every host keeps some messages under way, as long as the simulation is run.
class Saturation final : public network::TransferClient {
 public:
  Saturation(network::Network& network, std::uint32_t hosts, Partner partner, std::int64_t bytes)
      : network_(network), hosts_(hosts), partner_(partner), bytes_(bytes) {
    constexpr int kWindow = 8;
    for (std::uint32_t host = 0; host < hosts; ++host) {
      for (int i = 0; i < kWindow; ++i) send(host);
    }
  }
  void transfer_reached(network::Instant, std::uint64_t source) override {
    send(static_cast<std::uint32_t>(source));
  }

 private:
  void send(std::uint32_t source) {
    const std::uint64_t distance =
        partner_ == Partner::next ? 1 : 1 + random_.below(std::uint64_t{hosts_} - 1);
    network::Transfer transfer;
    transfer.source.node = NodeId{source};
    transfer.destination.node = NodeId{static_cast<std::uint32_t>((source + distance) % hosts_)};
    transfer.size = Bytes(bytes_);
    transfer.client = this;
    transfer.cookie = source;
    network_.start(transfer);
  }

  network::Network& network_;
  std::uint32_t hosts_;
  Partner partner_;
  std::int64_t bytes_;
  RandomStream random_{1};
};

/// A network of the published measurement, its traffic, and what was measured there.
struct Published {
  std::int64_t per_leaf;
  Partner partner;
  std::int64_t bytes;
  Time simulated;
  double packet_hops_per_second;

  std::int64_t hosts() const { return 2 * per_leaf * per_leaf; }
  std::string name() const {
    return std::to_string(hosts()) + " hosts, " + (partner == Partner::next ? "ring" : "uniform") +
           " " + std::to_string(bytes) + " B";
  }
};

/// 64 B flits, one lane, 200 credits, sinks of PCIe gen2 x8 that pause 1 ns every 10 ms.
const std::vector<const char*> kPublished = {
    "packet.credit_period=256ns", "packet.max_packet=2176B",  "packet.sink=0.3077ns/B",
    "packet.sink_pause=1ns",      "packet.sink_between=10ms", "packet.crossbar=0.16ns/B"};

/// 4x QDR.
Sample saturate(const Published& published) {
  const auto machine = fat_tree(published.per_leaf, Bandwidth::gbps(32), Time::zero());
  const auto settings = packet_config(kPublished);
  Simulation simulation;
  network::PacketNetwork network(simulation, *machine, settings);
  Sample sample = timed(1, [&] {
    Saturation traffic(network, static_cast<std::uint32_t>(published.hosts()), published.partner,
                       published.bytes);
    simulation.run_until(published.simulated);
  });
  sample.units = static_cast<double>(packet_hops(network, *machine));
  return sample;
}

/// What a hop costs when everything has been in use for some time, with messages of 2048 B to
/// anyone.
Sample steady(std::int64_t per_leaf, const std::vector<const char*>& assignments) {
  constexpr Time kBegin = Time::us(40);
  const auto machine = fat_tree(per_leaf, Bandwidth::gbps(32), Time::zero());
  const auto settings = packet_config(assignments);
  Simulation simulation;
  network::PacketNetwork network(simulation, *machine, settings);
  Saturation traffic(network, machine->nodes(), Partner::random, 2048);
  simulation.run_until(kBegin);
  const std::int64_t before = packet_hops(network, *machine);
  Sample sample =
      timed(1, [&] { simulation.run_until(kBegin + Time::us(40'000 / machine->nodes())); });
  sample.units = static_cast<double>(packet_hops(network, *machine) - before);
  return sample;
}

/// Rounds in which every host sends one message and waits for one, as in the thesis' tests.
class Rounds final : public network::TransferClient {
 public:
  Rounds(network::Network& network, std::uint32_t hosts, int rounds, Partner partner,
         std::int64_t bytes)
      : network_(network),
        rounds_(rounds),
        partner_(partner),
        bytes_(bytes),
        sent_(hosts),
        received_(hosts) {
    for (std::uint32_t host = 0; host < hosts; ++host) send(host);
  }
  void transfer_reached(network::Instant, std::uint64_t cookie) override {
    const auto host = static_cast<std::uint32_t>(cookie >> 32);
    received_[host] |= std::uint64_t{1} << (cookie & 63);
    while (sent_[host] < rounds_ && (received_[host] >> (sent_[host] - 1) & 1) != 0) send(host);
  }

 private:
  /// `Partner::random` stands for dissemination here: 2^round further on.
  void send(std::uint32_t host) {
    const int round = sent_[host]++;
    const std::uint64_t distance =
        partner_ == Partner::next ? 1 : std::uint64_t{1} << static_cast<unsigned>(round);
    const auto to = static_cast<std::uint32_t>((host + distance) % sent_.size());
    network::Transfer transfer;
    transfer.source.node = NodeId{host};
    transfer.destination.node = NodeId{to};
    transfer.size = Bytes(bytes_);
    transfer.client = this;
    transfer.cookie = std::uint64_t{to} << 32 | static_cast<std::uint64_t>(round);
    network_.start(transfer);
  }

  network::Network& network_;
  int rounds_;
  Partner partner_;
  std::int64_t bytes_;
  std::vector<int> sent_;
  std::vector<std::uint64_t> received_;
};

/// The thesis' machine: 4x DDR and sinks that pause often.
Sample rounds(std::int64_t per_leaf, int count, Partner partner, std::int64_t bytes) {
  const auto machine = fat_tree(per_leaf, Bandwidth::gbps(16), Time::ns(5));
  const auto settings = packet_config({"packet.credit_period=256ns", "packet.sink=0.525ns/B",
                                       "packet.sink_pause=1.25ns", "packet.sink_between=5ns"});
  return timed(1, [&] {
    Simulation simulation;
    network::PacketNetwork network(simulation, *machine, settings);
    Rounds traffic(network, machine->nodes(), count, partner, bytes);
    simulation.run();
  });
}

}  // namespace

void add_packet_cases(Suite& suite) {
  const std::vector<Published> networks = {
      {2, Partner::random, 2048, Time::us(1000), 2816},
      {2, Partner::next, 1000, Time::us(1000), 5859},
      {8, Partner::random, 2048, Time::us(40), 1265},
      {8, Partner::next, 1000, Time::us(60), 2900},
      {18, Partner::random, 2048, Time::us(10), 818},
      {18, Partner::next, 1000, Time::us(10), 1602},
  };
  const auto add = [&suite](const std::string& name, const Scale& scale, double target) -> Case& {
    Case& added = suite.cases.emplace_back();
    added.group = "packet";
    added.name = name;
    added.scale = scale;
    added.target_ratio = target;
    added.peer_kind = PeerKind::published;
    return added;
  };
  // The peer's side is what was published of it.
  for (const Published& published : networks) {
    Case& saturated = add(published.name(), {1e9, "ns/hop"}, 200);
    saturated.ours = [published] { return saturate(published); };
    saturated.peer = [published] { return Sample{1, published.packet_hops_per_second}; };
  }
  // Without credits: pauses, or losses and acknowledgements, whose hops count, too.
  const auto add_flow_control = [&add](const std::string& name, const char* setting) {
    Case& other = add("128 hosts, " + name + ", beside credits", {1e9, "ns/hop"}, 0.77);
    other.ours = [setting] { return steady(8, {setting}); };
    other.peer = [] { return steady(8, {}); };
    other.peer_kind = PeerKind::same_work;
  };
  add_flow_control("pfc", "packet.flow_control=pfc");
  add_flow_control("lossy", "packet.flow_control=lossy");
  // How much dearer a hop is where far more is in use than caches hold.
  const auto add_growth = [&add](const std::string& name, const std::vector<const char*>& set) {
    Case& growth = add(name, {1e9, "ns/hop"}, 0.5);
    growth.ours = [set] { return steady(32, set); };
    growth.peer = [set] { return steady(2, set); };
    growth.peer_kind = PeerKind::same_work;
  };
  add_growth("2048 hosts, beside 8", {});
  add_growth("2048 hosts, beside 8, with flow-control packets", kPublished);
  // What congestion control costs a hop: acknowledgements are packets, too, with hops of their own.
  const auto add_control = [&add](const std::string& control, const char* setting) {
    Case& controlled =
        add("128 hosts, " + control + ", beside no congestion control", {1e9, "ns/hop"}, 0.5);
    controlled.ours = [setting] { return steady(8, {setting}); };
    controlled.peer = [] { return steady(8, {}); };
    controlled.peer_kind = PeerKind::same_work;
  };
  add_control("DCQCN", "packet.congestion=dcqcn");
  add_control("NSCC", "packet.congestion=nscc");
  Case& dissemination = add("648 hosts, dissemination 180 B (16 s)", {1e3, "ms"}, 30);
  dissemination.ours = [] { return rounds(18, 10, Partner::random, 180); };
  dissemination.peer = [] { return Sample{16, 1}; };
  Case& ring = add("512 hosts x 45 x 1000 B (78 s)", {1e3, "ms"}, 150);
  ring.ours = [] { return rounds(16, 45, Partner::next, 1000); };
  ring.peer = [] { return Sample{78.08, 1}; };
}

}  // namespace heddle::bench
