// Which links were used most, for reports.
#pragma once

#include <vector>

#include "network/network.hpp"

namespace heddle::network {

/// What a link carried in the measured time.
struct LinkUse {
  LinkId link;
  Bytes bytes;
  double utilisation = 0;                ///< Of its bandwidth; 0 for a link without one.
  std::vector<LinkStatistic> more = {};  ///< What the model knows besides, of all the run.
};

/// What the links carried between two looks at Network::carried(); `before` may be empty.
struct LinkSpan {
  LinkBytes before;
  LinkBytes after;
  Time length;
};

/// The `top` links, without what a model knows besides.
std::vector<LinkUse> busiest_links(const platform::Platform& platform, const LinkSpan& span,
                                   std::size_t top);
/// The `top` links that carried something: most utilised first, then most bytes, then by number.
std::vector<LinkUse> busiest_links(const platform::Platform& platform, const Network& network,
                                   const LinkSpan& span, std::size_t top);

}  // namespace heddle::network
