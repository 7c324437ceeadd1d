#include "network/packet/channel_graph.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "core/error.hpp"
#include "platform/source_dependent.hpp"

namespace heddle::network {
namespace {

/// Steps on ways that are followed at most.
constexpr std::uint64_t kMostSteps = 300'000'000;
constexpr std::uint32_t kNoChannel = UINT32_MAX;

/// Channels, by number, and which one waits for which.
class ChannelGraph {
 public:
  explicit ChannelGraph(std::size_t channels) : after_(channels), used_(channels) {}

  void use(std::uint32_t channel) { used_[channel] = true; }
  void add(std::uint32_t channel, std::uint32_t next) {
    std::vector<std::uint32_t>& list = after_[channel];
    if (std::find(list.begin(), list.end(), next) == list.end()) list.push_back(next);
  }
  std::size_t used() const {
    return static_cast<std::size_t>(std::count(used_.begin(), used_.end(), true));
  }
  std::size_t dependencies() const {
    std::size_t sum = 0;
    for (const auto& list : after_) sum += list.size();
    return sum;
  }
  /// A circle, as short as there is one through some channel of it; empty if there is none.
  std::vector<std::uint32_t> circle() const {
    const std::vector<bool> left = in_or_behind_circles();
    const auto first = std::find(left.begin(), left.end(), true);
    if (first == left.end()) return {};
    // Going back among those that are left, one comes back to a circle.
    const std::vector<std::uint32_t> before = one_before(left);
    auto at = static_cast<std::uint32_t>(first - left.begin());
    std::vector<bool> passed(after_.size());
    for (; !passed[at]; at = before[at]) passed[at] = true;
    return shortest_circle(left, at);
  }

 private:
  /// Takes away, again and again, what no channel waits for.
  std::vector<bool> in_or_behind_circles() const {
    std::vector<std::uint32_t> before(after_.size());
    for (const auto& list : after_) {
      for (const std::uint32_t next : list) ++before[next];
    }
    std::vector<std::uint32_t> free;
    for (std::uint32_t c = 0; c < before.size(); ++c) {
      if (before[c] == 0) free.push_back(c);
    }
    std::vector<bool> left(after_.size(), true);
    for (std::size_t i = 0; i < free.size(); ++i) {
      left[free[i]] = false;
      for (const std::uint32_t next : after_[free[i]]) {
        if (--before[next] == 0) free.push_back(next);
      }
    }
    return left;
  }
  /// For each of those left, one of them that waits for it: there is one, or it would have been
  /// taken away.
  std::vector<std::uint32_t> one_before(const std::vector<bool>& left) const {
    std::vector<std::uint32_t> before(after_.size(), kNoChannel);
    for (std::uint32_t c = 0; c < after_.size(); ++c) {
      if (!left[c]) continue;
      for (const std::uint32_t next : after_[c]) before[next] = c;
    }
    return before;
  }
  std::vector<std::uint32_t> shortest_circle(const std::vector<bool>& left,
                                             std::uint32_t start) const {
    std::vector<std::uint32_t> from(after_.size(), kNoChannel);
    std::vector<std::uint32_t> queue = {start};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (const std::uint32_t next : after_[queue[i]]) {
        if (!left[next] || from[next] != kNoChannel) continue;
        from[next] = queue[i];
        if (next == start) return traced(from, start);
        queue.push_back(next);
      }
    }
    return {};
  }
  static std::vector<std::uint32_t> traced(const std::vector<std::uint32_t>& from,
                                           std::uint32_t start) {
    std::vector<std::uint32_t> circle;
    for (std::uint32_t c = from[start]; c != start; c = from[c]) circle.push_back(c);
    circle.push_back(start);
    std::reverse(circle.begin(), circle.end());
    return circle;
  }

  std::vector<std::vector<std::uint32_t>> after_;
  std::vector<bool> used_;
};

/// Follows all ways.
class Follower {
 public:
  explicit Follower(const PacketPlan& plan)
      : plan_(plan),
        topology_(plan.platform.topology()),
        graph_(std::size_t{topology_.links()} * plan.lanes) {}

  LaneCheck check() {
    const std::vector<VertexId> sources = sources_that_differ();
    for (const VertexId from : sources) {
      for (std::uint32_t to = 0; to < topology_.nodes(); ++to) {
        if (VertexId{to} != from && topology_.has_route(from, VertexId{to})) {
          follow_all(from, VertexId{to});
        }
      }
    }
    LaneCheck found;
    found.rule = plan_.lane_by;
    found.lanes = plan_.lanes;
    found.channels = graph_.used();
    found.dependencies = graph_.dependencies();
    for (const std::uint32_t channel : graph_.circle()) {
      found.circle.push_back(
          {LinkId{static_cast<std::uint32_t>(channel / plan_.lanes)}, channel % plan_.lanes});
    }
    return found;
  }

