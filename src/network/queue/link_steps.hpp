// A message on links of which several threads each have some.
#pragma once

#include "network/queue/queue_links.hpp"

namespace heddle::network {

/// Its turn has come, where routes are fixed and only its last byte is waited for: it enters its
/// next link, or is on its way to its end. When something next happens to it.
[[gnu::always_inline]] inline Time next_step(QueueLinks& links, QueueTravel& travel, Time now,
                                             Crossings& crossings) {
  LinkId link = travel.next;
  if (travel.first_link) {
    link = travel.route != nullptr
               ? travel.route->link
               : links.platform().routes().next(travel.walk, platform::NoLoads{});
  }
  if (link != kNoLink) return links.cross(travel, link, now, crossings).next;
  travel.first_link = false;
  travel.at_end = true;
  return travel.tail;
}

}  // namespace heddle::network
