// What a hop of a packet costs with UGAL, beside minimal routing under the same traffic.
//
// Both sides of a case have the same lanes. Hops are those that packets took: a detour has more.
#include <string>
#include <string_view>

#include "cases.hpp"
#include "core/random.hpp"
#include "packet_hops.hpp"
#include "platform/routing.hpp"
#include "platform/topology/diameter_two.hpp"
#include "platform/topology/dragonfly.hpp"
#include "platform/topology/slim_fly.hpp"

namespace heddle::bench {
namespace {

constexpr std::int64_t kBytes = 2048;
constexpr Bandwidth kCable = Bandwidth::gbps(100);

struct Fabric {
  std::string name;
  std::vector<const char*> routings;
  std::unique_ptr<const platform::Topology> (*topology)();
  std::uint32_t group;  ///< Nodes that send to the next as many, which is the worst for minimal.
  double accepted;      ///< Of that traffic, less than minimal routing accepts.
  std::vector<const char*> lanes;
  Time warm_up;
  Time simulated;
};

const std::vector<Fabric>& fabrics() {
  static const std::vector<const char*> kByGroup = {"packet.lane_by=group", "packet.lanes=4"};
  static const std::vector<Fabric> all = {
      {"dragonfly of 72 nodes",
       {"ugal-l", "ugal-g", "par"},
       []() -> std::unique_ptr<const platform::Topology> {
         return std::make_unique<platform::Dragonfly>(platform::DragonflyShape{9, 4, 2, 2});
       },
       8,
       0.1,
       kByGroup,
       Time::us(50),
       Time::us(150)},
      {"dragonfly of 1056 nodes",
       {"ugal-l", "ugal-g", "par"},
       []() -> std::unique_ptr<const platform::Topology> {
         return std::make_unique<platform::Dragonfly>(platform::DragonflyShape{33, 8, 4, 4});
       },
       32,
       0.025,
       kByGroup,
       Time::us(10),
       Time::us(15)},
      {"Slim Fly of 588 nodes",
       {"ugal-l", "ugal-g"},
       []() -> std::unique_ptr<const platform::Topology> {
         return std::make_unique<platform::DiameterTwo>(platform::slim_fly({7, 6}));
       },
       6,
       0.13,
       {"packet.lane_by=hop", "packet.lanes=6"},
       Time::us(10),
       Time::us(20)},
  };
  return all;
}

enum class Partner { anyone, next_group };

/// Hosts that send messages, as long as the simulation is run.
class Senders {
 public:
  Senders(network::Network& network, std::uint32_t hosts, Partner partner, std::uint32_t group)
      : network_(network), hosts_(hosts), partner_(partner), group_(group) {}
  virtual ~Senders() = default;

 protected:
  void send(std::uint32_t source, network::TransferClient* client) {
    network::Transfer transfer;
    transfer.source.node = NodeId{source};
    transfer.destination.node = NodeId{static_cast<std::uint32_t>(partner_of(source))};
    transfer.size = Bytes(kBytes);
    transfer.client = client;
    transfer.cookie = source;
    if (client == nullptr) transfer.wants = 0;
    network_.start(transfer);
  }
  std::uint32_t hosts() const { return hosts_; }

 private:
  std::uint64_t partner_of(std::uint32_t source) {
    if (partner_ == Partner::anyone) {
      return (source + 1 + random_.below(std::uint64_t{hosts_} - 1)) % hosts_;
    }
    return ((source / group_ + 1) * group_ + random_.below(group_)) % hosts_;
  }

