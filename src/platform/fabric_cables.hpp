// The cables of a fabric: what each is like, and so its two links.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/containers/distinct_values.hpp"
#include "core/containers/few_values.hpp"
#include "core/ids.hpp"
#include "platform/link.hpp"
#include "platform/link_params.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// A link out of a switch has the latency of the switch, too.
class FabricCables {
 public:
  /// All are alike at first. The topology must outlive them.
  FabricCables(const Topology& topology, const LinkParams& all, const SwitchParams& switches);

  void set(std::uint32_t cable, const LinkParams& params);
  const LinkParams& params(std::uint32_t cable) const { return params_[cable]; }

  // Tables save time where messages go, but cost time and memory first: a large fabric has none.
  bool has_tabled(LinkId link) const { return index(link) < link_number_.size(); }
  /// A link that is in the table.
  const Link& tabled(LinkId link) const { return links_[link_number_[index(link)]]; }
  /// Any link.
  const Link& computed(LinkId link) const;
  /// Where a link leads; kNoVertex if that depends or is in no table.
  VertexId end_of(LinkId link) const {
    return index(link) < link_end_.size() ? link_end_[index(link)] : kNoVertex;
  }

 private:
  void note_links_like(std::uint32_t cable);
  std::uint32_t link_number(std::uint32_t cable, VertexId from) const;
  void tabulate(std::uint32_t cable);

  const Topology& topology_;
  Time switch_latency_;
  FewValues<LinkParams> params_;  ///< By cable.
  DistinctValues<Link> links_;
  /// By the number of a cable's parameters: those of its links out of nodes and out of switches.
  std::vector<std::array<std::uint32_t, 2>> links_of_params_;
  std::vector<std::uint32_t> link_number_;  ///< By link, or empty.
  std::vector<VertexId> link_end_;          ///< Where it leads, or empty.
};

}  // namespace heddle::platform
