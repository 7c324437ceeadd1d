#include "report/queue_series.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace heddle::report {
namespace {

using record::WaitSamples;

constexpr std::size_t kWorst = 4;    ///< Links that are shown for each of what may be bad.
constexpr std::size_t kSources = 4;  ///< Links from nodes, for their rates.

/// As the document calls it.
const char* name_of(WaitSamples::Column column) {
  switch (column) {
    case WaitSamples::queued:
      return "queued_bytes";
    case WaitSamples::held_up:
      return "held_up_ps";
    case WaitSamples::marked:
      return "marked";
    case WaitSamples::lost:
      return "lost";
    default:
      return "carried_bytes";
  }
}

template <class SeriesOf>
void put_series(Json& json, const SeriesOf& series_of) {
  for (std::size_t c = 0; c < WaitSamples::columns; ++c) {
    const auto column = static_cast<WaitSamples::Column>(c);
    json[name_of(column)] = series_of(column);
  }
}

/// Up to `most` of `links`, those with the largest sums first; none of which it is zero.
std::vector<std::uint32_t> largest(const WaitSamples& waits, WaitSamples::Column column,
                                   const std::vector<std::uint32_t>& links, std::size_t most) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> sums;
  for (const std::uint32_t link : links) {
    const std::vector<std::int64_t> series = waits.of(link, column);
    const std::int64_t sum = std::accumulate(series.begin(), series.end(), std::int64_t{0});
    if (sum > 0) sums.emplace_back(-sum, link);
  }
  std::sort(sums.begin(), sums.end());
  std::vector<std::uint32_t> found;
  for (const auto& [sum, link] : sums) {
    if (found.size() == most) break;
    found.push_back(link);
  }
  return found;
}

/// Those with most of something bad, then those by which the nodes send that send most.
std::vector<std::uint32_t> shown_links(const WaitSamples& waits,
                                       const platform::Platform& platform) {
  std::vector<std::uint32_t> all(waits.links());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<std::uint32_t> from_nodes;
  for (const std::uint32_t link : all) {
    if (link >= platform.topology().links()) break;
    if (!platform.topology().is_switch(platform.links().ends(LinkId{link}).from)) {
      from_nodes.push_back(link);
    }
  }
  std::vector<std::uint32_t> shown;
  const auto add = [&shown](const std::vector<std::uint32_t>& links) {
    for (const std::uint32_t link : links) {
      if (std::find(shown.begin(), shown.end(), link) == shown.end()) shown.push_back(link);
    }
  };
  for (const auto column :
       {WaitSamples::queued, WaitSamples::held_up, WaitSamples::marked, WaitSamples::lost}) {
    add(largest(waits, column, all, kWorst));
  }
  add(largest(waits, WaitSamples::carried, from_nodes, kSources));
  return shown;
}

}  // namespace

Json queues_json(const WaitSamples& waits, const platform::Platform& platform, Time end) {
  if (!waits.any()) return nullptr;
  Json json;
  json["slice_ps"] = waits.slice().ps();
  json["end_ps"] = end.ps();
  put_series(json["all"], [&](WaitSamples::Column column) { return waits.of_all(column); });
  Json& links = json["links"] = Json::array();
  for (const std::uint32_t link : shown_links(waits, platform)) {
    Json& entry = links.emplace_back();
    entry["link"] = platform.links().name(LinkId{link});
    put_series(entry, [&](WaitSamples::Column column) { return waits.of(link, column); });
  }
  return json;
}

}  // namespace heddle::report
