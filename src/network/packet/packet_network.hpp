// The packet model: packets of flits through input buffers, arbiters and output buffers, with
// credits per lane.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "network/network.hpp"
#include "network/packet/packet_plan.hpp"

namespace heddle::network {

class DividedPackets;
class OutputPort;
class PacketPart;
struct PacketPlaces;

/// A network of this model, whole or divided, as others see it: its ports and hosts are those of
/// PacketPart.
class PacketNetwork final : public Network {
 public:
  /// Throws InputError where packets do not fit into the buffers, or an arbitration table is wrong.
  /// Rules find parameters of their own in `settings`.
  PacketNetwork(Simulation& simulation, const platform::Platform& platform,
                const PacketConfig& config, const Settings& settings = Settings({}));
  ~PacketNetwork() override;
  static const ParamTable<PacketConfig>& table() { return packet_table(); }

  void start(const Transfer& transfer) override;
  LinkBytes carried() const override;
  Bytes delivered() const override;
  PacketCounts packets_arrived() const override;
  std::vector<LinkStatistic> link_statistics(LinkId link) const override;
  std::vector<LinkState> link_states() const override;
  Losses losses() const override;
  LinkId lost_on() const override;
  std::string stuck() const override;
  /// A sum over all packets that have been let pass: it does not depend on the order in which
  /// different ports are served.
  std::uint64_t fingerprint() const;

  const platform::Platform& platform() const { return plan_.platform; }

  // Several threads.
  /// Why this network cannot be divided, or "".
  std::string indivisible() const;
  /// From then on the parts carry all messages, and this one says what happens in all of them: to
  /// be asked when no thread works on one. Once only.
  DividedPackets& divide(const PacketPlaces& places);

 private:
  const OutputPort* port_at(LinkId link) const;
  std::vector<const OutputPort*> ports() const;
  std::vector<const PacketPart*> parts() const;
  LinkState state_of(const OutputPort& port) const;
  std::vector<std::string> waiting_for_credits(bool at_hosts) const;

  const Simulation& simulation_;
  PacketPlan plan_;
  std::unique_ptr<PacketPart> whole_;
  std::unique_ptr<DividedPackets> divided_;
};

/// The network as one of this model, or null.
PacketNetwork* packet_network_of(Network& network);

}  // namespace heddle::network
