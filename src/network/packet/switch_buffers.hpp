// The buffers of switches where no credits keep them from being full.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/network.hpp"

namespace heddle::network {

struct Packet;
struct PacketContext;
class OutputPort;

/// Of all switches of a network. A packet is in a buffer from when its head arrives until an
/// arbiter lets it pass.
class SwitchBuffers {
 public:
  virtual ~SwitchBuffers() = default;
  /// The packet's head is at a switch, on its way to `output`, or, where hosts have buffers, at its
  /// end, with none. False: there is no room. It may have been cut to its header, and be another's
  /// in this lane.
  virtual bool take(Packet& packet, const OutputPort* output) = 0;
  /// A packet that was taken leaves.
  virtual void left(const Packet& packet) = 0;
  /// Whether packets are taken at hosts that drain them slowly.
  virtual bool at_hosts() const { return false; }

  /// What there is to say of a link: the same names for each.
  virtual std::vector<LinkStatistic> link_statistics(LinkId link) const = 0;
  virtual void add_to(PacketCounts& counts) const = 0;
  /// The same of a link's state: how long it was paused, and what was lost before it.
  virtual void add_to(LinkState& state, LinkId link) const = 0;
};

/// As the plan's flow control has it; null: by credits. The context must outlive them.
std::unique_ptr<SwitchBuffers> new_switch_buffers(const PacketContext& context);
std::unique_ptr<SwitchBuffers> new_pfc_buffers(const PacketContext& context);
std::unique_ptr<SwitchBuffers> new_lossy_buffers(const PacketContext& context);

}  // namespace heddle::network
