// What packets that come soon need of memory.
#pragma once

#include "network/packet/used_hosts.hpp"
#include "network/packet/used_ports.hpp"

namespace heddle::network {

/// Asks for it in three steps, each of which looks into what the one before has asked for. Changes
/// nothing.
class PacketForesight {
 public:
  /// All must outlive it.
  PacketForesight(const PacketPlan& plan, const UsedPorts& ports, const UsedHosts& hosts)
      : plan_(plan), ports_(ports), hosts_(hosts) {}

  void glimpse(const Packet& packet) const;
  void foresee(const Packet& packet) const;
  void expect(const Packet& packet) const;
  /// The packet is about to leave its source.
  void foresee_source(const Packet& packet) const {
    prefetch(&hosts_.find(packet.walk.source)->sending);
  }

 private:
  const PacketPlan& plan_;
  const UsedPorts& ports_;
  const UsedHosts& hosts_;
};

}  // namespace heddle::network
