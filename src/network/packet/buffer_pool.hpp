// Room in input buffers that several lanes or links share.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/time.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/packet_plan.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

/// Every lane has room for one packet of its own, so that lanes never stop each other for good;
/// what it holds beyond that is taken from the pool, and is free again when its sender knows that
/// it has left. What one sender takes, the others know at once.
class BufferPool {
 public:
  /// Shares `flits`; a lane has `own` besides.
  BufferPool(std::int64_t flits, std::int64_t own) : flits_(flits), own_(own) {}

  /// The buffers at the end of its link are a part of this.
  void add(OutputPort& sender) { senders_.push_back(&sender); }
  /// Whether a packet of that sender's has room, as far as is known now.
  bool admits(const OutputPort& sender, const Packet& packet) const;
  /// The sender looks again when room becomes free, until it waits no longer.
  void wait(OutputPort& sender);
  void wait_no_longer(const OutputPort& sender);
  /// Flits of that sender's leave at `when`.
  void freed(const OutputPort& sender, Time when);

 private:
  std::int64_t taken_by(std::int64_t held) const { return held > own_ ? held - own_ : 0; }

  std::int64_t flits_;
  std::int64_t own_;
  std::vector<OutputPort*> senders_;
  std::vector<OutputPort*> waiting_;
};

/// The pools of a network, or of one part of it, made when first used.
class BufferPools {
 public:
  explicit BufferPools(const PacketContext& context);
  /// The sender shares the buffers at the end of its link with whom it may.
  void add(OutputPort& sender);

 private:
  BufferPool& pool(const OutputPort& sender);

  const PacketPlan* plan_;
  std::vector<std::int64_t> flits_;          ///< By vertex, where all links into it share.
  std::map<std::size_t, BufferPool> pools_;  ///< By vertex or link.
};

}  // namespace heddle::network
