#include "traffic/flow_statistics.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace heddle::traffic {
namespace {

constexpr double kMillion = 1e6;
constexpr Bytes kNoLimit{INT64_MAX};
constexpr double FlowGroup::*kSlowdowns[] = {&FlowGroup::slowdown_mean, &FlowGroup::slowdown_p50,
                                             &FlowGroup::slowdown_p95, &FlowGroup::slowdown_p99,
                                             &FlowGroup::slowdown_p999};

}  // namespace

FlowStatistics::FlowStatistics() : all_{GroupKind::all, Bytes(0), kNoLimit} {
  Bytes from{0};
  for (std::int64_t below = 1000; below <= 100'000'000; below *= 10) {
    decades_.push_back({GroupKind::all, from, Bytes(below)});
    from = Bytes(below);
  }
  decades_.push_back({GroupKind::all, from, kNoLimit});
  for (const GroupKind kind : {GroupKind::pattern, GroupKind::incast, GroupKind::outcast}) {
    kinds_.push_back({kind, Bytes(0), kNoLimit});
  }
}

void FlowStatistics::Group::add(Bytes size, Time completion, Time idle) {
  bytes += size;
  times.add(completion.ps());
  const auto base = static_cast<double>(std::max<std::int64_t>(idle.ps(), 1));
  slowdowns.add(
      static_cast<std::int64_t>(static_cast<double>(completion.ps()) / base * kMillion + 0.5));
}

void FlowStatistics::add(Bytes size, Time completion, Time idle, FlowKind kind) {
  all_.add(size, completion, idle);
  kinds_[static_cast<std::size_t>(kind)].add(size, completion, idle);
  const auto decade =
      std::ranges::find_if(decades_, [size](const Group& group) { return size < group.below; });
  decade->add(size, completion, idle);
}

FlowGroup FlowStatistics::Group::figures() const {
  const auto slowdown = [this](double part) {
    return static_cast<double>(slowdowns.percentile(part)) / kMillion;
  };
  FlowGroup group;
  group.kind = kind;
  group.from = from;
  group.below = below;
  group.flows = times.count();
  group.bytes = bytes;
  group.mean = Time::ps(times.mean());
  group.p50 = Time::ps(times.percentile(0.5));
  group.p99 = Time::ps(times.percentile(0.99));
  group.slowdown_mean = static_cast<double>(slowdowns.mean()) / kMillion;
  group.slowdown_p50 = slowdown(0.5);
  group.slowdown_p95 = slowdown(0.95);
  group.slowdown_p99 = slowdown(0.99);
  group.slowdown_p999 = slowdown(0.999);
  return group;
}

namespace {

FlowGroup mean_of(const std::vector<FlowGroup>& groups) {
  FlowGroup mean;
  mean.kind = groups.front().kind;
  mean.from = groups.front().from;
  mean.below = groups.front().below;
  const auto count = static_cast<std::int64_t>(groups.size());
  for (const FlowGroup& group : groups) {
    mean.flows += group.flows;
    mean.bytes += group.bytes;
    for (const auto time : {&FlowGroup::mean, &FlowGroup::p50, &FlowGroup::p99}) {
      mean.*time += group.*time;
    }
    for (const auto slowdown : kSlowdowns) mean.*slowdown += group.*slowdown;
  }
  for (const auto time : {&FlowGroup::mean, &FlowGroup::p50, &FlowGroup::p99}) {
    mean.*time = mean.*time / count;
  }
  for (const auto slowdown : kSlowdowns) mean.*slowdown /= static_cast<double>(count);
  return mean;
}

}  // namespace

std::vector<FlowGroup> combined_groups(const std::vector<std::vector<FlowGroup>>& runs) {
  // All flows, which have the widest range, come first.
  std::map<std::tuple<GroupKind, Bytes, Bytes>, std::vector<FlowGroup>> by_sizes;
  for (const auto& run : runs) {
    for (const FlowGroup& group : run) {
      by_sizes[{group.kind, group.from, kNoLimit - group.below}].push_back(group);
    }
  }
  std::vector<FlowGroup> combined;
  for (const auto& [sizes, groups] : by_sizes) combined.push_back(mean_of(groups));
  return combined;
}

std::vector<FlowGroup> FlowStatistics::groups() const {
  std::vector<FlowGroup> groups;
  if (all_.times.count() > 0) groups.push_back(all_.figures());
  for (const Group& decade : decades_) {
    if (decade.times.count() > 0) groups.push_back(decade.figures());
  }
  const std::uint64_t of_pattern = kinds_.front().times.count();
  if (of_pattern == all_.times.count()) return groups;
  for (const Group& kind : kinds_) {
    if (kind.times.count() > 0) groups.push_back(kind.figures());
  }
  return groups;
}

}  // namespace heddle::traffic
