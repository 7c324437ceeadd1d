// The cables of a fabric: what each is like, and so its two links.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/containers/distinct_values.hpp"
#include "core/containers/few_values.hpp"
#include "core/ids.hpp"
#include "platform/known_numbers.hpp"
#include "platform/link.hpp"
#include "platform/link_params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// A link out of a switch has the latency of the switch, too.
class FabricCables {
 public:
  /// All are alike at first. The topology must outlive them. The machine has so many `links`, of
  /// which those of the fabric come first.
  FabricCables(const Topology& topology, const LinkParams& all, const SwitchParams& switches,
               std::uint32_t links);

  void set(std::uint32_t cable, const LinkParams& params);
  const LinkParams& params(std::uint32_t cable) const { return params_[cable]; }

  /// Of a link of the fabric that find() was asked for: what numbered() knows it by. Of any other
  /// one of the machine: 0.
  std::uint32_t known(LinkId link) const { return known_link_[index(link)]; }
  const Link& numbered(std::uint32_t known) const { return links_[known - 1]; }
  /// A link of the fabric.
  const Link& find(LinkId link) const;
  /// Where a link leads; kNoVertex if that depends.
  VertexId end_of(LinkId link) const {
    const VertexId known{known_end_[index(link)] - 1};
    return known != kNoVertex ? known : find_end(link);
  }

 private:
  void note_links_like(std::uint32_t cable);
  std::uint32_t link_number(std::uint32_t cable, VertexId from) const;
  VertexId find_end(LinkId link) const;

  const Topology& topology_;
  Time switch_latency_;
  FewValues<LinkParams> params_;  ///< By cable.
  DistinctValues<Link> links_;
  /// By the number of a cable's parameters: those of its links out of nodes and out of switches.
  std::vector<std::array<std::uint32_t, 2>> links_of_params_;
  mutable KnownNumbers known_link_;  ///< By link of the machine: one more than that of links_.
  mutable KnownNumbers known_end_;   ///< By link: one more than that of a vertex.
};

}  // namespace heddle::platform
