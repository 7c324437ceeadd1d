#include "platform/route_circles.hpp"

#include <algorithm>
#include <vector>

namespace heddle::platform {
namespace {

/// Which links follow which on some route.
class Successions {
 public:
  explicit Successions(std::uint32_t links) : after_(links) {}

  void add_route(const Topology& topology, VertexId from, VertexId to) {
    if (!topology.has_route(from, to)) return;
    LinkId last = kNoLink;
    for (Hop hop{from, from, to}; hop.at != hop.to; ++hop.step) {
      const LinkId link = topology.output(hop);
      if (last != kNoLink) add(last, link);
      last = link;
      hop.at = topology.after(hop, link);
    }
  }

  /// Takes away, again and again, links that follow on none; what is left holds circles.
  bool have_circle() const {
    std::vector<std::uint32_t> before(after_.size());
    for (const auto& list : after_) {
      for (const LinkId link : list) ++before[index(link)];
    }
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == 0) first.push_back(i);
    }
    for (std::size_t i = 0; i < first.size(); ++i) {
      for (const LinkId link : after_[first[i]]) {
        if (--before[index(link)] == 0) first.push_back(index(link));
      }
    }
    return first.size() < after_.size();
  }

 private:
  void add(LinkId link, LinkId next) {
    auto& list = after_[index(link)];
    if (std::find(list.begin(), list.end(), next) == list.end()) list.push_back(next);
  }
  std::vector<std::vector<LinkId>> after_;  ///< By link.
};

}  // namespace

bool fixed_routes_have_circle(const Topology& topology) {
  Successions successions(topology.links());
  for (std::uint32_t to = 0; to < topology.nodes(); ++to) {
    for (std::uint32_t from = 0; from < topology.nodes(); ++from) {
      successions.add_route(topology, VertexId{from}, VertexId{to});
    }
  }
  return successions.have_circle();
}

}  // namespace heddle::platform
