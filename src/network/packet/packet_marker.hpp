// What marks packets at an output where there is congestion.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "network/packet/congestion_control.hpp"
#include "network/packet/packet.hpp"

namespace heddle::network {

/// Lets a congestion point decide, if there is one, and counts.
class PacketMarker {
 public:
  explicit PacketMarker(std::unique_ptr<CongestionPoint> point) : point_(std::move(point)) {}

  /// What one adapter tells another is never marked.
  bool looks_at(const Packet& packet) const { return point_ != nullptr && !packet.told; }
  void look_at(Packet& packet, const QueueSight& queue) {
    if (!point_->marks(queue)) return;
    packet.marked = true;
    ++marked_;
  }
  std::int64_t marked() const { return marked_; }

 private:
  std::unique_ptr<CongestionPoint> point_;
  std::int64_t marked_ = 0;
};

}  // namespace heddle::network
