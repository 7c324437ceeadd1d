// Random traffic at full load, and every pair of shape and routing to send it over.
#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "network/lane_cases.hpp"

namespace heddle::network {

/// Sends from each node to random others, one message of four packets after another, eight at a
/// time.
class FullLoad final : public TransferClient {
 public:
  FullLoad(Bed& bed, std::uint32_t nodes, std::uint64_t messages, std::uint64_t seed = 1)
      : bed_(bed), nodes_(nodes), left_(messages), random_(seed) {
    for (std::uint32_t n = 0; n < nodes; ++n) {
      for (int i = 0; i < 8; ++i) send(n);
    }
  }
  void transfer_reached(Instant, std::uint64_t node) override {
    ++arrived_;
    send(static_cast<std::uint32_t>(node));
  }
  std::uint64_t sent() const { return sent_; }
  std::uint64_t arrived() const { return arrived_; }

 private:
  void send(std::uint32_t from) {
    if (left_ == 0) return;
    --left_;
    ++sent_;
    const auto to = static_cast<std::uint32_t>((from + 1 + random_.below(nodes_ - 1)) % nodes_);
    Transfer transfer = bed_.transfer(from, from, to, 4 * 2'156);
    transfer.client = this;
    bed_.network->start(transfer);
  }

  Bed& bed_;
  std::uint32_t nodes_;
  std::uint64_t left_;
  std::uint64_t sent_ = 0;
  std::uint64_t arrived_ = 0;
  RandomStream random_;
};

/// Messages under full load that do not arrive, with room for one packet per buffer and lane.
inline std::uint64_t missing_at_full_load(const LaneCase& c, std::uint64_t messages,
                                          std::uint64_t seed = 1) {
  const platform::Platform platform = machine_of(c);
  std::vector<std::string> settings = c.packet;
  settings.emplace_back("packet.buffer=34");
  Bed bed("packet", platform, settings);
  FullLoad load(bed, platform.nodes(), messages, seed);
  bed.simulation.run();
  return load.sent() - load.arrived();
}

/// A small machine of every kind that has one.
inline std::vector<LaneCase> small_machines() {
  return {{"torus", kTorus, "", {}},
          {"mesh", kMesh, "", {}},
          {"hyperx", {"hyperx.dims=3x3"}, "", {}},
          {"flattened-butterfly", {"flattened-butterfly.arity=3"}, "", {}},
          {"fat-tree", kTree, "", {}},
          {"dragonfly", kGroups, "", {}},
          {"dragonfly-plus", kPlus, "", {}},
          {"slim-fly", {"slim-fly.q=3", "slim-fly.nodes_per_switch=1"}, "", {}},
          {"polarfly", {"polarfly.q=3", "polarfly.nodes_per_switch=1"}, "", {}},
          {"jellyfish", kRandom, "", {}},
          {"xpander", {"xpander.ports=3", "xpander.lift=4", "xpander.nodes_per_switch=1"}, "", {}}};
}

/// Every pair of such a machine and a routing that suits it, with the lanes that it has by itself
/// and with one lane.
inline std::vector<LaneCase> all_pairs() {
  std::vector<LaneCase> pairs;
  for (LaneCase machine : small_machines()) {
    machine.routing = "minimal";
    const platform::Platform platform = machine_of(machine);
    for (const platform::RoutingKind& routing : platform::routing_kinds()) {
      if (!routing.suits(platform.topology())) continue;
      machine.routing = routing.name;
      machine.packet = {};
      pairs.push_back(machine);
      machine.packet = lanes("class", 1);
      pairs.push_back(machine);
    }
  }
  return pairs;
}

}  // namespace heddle::network
