// The way of one message through a machine, link by link.
#pragma once

#include <vector>

#include "platform/platform.hpp"

namespace heddle::report {

/// The links from one endpoint to another on an idle machine, as Platform::next() gives them.
struct Route {
  platform::Endpoint source;
  platform::Endpoint destination;
  std::vector<LinkId> links;
  Time latency;         ///< Of all links.
  Bandwidth bandwidth;  ///< What one message gets of the narrowest.

  /// From the request of a message of `size` to its receiver's knowing, cut through, with nothing
  /// else on the way: the adapters' overheads, the latency, and the bytes at the narrowest link.
  Time idle_time(const platform::Platform& platform, Bytes size) const;
};

Route find_route(const platform::Platform& platform, platform::Endpoint source,
                 platform::Endpoint destination);

}  // namespace heddle::report