  network::Network& network_;
  std::uint32_t hosts_;
  Partner partner_;
  std::uint32_t group_;
  RandomStream random_{1};
};

/// As much as the network takes: every host keeps some messages under way.
class FullLoad final : public Senders, public network::TransferClient {
 public:
  FullLoad(network::Network& network, std::uint32_t hosts, Partner partner, std::uint32_t group)
      : Senders(network, hosts, partner, group) {
    constexpr int kWindow = 8;
    for (std::uint32_t host = 0; host < hosts; ++host) {
      for (int i = 0; i < kWindow; ++i) send(host, this);
    }
  }
  void transfer_reached(network::Instant, std::uint64_t source) override {
    send(static_cast<std::uint32_t>(source), this);
  }
};

/// A share of what the cables of the hosts carry, random hosts one after the other.
class ShareOfLoad final : public Senders, public Event {
 public:
  ShareOfLoad(Simulation& simulation, network::Network& network, std::uint32_t hosts,
              Partner partner, std::uint32_t group, double load)
      : Senders(network, hosts, partner, group),
        simulation_(simulation),
        source_(simulation.new_source()),
        pause_(Time::ps(static_cast<std::int64_t>(
            static_cast<double>(kCable.time_for(Bytes(kBytes)).ps()) / load / hosts))) {
    simulation.schedule(*this, pause_, source_);
  }
  void fire() override {
    send(static_cast<std::uint32_t>(draws_.below(hosts())), nullptr);
    simulation_.schedule(*this, simulation_.now() + pause_, source_);
  }

 private:
  Simulation& simulation_;
  EventSource source_;
  Time pause_;
  RandomStream draws_{2};
};

enum class Traffic { uniform, adversarial_share, adversarial };

/// What a hop costs there.
Sample routed(const Fabric& fabric, const char* routing_name, Traffic kind) {
  auto topology = fabric.topology();
  auto routing = platform::make_routing(routing_name, *topology);
  platform::LinkParams link;
  link.bandwidth = kCable;
  link.latency = Time::ns(100);
  const platform::Platform machine("machine", std::move(topology), std::move(routing), link,
                                   platform::SwitchParams{Time::ns(100)}, platform::NodeParams{},
                                   platform::NicParams{});
  const auto settings = packet_config(fabric.lanes);
  Simulation simulation;
  network::PacketNetwork network(simulation, machine, settings);
  const std::uint32_t hosts = machine.nodes();
  const Partner partner = kind == Traffic::uniform ? Partner::anyone : Partner::next_group;
  std::unique_ptr<Senders> traffic;
  Time warm_up = fabric.warm_up;
  Time simulated = fabric.simulated;
  if (kind == Traffic::adversarial_share) {
    warm_up = warm_up * 20;  // Until every port has been used.
    simulated = simulated * 20;
    traffic = std::make_unique<ShareOfLoad>(simulation, network, hosts, partner, fabric.group,
                                            fabric.accepted);
  } else {
    traffic = std::make_unique<FullLoad>(network, hosts, partner, fabric.group);
  }
  simulation.run_until(warm_up);
  const std::int64_t before = packet_hops(network, machine);
  Sample sample = timed(1, [&] { simulation.run_until(warm_up + simulated); });
  sample.units = static_cast<double>(packet_hops(network, machine) - before);
  return sample;
}

std::string name_of(const Fabric& fabric, Traffic traffic) {
  if (traffic == Traffic::uniform) return "uniform at full load";
  if (traffic == Traffic::adversarial) return "adversarial at full load";
  const std::string load = std::to_string(fabric.accepted);
  return "adversarial at load " + load.substr(0, load.find_last_not_of('0') + 1);
}

}  // namespace

void add_routing_cases(Suite& suite) {
  for (const Fabric& fabric : fabrics()) {
    for (const char* routing : fabric.routings) {
      for (const Traffic traffic :
           {Traffic::uniform, Traffic::adversarial_share, Traffic::adversarial}) {
        Case& choosing = suite.cases.emplace_back();
        choosing.group = "routing";
        choosing.name =
            fabric.name + ", " + name_of(fabric, traffic) + ", " + routing + " beside minimal";
        choosing.scale = {1e9, "ns/hop"};
        choosing.ours = [&fabric, routing, traffic] { return routed(fabric, routing, traffic); };
        choosing.peer = [&fabric, traffic] { return routed(fabric, "minimal", traffic); };
        // At full adversarial load minimal routing leaves most of a fabric idle: nothing is asked.
        if (traffic != Traffic::adversarial) choosing.target_ratio = 1 / 1.5;
      }
    }
  }
}

}  // namespace heddle::bench
