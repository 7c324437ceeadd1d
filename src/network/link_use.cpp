#include "network/link_use.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

bool is_busier(const LinkUse& a, const LinkUse& b) {
  if (a.utilisation != b.utilisation) return a.utilisation > b.utilisation;
  return a.bytes != b.bytes ? a.bytes > b.bytes : a.link < b.link;
}

/// Leaves the `top` busiest ones, in order.
void keep_busiest(std::vector<LinkUse>& uses, std::size_t top) {
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(std::min(top, uses.size()));
  std::partial_sort(uses.begin(), middle, uses.end(), is_busier);
  uses.erase(middle, uses.end());
}

}  // namespace

/// Of millions of links no more than some times as many as are wanted are kept at a time.
std::vector<LinkUse> busiest_links(const platform::Platform& platform, const LinkSpan& span,
                                   std::size_t top) {
  const std::size_t most = 4 * std::min(top, span.after.size()) + 1024;
  std::vector<LinkUse> uses;
  span.after.for_each_used([&](std::size_t i, std::int64_t after) {
    const std::int64_t bytes = after - (span.before.empty() ? 0 : span.before[i]);
    if (bytes <= 0) return;
    const LinkId link{static_cast<std::uint32_t>(i)};
    const Bandwidth bandwidth = platform.links()[link].bandwidth;
    const double could = bandwidth.bytes_per_ps() * static_cast<double>(span.length.ps());
    uses.push_back({link, Bytes(bytes), could > 0 ? static_cast<double>(bytes) / could : 0});
    if (uses.size() == most) keep_busiest(uses, top);
  });
  keep_busiest(uses, top);
  return uses;
}

std::vector<LinkUse> busiest_links(const platform::Platform& platform, const Network& network,
                                   const LinkSpan& span, std::size_t top) {
  std::vector<LinkUse> uses = busiest_links(platform, span, top);
  for (LinkUse& use : uses) use.more = network.link_statistics(use.link);
  return uses;
}

}  // namespace heddle::network