 private:
  /// Of nodes with the same first link's end and the same routes, one.
  std::vector<VertexId> sources_that_differ() const {
    std::map<std::pair<VertexId, std::uint32_t>, VertexId> first;
    std::vector<VertexId> sources;
    for (std::uint32_t n = 0; n < topology_.nodes(); ++n) {
      const VertexId from{n};
      const VertexId to{n == 0 ? 1U : 0U};
      const auto kind = platform::route_class(topology_, from);
      if (topology_.nodes() > 1 && kind && topology_.has_route(from, to)) {
        const VertexId home = topology_.after({from, from, to}, topology_.output({from, from, to}));
        if (topology_.is_switch(home) && !first.emplace(std::pair(home, *kind), from).second) {
          continue;
        }
      }
      sources.push_back(from);
    }
    return sources;
  }

  /// A packet somewhere on its way.
  struct Place {
    platform::Hop hop;
    LinkId in = kNoLink;  ///< In whose buffer it is; none: at its source.
    std::uint8_t lane = 0;
  };

  void follow_all(VertexId from, VertexId to) {
    seen_.clear();
    packet_.walk = plan_.platform.routes().walk({NodeId{static_cast<std::uint32_t>(from)}},
                                                {NodeId{static_cast<std::uint32_t>(to)}}, 0);
    Transfer transfer;
    transfer.source = packet_.walk.source;
    transfer.destination = packet_.walk.destination;
    open_ = {
        {packet_.walk.hop, kNoLink, static_cast<std::uint8_t>(plan_.lane_rule->first(transfer))}};
    while (!open_.empty()) {
      const Place next = open_.back();
      open_.pop_back();
      if (next.hop.at != next.hop.to) leave(next);
    }
  }

  /// By all ways.
  void leave(const Place& place) {
    ways_.clear();
    plan_.platform.routing().ways(place.hop, ways_);
    for (const platform::Way& way : ways_) go_on(place, after(place, way), !plan_.escapes);
    if (!plan_.escapes || place.in == kNoLink) return;
    const platform::Way escape{topology_.output(place.hop), place.hop.via};
    Place next = after(place, escape);
    next.lane = static_cast<std::uint8_t>(plan_.lane_rule->escape(packet_, escape.link));
    go_on(place, next, true);
  }

  /// The packet may go from one place to another, and perhaps wait for it.
  void go_on(const Place& place, const Place& next, bool waits) {
    if (++steps_ > kMostSteps) throw too_many();
    const std::uint32_t channel = number(next);
    graph_.use(channel);
    if (waits && place.in != kNoLink) graph_.add(number(place), channel);
    const std::uint64_t key =
        std::uint64_t{channel} << 32 | static_cast<std::uint32_t>(next.hop.via);
    if (seen_.insert(key).second) open_.push_back(next);
  }

  Place after(const Place& place, const platform::Way& way) {
    Place next = place;
    next.hop.via = way.via;
    next.hop.at = topology_.after(place.hop, way.link);
    ++next.hop.step;
    next.in = way.link;
    if (place.in == kNoLink || !plan_.lanes_change) return next;
    packet_.walk.hop = next.hop;
    packet_.in = place.in;
    packet_.lane = packet_.in_lane = place.lane;
    next.lane = static_cast<std::uint8_t>(plan_.lane_rule->next(packet_, way.link));
    return next;
  }

  std::uint32_t number(const Place& place) const {
    return static_cast<std::uint32_t>(index(place.in) * plan_.lanes + place.lane);
  }

  InputError too_many() const {
    return InputError({}, "the ways of this machine's routing are too many to follow (more than " +
                              std::to_string(kMostSteps / 1'000'000) +
                              " million steps): accepted is a smaller machine of its kind");
  }

  const PacketPlan& plan_;
  const platform::Topology& topology_;
  ChannelGraph graph_;
  Packet packet_;  ///< What the lane rule is asked of.
  std::vector<Place> open_;
  std::vector<platform::Way> ways_;
  std::unordered_set<std::uint64_t> seen_;  ///< Places of one pair that have been left.
  std::uint64_t steps_ = 0;
};

}  // namespace

LaneCheck check_lanes(const PacketPlan& plan) {
  return Follower(plan).check();
}

}  // namespace heddle::network
