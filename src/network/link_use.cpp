#include "network/link_use.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

std::vector<LinkUse> used_links(const platform::Platform& platform, const LinkSpan& span) {
  std::vector<LinkUse> uses;
  for (std::uint32_t i = 0; i < span.after.size(); ++i) {
    const std::int64_t bytes = span.after[i] - (span.before.empty() ? 0 : span.before[i]);
    if (bytes <= 0) continue;
    const Bandwidth bandwidth = platform.links()[LinkId{i}].bandwidth;
    const double could = bandwidth.bytes_per_ps() * static_cast<double>(span.length.ps());
    uses.push_back({LinkId{i}, Bytes(bytes), could > 0 ? static_cast<double>(bytes) / could : 0});
  }
  return uses;
}

}  // namespace

std::vector<LinkUse> busiest_links(const platform::Platform& platform, const LinkSpan& span,
                                   std::size_t top) {
  std::vector<LinkUse> uses = used_links(platform, span);
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(std::min(top, uses.size()));
  std::partial_sort(uses.begin(), middle, uses.end(), [](const LinkUse& a, const LinkUse& b) {
    if (a.utilisation != b.utilisation) return a.utilisation > b.utilisation;
    return a.bytes != b.bytes ? a.bytes > b.bytes : a.link < b.link;
  });
  uses.erase(middle, uses.end());
  return uses;
}

std::vector<LinkUse> busiest_links(const platform::Platform& platform, const Network& network,
                                   const LinkSpan& span, std::size_t top) {
  std::vector<LinkUse> uses = busiest_links(platform, span, top);
  for (LinkUse& use : uses) use.more = network.link_statistics(use.link);
  return uses;
}

}  // namespace heddle::network
