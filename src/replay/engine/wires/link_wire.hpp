// Messages on the links of a fabric that several parts of a replay work on.
//
// Each hop does what QueueNetwork does with a message of which only the last byte's arrival is
// wanted; in the same order, for hops come before what ranks do in the same instant, and among
// themselves in the order in which they were caused.
#pragma once

#include "replay/engine/wires/wire.hpp"

namespace heddle::replay {

/// Hops are entries of the engine's queue.
class LinkWire : public Wire {
 public:
  explicit LinkWire(const WireBed& bed) : Wire(bed), fabric_(*bed.input.fabric) {}

  static constexpr bool kEntersNetwork = true;
  /// Sends a message, which enters its first link at its `since`. Its number.
  MessageId launch(Message message, RankId receiver);
  void depart(MessageId number);
  void hop(LinkMessageId number);
  void prefetch_hop(LinkMessageId number) const { prefetch_whole(on_links_[raw(number)]); }
  void take(const WindowedPart& other);

  std::uint64_t hops() const { return hops_; }
  std::uint64_t fingerprint() const { return crossings_.fingerprint; }

 private:
  void cross_next(LinkMessageId number);
  void go_on(LinkMessageId number, Time when);
  void hand_over(LinkMessageId number, Time when, std::uint32_t part);
  void arrive(LinkMessageId number);

  const SharedFabric& fabric_;
  goal::ChunkPool<LinkMessage> on_links_;
  std::uint64_t hops_ = 0;
  network::Crossings crossings_;
};

}  // namespace heddle::replay
