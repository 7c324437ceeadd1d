// A packet under way.
#pragma once

#include <cstdint>

#include "core/prefetch.hpp"
#include "core/simulation.hpp"
#include "platform/platform.hpp"

namespace heddle::network {

struct Message;
class OutputPort;
class PacketPart;

/// As an event, its head reaching the buffer at the end of its link, or its end at its destination.
/// What a hop needs is in two lines of the cache.
struct alignas(64) Packet final : public Event {
  /// One that arrives in `where`; no packet that is only handed on needs to know.
  explicit Packet(PacketPart* where = nullptr) : part(where) {}
  void fire() override;
  void glimpse() const override;
  void foresee() const override;
  /// Asks for its own memory.
  void foresee_hop() const { prefetch_lines(this, 2); }

  std::uint8_t lane = 0;     ///< On the next link.
  std::uint8_t in_lane = 0;  ///< Of the buffer that holds it.
  bool marked = false;
  bool at_end = false;
  Packet* next = nullptr;  ///< Behind it in its queue.
  Time head;               ///< When its first flit is or was at the arbiter.
  Time spacing;            ///< Between its flits.
  LinkId in = kNoLink;     ///< The link whose far buffer holds it; none: it is still at its source.
  LinkId coming = kNoLink;  ///< Where routes are fixed: the link after `in`; none: its end.
  std::uint32_t flits = 0;
  std::uint32_t last_bytes = 0;
  OutputPort* before = nullptr;  ///< Of the link `in`.

  PacketPart* part;  ///< Of the network, where the packet is.
  Message* message = nullptr;
  platform::Walk walk;
};

}  // namespace heddle::network
