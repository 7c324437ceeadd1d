// The cables inside nodes: what nodes are like, and so the links of their own.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>

#include "core/containers/few_values.hpp"
#include "core/ids.hpp"
#include "platform/endpoint.hpp"
#include "platform/link.hpp"
#include "platform/node_params.hpp"

namespace heddle::platform {

/// Behind `inner`, the cable from the device at an adapter to a switch inside the node, there is
/// one for each further adapter.
enum class NodeCable : std::uint32_t { pcie, limiter, loopback, inner };

/// Each node has up to three cables of its own: the PCIe bus between memory and adapter, a limiter
/// that both directions share, and a loopback; with several adapters also one from the device at
/// each of them to a switch inside the node. Ids of their links follow those of the fabric.
class NodeCables {
 public:
  /// All nodes are alike at first; the number of their adapters stays. Ids begin with `first`.
  NodeCables(std::uint32_t first, std::uint32_t nodes, const NodeParams& all);

  void set(NodeId node, const NodeParams& params) { kinds_.set(index(node), Kind(params)); }
  const NodeParams& params(NodeId node) const { return kinds_[index(node)].params; }
  /// Of each node.
  std::uint32_t adapters() const { return adapters_; }

  /// One past the largest id.
  std::uint32_t end() const {
    return first_ + static_cast<std::uint32_t>(kinds_.size()) * node_links_;
  }
  /// Whether the node has such a cable that can hold a message up.
  bool has(NodeId node, NodeCable cable) const {
    return kinds_[index(node)].has[static_cast<std::size_t>(cable)];
  }
  LinkId link(NodeId node, NodeCable cable, bool inward) const {
    return LinkId{first_ + static_cast<std::uint32_t>(node) * node_links_ +
                  2 * static_cast<std::uint32_t>(cable) + (inward ? 1U : 0U)};
  }
  /// Between the device at the endpoint's adapter and the switch inside the node.
  LinkId inner_link(const Endpoint& end, bool inward) const {
    const LinkId first = link(end.node, NodeCable::inner, inward);
    return LinkId{static_cast<std::uint32_t>(first) + 2U * end.own_adapter()};
  }

  // Of a link's id.
  NodeId node_of(LinkId link) const { return NodeId{number(link) / node_links_}; }
  NodeCable cable_of(LinkId link) const;
  const Link& operator[](LinkId link) const {
    return kinds_[index(node_of(link))].links[static_cast<std::size_t>(cable_of(link))];
  }
  /// " pcie in", " loopback": what to add to the node's name.
  std::string suffix(LinkId link) const;

 private:
  static constexpr std::uint32_t kCables = 4;
  /// Links and whether they matter follow from the parameters; by NodeCable.
  struct Kind {
    explicit Kind(const NodeParams& own_params);
    auto operator<=>(const Kind& other) const { return params <=> other.params; }

    NodeParams params;
    std::array<Link, kCables> links;
    std::array<bool, kCables> has;
  };

  std::uint32_t number(LinkId link) const { return static_cast<std::uint32_t>(link) - first_; }

  std::uint32_t first_;
  std::uint32_t adapters_;
  std::uint32_t node_links_;  ///< Of each node, in both directions of its cables.
  FewValues<Kind> kinds_;     ///< By node.
};

}  // namespace heddle::platform
