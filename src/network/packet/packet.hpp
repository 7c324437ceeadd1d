// A packet under way.
#pragma once

#include <algorithm>
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
struct alignas(64) Packet : public Event {
  /// One that arrives in `where`; no packet that is only handed on needs to know.
  explicit Packet(PacketPart* where = nullptr) : part(where) {}
  void fire() override;
  void glimpse() const override;
  void foresee() const override;
  void expect() const override;
  /// Asks for its own memory.
  void foresee_hop() const { prefetch_lines(this, 2); }

  /// At its source, before the arbiter of its first link.
  void begin(Time now, std::uint8_t own_lane) {
    lane = own_lane;
    in = kNoLink;
    before = nullptr;
    marked = at_end = ahead = false;
    head = now;
    spacing = Time::zero();
  }
  void set_size(Bytes bytes, Bytes flit) {
    const std::int64_t count = std::max<std::int64_t>(1, bytes.count());
    flits = static_cast<std::uint32_t>((count + flit.count() - 1) / flit.count());
    last_bytes = static_cast<std::uint32_t>(count - (flits - 1) * flit.count());
  }
  /// Whether it is known to take the link `coming` next.
  bool goes_on() const { return ahead && !at_end && coming != kNoLink; }
  Bytes size(Bytes flit) const { return flit * (flits - 1) + Bytes(last_bytes); }

  std::uint8_t lane = 0;     ///< On the next link, as far as the walk has come to it.
  std::uint8_t in_lane = 0;  ///< Of the buffer that holds it.
  bool marked : 1 = false;
  bool at_end : 1 = false;
  bool ahead : 1 = false;    ///< Its walk has come to the link after `in` already.
  bool tracked : 1 = false;  ///< It is a TrackedPacket.
  bool lost : 1 = false;     ///< On the link `in`, which has failed.
  bool told : 1 = false;   ///< By one adapter to another: of no client's message, and never marked.
  Packet* next = nullptr;  ///< Behind it in its queue.
  Time head;               ///< When its first flit is or was at the arbiter.
  Time spacing;            ///< Between its flits.
  LinkId in = kNoLink;     ///< The link whose far buffer holds it; none: it is still at its source.
  LinkId coming = kNoLink;  ///< If the walk is ahead: the link after `in`; none: its end.
  std::uint32_t flits = 0;
  std::uint32_t last_bytes = 0;
  OutputPort* before = nullptr;  ///< Of the link `in`.

  PacketPart* part;  ///< Of the network, where the packet is.
  Message* message = nullptr;
  platform::Walk walk;
};

}  // namespace heddle::network
