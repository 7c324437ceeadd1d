#include "network/links/link_levels.hpp"

#include <algorithm>

namespace heddle::network {

LinkLevels::LinkLevels(const FlowRoutes& routes, std::size_t flows)
    : routes_(routes), waiting_(routes.links()), hops_(routes.links()), placed_(routes.links()) {
  count_hops(flows);
  collect_used();
}

void LinkLevels::count_hops(std::size_t flows) {
  for (std::uint32_t flow = 0; flow < flows; ++flow) {
    const auto route = routes_.of(flow);
    for (std::size_t i = 1; i < route.size(); ++i) {
      ++waiting_[route[i]];
      hops_[route[i]] += i;
    }
  }
}

void LinkLevels::collect_used() {
  for (std::uint32_t link = 0; link < routes_.links(); ++link) {
    if (routes_.flows_of(link).empty()) {
      placed_[link] = true;
    } else if (++left_; waiting_[link] == 0) {
      ready_.push_back(link);
    }
  }
}

LinkLevels::Level LinkLevels::next() {
  Level level{ready_, !ready_.empty()};
  if (ready_.empty()) level.links = earliest();
  ready_.clear();
  left_ -= level.links.size();
  for (const std::uint32_t link : level.links) placed_[link] = true;
  for (const std::uint32_t link : level.links) pass(link);
  std::sort(ready_.begin(), ready_.end());
  return level;
}

/// Flows go on from the link.
void LinkLevels::pass(std::uint32_t link) {
  for (const std::uint32_t flow : routes_.flows_of(link)) {
    const auto route = routes_.of(flow);
    const auto here = std::find(route.begin(), route.end(), link);
    if (here + 1 == route.end()) continue;
    const std::uint32_t next = *(here + 1);
    if (--waiting_[next] == 0 && !placed_[next]) ready_.push_back(next);
  }
}

std::uint64_t LinkLevels::mean_hop(std::uint32_t link) const {
  const std::uint64_t count = routes_.flows_of(link).size();
  return (hops_[link] + count / 2) / count;
}

/// Of those without a level.
std::vector<std::uint32_t> LinkLevels::earliest() const {
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t link = 0; link < routes_.links(); ++link) {
    if (!placed_[link]) least = std::min(least, mean_hop(link));
  }
  std::vector<std::uint32_t> links;
  for (std::uint32_t link = 0; link < routes_.links(); ++link) {
    if (!placed_[link] && mean_hop(link) == least) links.push_back(link);
  }
  return links;
}

}  // namespace heddle::network
