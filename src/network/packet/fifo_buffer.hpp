// An input buffer that packets leave in the order in which they came.
#pragma once

#include "core/containers/ring.hpp"
#include "network/packet/packet.hpp"

namespace heddle::network {

/// One lane of it; knows where each packet waits to go.
class FifoBuffer {
 public:
  struct Place {
    Packet* packet = nullptr;
    OutputPort* output = nullptr;  ///< Where it waits.
  };

  void enter(Packet& packet, OutputPort& output) { places_.push_back({&packet, &output}); }
  /// Whether packets that came before it hold it up.
  bool holds_up(const Packet& packet) const { return places_.front().packet != &packet; }
  /// The first one leaves, the last of its flits at `passed`; the next, or nothing.
  Place leave(Time passed) {
    passed_ = passed;
    places_.pop_front();
    return places_.empty() ? Place{} : places_.front();
  }
  /// When the last one that left had passed.
  Time passed() const { return passed_; }

 private:
  Ring<Place> places_;
  Time passed_;
};

}  // namespace heddle::network
