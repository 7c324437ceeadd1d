#include "network/links/flow_routes.hpp"

#include <algorithm>

#include "network/links/parallel_for.hpp"

namespace heddle::network {
namespace {

constexpr std::size_t kFlowsAtOnce = 1 << 14;

/// The routes of some flows that follow each other.
struct RoutesOfSome {
  struct Crossed {
    std::uint32_t link;
    Time latency;
  };
  std::vector<Crossed> steps;
  std::vector<std::uint32_t> lengths;
};

RoutesOfSome find_some(const platform::Platform& platform, std::span<const Flow> flows,
                       std::uint32_t first_salt) {
  const platform::NoLoads idle;
  RoutesOfSome found;
  for (const Flow& flow : flows) {
    const std::size_t before = found.steps.size();
    platform::Walk walk = platform.routes().walk(flow.source, flow.destination, first_salt++);
    for (LinkId link = platform.routes().next(walk, idle); link != kNoLink;
         link = platform.routes().next(walk, idle)) {
      found.steps.push_back(
          {static_cast<std::uint32_t>(link), platform.routes().latency(walk, link)});
    }
    found.lengths.push_back(static_cast<std::uint32_t>(found.steps.size() - before));
  }
  return found;
}

}  // namespace

FlowRoutes::FlowRoutes(const platform::Platform& platform, std::span<const Flow> flows,
                       std::uint32_t first_salt, std::size_t threads)
    : latencies_(platform.links().ids()) {
  find(platform, flows, first_salt, platform.topology().concurrent() ? threads : 1);
  sort_by_link();
}

void FlowRoutes::find(const platform::Platform& platform, std::span<const Flow> flows,
                      std::uint32_t first_salt, std::size_t threads) {
  std::vector<RoutesOfSome> parts((flows.size() + kFlowsAtOnce - 1) / kFlowsAtOnce);
  const auto find_part = [&](std::size_t, std::size_t part) {
    const std::size_t begin = part * kFlowsAtOnce;
    const std::size_t count = std::min(kFlowsAtOnce, flows.size() - begin);
    parts[part] = find_some(platform, flows.subspan(begin, count),
                            first_salt + static_cast<std::uint32_t>(begin));
  };
  parallel_for(threads, parts.size(), find_part, [] {});
  begins_.reserve(flows.size() + 1);
  begins_.push_back(0);
  for (RoutesOfSome& part : parts) {
    for (const std::uint32_t length : part.lengths) begins_.push_back(begins_.back() + length);
    for (const auto& [link, latency] : part.steps) {
      steps_.push_back(link);
      latencies_[link] = latency;
    }
    part = {};
  }
}

void FlowRoutes::sort_by_link() {
  link_begins_.assign(latencies_.size() + 2, 0);
  for (const std::uint32_t link : steps_) ++link_begins_[link + 2];
  for (std::size_t i = 2; i < link_begins_.size(); ++i) link_begins_[i] += link_begins_[i - 1];
  flows_.resize(steps_.size());
  // Places move to the ends of their links while these fill up: to the beginnings of the next.
  for (std::uint32_t flow = 0; flow + 1 < begins_.size(); ++flow) {
    for (const std::uint32_t link : of(flow)) flows_[link_begins_[link + 1]++] = flow;
  }
  link_begins_.pop_back();
}

}  // namespace heddle::network
