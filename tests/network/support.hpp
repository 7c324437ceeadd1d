// What tests of the network models share: a small machine, and a client that notes when things
// happen.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "network/network.hpp"
#include "platform/routing.hpp"
#include "platform/topology/single_switch.hpp"

namespace heddle::network {

/// Notes the time of every instant reported.
class Recorder final : public TransferClient {
 public:
  explicit Recorder(const Simulation& simulation) : simulation_(simulation) {}
  void transfer_reached(Instant instant, std::uint64_t cookie) override {
    times_[{cookie, instant}] = simulation_.now();
  }
  Time at(std::uint64_t cookie, Instant instant = Instant::tail) const {
    return times_.at({cookie, instant});
  }
  std::size_t count() const { return times_.size(); }

 private:
  const Simulation& simulation_;
  std::map<std::pair<std::uint64_t, Instant>, Time> times_;
};

/// All three instants.
inline constexpr std::uint8_t kAllInstants = 7;

struct MachineParams {
  platform::LinkParams link{Bandwidth::gbps(100), {}, Time::ns(100), platform::Duplex::full};
  platform::SwitchParams switches{Time::ns(50)};
  platform::NodeParams node;
};

/// `nodes` nodes on one switch: every route is two links of 100 Gb/s, 100 ns + (50 ns + 100 ns) by
/// default.
inline platform::Platform star(std::uint32_t nodes, const MachineParams& params = {}) {
  auto topology = std::make_unique<platform::SingleSwitch>(nodes);
  auto routing = platform::make_routing("minimal", *topology);
  return {"star",      std::move(topology), std::move(routing),
          params.link, params.switches,     params.node,
          {}};
}

/// One network on one machine.
struct Bed {
  Bed(const std::string& model, const platform::Platform& platform,
      const std::vector<std::string>& assignments = {})
      : settings(network_sections()), recorder(simulation) {
    for (const std::string& assignment : assignments) settings.assign(assignment, {});
    network = make_network(model, simulation, platform, settings);
  }
  /// A transfer that tells the recorder when its last byte is there.
  Transfer transfer(std::uint64_t cookie, std::uint32_t from, std::uint32_t to,
                    std::int64_t bytes) {
    Transfer transfer;
    transfer.source.node = NodeId{from};
    transfer.destination.node = NodeId{to};
    transfer.size = Bytes(bytes);
    transfer.client = &recorder;
    transfer.cookie = cookie;
    return transfer;
  }
  void send(std::uint64_t cookie, std::uint32_t from, std::uint32_t to, std::int64_t bytes,
            std::uint8_t wants = static_cast<std::uint8_t>(Instant::tail)) {
    Transfer t = transfer(cookie, from, to, bytes);
    t.wants = wants;
    network->start(t);
  }
  /// From memory to memory, over the buses of both nodes.
  void send_between_memories(std::uint64_t cookie, std::uint32_t from, std::uint32_t to,
                             std::int64_t bytes) {
    Transfer t = transfer(cookie, from, to, bytes);
    t.source.port = t.destination.port = platform::Port::memory;
    network->start(t);
  }

  Simulation simulation;
  Settings settings;
  std::unique_ptr<Network> network;
  Recorder recorder;
};

/// When 1 MB each way over the cables of two nodes is there.
inline Time exchange(const std::string& model, platform::Duplex duplex,
                     const std::vector<std::string>& assignments = {}) {
  MachineParams params;
  params.link.duplex = duplex;
  const platform::Platform platform = star(2, params);
  Bed bed(model, platform, assignments);
  bed.send(0, 0, 1, 1'000'000);
  bed.send(1, 1, 0, 1'000'000);
  bed.simulation.run();
  return bed.simulation.now();
}

}  // namespace heddle::network
