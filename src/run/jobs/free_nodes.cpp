#include "run/jobs/free_nodes.hpp"

#include <algorithm>
#include <map>

#include "platform/failures/degraded_fabric.hpp"
#include "platform/grouped.hpp"
#include "platform/placement.hpp"

namespace heddle::run {

const std::vector<std::pair<std::string_view, JobPlacement>>& job_placements() {
  static const std::vector<std::pair<std::string_view, JobPlacement>> all = {
      {"contiguous", JobPlacement::contiguous},
      {"random", JobPlacement::random},
      {"by-switch", JobPlacement::by_switch},
      {"by-group", JobPlacement::by_group}};
  return all;
}

FreeNodes::FreeNodes(const platform::Platform& platform, std::uint64_t seed)
    : free_(platform.nodes(), true),
      count_(platform.nodes()),
      group_of_(platform.nodes()),
      random_(RandomStream(seed).split("jobs")) {
  const platform::Topology& topology = platform.topology();
  const auto* const degraded = dynamic_cast<const platform::DegradedFabric*>(&topology);
  const platform::Topology& whole = degraded == nullptr ? topology : degraded->whole();
  const auto* const grouped = dynamic_cast<const platform::Grouped*>(&whole);
  has_groups_ = grouped != nullptr;
  for (std::uint32_t n = 0; n < platform.nodes(); ++n) {
    const VertexId at = platform::first_switch(topology, NodeId{n});
    switch_of_.push_back(static_cast<std::uint32_t>(at));
    if (has_groups_) group_of_[n] = grouped->group(VertexId{n});
  }
}

std::vector<std::uint32_t> FreeNodes::all_free() const {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < free_.size(); ++n) {
    if (free_[n]) nodes.push_back(n);
  }
  return nodes;
}

/// The first gap that is large enough.
std::vector<std::uint32_t> FreeNodes::contiguous(std::uint32_t nodes) const {
  std::vector<std::uint32_t> run;
  for (std::uint32_t n = 0; n < free_.size() && run.size() < nodes; ++n) {
    if (free_[n]) {
      run.push_back(n);
    } else {
      run.clear();
    }
  }
  if (run.size() == nodes) return run;
  run = all_free();
  run.resize(nodes);
  return run;
}

std::vector<std::uint32_t> FreeNodes::random(std::uint32_t nodes) {
  std::vector<std::uint32_t> all = all_free();
  for (std::uint32_t i = 0; i < nodes; ++i) {
    std::swap(all[i], all[i + random_.below(all.size() - i)]);
  }
  all.resize(nodes);
  return all;
}

/// From as few places as can be had: the one with the fewest free nodes that are enough for what is
/// missing, else the one with the most; of equal ones the first.
std::vector<std::uint32_t> FreeNodes::by(const std::vector<std::uint32_t>& place_of,
                                         std::uint32_t nodes) const {
  std::map<std::uint32_t, std::vector<std::uint32_t>> places;
  for (const std::uint32_t n : all_free()) places[place_of[n]].push_back(n);
  std::vector<std::uint32_t> taken;
  while (taken.size() < nodes) {
    const std::size_t missing = nodes - taken.size();
    auto best = places.begin();
    for (auto place = places.begin(); place != places.end(); ++place) {
      const std::size_t here = place->second.size();
      const std::size_t there = best->second.size();
      if (here >= missing ? there < missing || here < there : here > there && there < missing) {
        best = place;
      }
    }
    const std::size_t some = std::min(missing, best->second.size());
    taken.insert(taken.end(), best->second.begin(),
                 best->second.begin() + static_cast<std::ptrdiff_t>(some));
    places.erase(best);
  }
  return taken;
}

std::vector<NodeId> FreeNodes::take(std::uint32_t nodes, JobPlacement placement) {
  std::vector<std::uint32_t> numbers;
  switch (placement) {
    case JobPlacement::contiguous:
      numbers = contiguous(nodes);
      break;
    case JobPlacement::random:
      numbers = random(nodes);
      break;
    case JobPlacement::by_switch:
      numbers = by(switch_of_, nodes);
      break;
    case JobPlacement::by_group:
      numbers = by(group_of_, nodes);
      break;
  }
  std::ranges::sort(numbers);
  std::vector<NodeId> taken;
  for (const std::uint32_t n : numbers) {
    free_[n] = false;
    taken.push_back(NodeId{n});
  }
  count_ -= nodes;
  return taken;
}

void FreeNodes::give_back(const std::vector<NodeId>& nodes) {
  for (const NodeId node : nodes) free_[index(node)] = true;
  count_ += static_cast<std::uint32_t>(nodes.size());
}

}  // namespace heddle::run
