// What becomes of a packet on a wire that may fail.
#pragma once

#include "platform/platform.hpp"

namespace heddle::network {

/// From its first flit to the end of its last, on the wire; lost at an instant, or never.
struct WirePassage {
  Time begin;
  Time end;
  Time lost = Time::never();
};

/// A packet that would pass the wire of a link in `plain`, and be there `latency` later. One that
/// is lost takes the wire as long, as its sender knows nothing; one that is held waits.
WirePassage passage_on(const platform::Platform& platform, LinkId link, const WirePassage& plain,
                       Time latency);

}  // namespace heddle::network
