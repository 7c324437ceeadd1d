// Sharing out equally short ways by destination.
#pragma once

#include <cstdint>

#include "platform/topology.hpp"

namespace heddle::platform {

/// Of the links that `for_each` calls its argument with, the one that the number of a destination
/// names; there is at least one.
template <class ForEach>
LinkId shared_out(VertexId destination, ForEach for_each) {
  std::uint32_t ways = 0;
  for_each([&ways](LinkId) { ++ways; });
  std::uint32_t wanted = static_cast<std::uint32_t>(destination) % ways;
  LinkId chosen = kNoLink;
  for_each([&](LinkId first) {
    if (wanted-- == 0) chosen = first;
  });
  return chosen;
}

}  // namespace heddle::platform
