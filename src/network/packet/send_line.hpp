// The packets that stand in line at their sender's cable, by destination.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <unordered_map>

#include "core/random.hpp"
#include "network/packet/message.hpp"

namespace heddle::network {

/// Of what a node sends to another, only a window is in line at once: the next packet joins it,
/// behind all others, when one has left the cable. So messages shorter than that go in the order in
/// which they came, and longer ones share the cable by their windows.
class SendLine {
 public:
  /// What the windows of a node's messages are.
  struct Windows {
    Bytes median;
    std::int64_t max_payload;  ///< Of a packet.
    double unevenness;         ///< Standard deviation of the logarithm.
    RandomStream random;       ///< The node's own.

    /// In packets, one at least.
    std::int64_t towards(NodeId destination) const;
  };

  /// `windows` must live as long.
  explicit SendLine(const Windows& windows) : windows_(&windows) {}

  void add(Message& message);
  /// The message whose packet is next, the first that may; null if there is none: `soonest` is then
  /// no later than when one may. The packet before it has left. `allowed` says from when on a
  /// message may.
  template <class Allowed>
  Message* next(Time now, Allowed allowed, Time& soonest) {
    follow_up();
    for (auto place = line_.begin(); place != line_.end(); ++place) {
      Stream& stream = **place;
      if (const Time may = allowed(*stream.first); may > now) {
        soonest = std::min(soonest, may);
        continue;
      }
      line_.erase(place);
      leaving_ = &stream;
      return &take_packet(stream);
    }
    return nullptr;
  }
  bool empty() const { return line_.empty(); }

 private:
  /// Messages to one node.
  struct Stream {
    Message* first = nullptr;
    Message* last = nullptr;
    std::int64_t window = 0;   ///< Packets.
    std::int64_t in_line = 0;  ///< Packets, the one that leaves now included.
    std::int64_t behind = 0;   ///< Packets that are not yet in line.
  };

  void follow_up();
  Message& take_packet(Stream& stream) const;
  void join(Stream& stream);

  const Windows* windows_;
  std::unordered_map<std::uint32_t, Stream> streams_;  ///< By destination; looked up only.
  std::deque<Stream*> line_;                           ///< One entry for each packet.
  Stream* leaving_ = nullptr;                          ///< Whose packet was the last one.
};

}  // namespace heddle::network
