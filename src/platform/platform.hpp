// A machine: the fabric's graph with its routing, and what its links, switches, nodes and adapters
// are like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/containers/few_values.hpp"
#include "platform/failures/failures.hpp"
#include "platform/link_profiles.hpp"
#include "platform/links.hpp"
#include "platform/nic_params.hpp"
#include "platform/no_loads.hpp"
#include "platform/routes.hpp"
#include "platform/topology.hpp"

namespace heddle::platform {

/// The assembled machine; immutable once built.
class Platform {
 public:
  Platform(std::string name, std::unique_ptr<const Topology> topology,
           std::unique_ptr<const Routing> routing, const LinkParams& link,
           const SwitchParams& switches, const NodeParams& node, const NicParams& nic);
  Platform(const Platform&) = delete;
  Platform& operator=(const Platform&) = delete;

  const std::string& name() const { return name_; }
  const Topology& topology() const { return *topology_; }
  const Routing& routing() const { return *routing_; }
  const Links& links() const { return links_; }
  const Routes& routes() const { return routes_; }

  std::uint32_t nodes() const { return topology_->nodes(); }
  const NodeParams& node(NodeId node) const { return links_.nodes().params(node); }
  const NicParams& nic(NodeId node) const { return nics_[index(node)]; }
  const SwitchParams& switches() const { return switches_; }
  const LinkParams& cable(std::uint32_t cable) const { return links_.fabric().params(cable); }

  /// Of each node.
  std::uint32_t adapters() const { return links_.nodes().adapters(); }
  /// The memory of a node as a process sees it that is the `place`th of its node: each is bound to
  /// one of the adapters, in turn.
  Endpoint memory_of(NodeId node, std::uint32_t place) const {
    if (adapters() == 1) return {node, Port::memory};
    return {node, Port::memory, static_cast<std::uint8_t>(place % adapters())};
  }
  /// The number of an endpoint's adapter among those of the machine.
  std::size_t adapter_index(const Endpoint& end) const {
    return index(end.node) * adapters() + end.own_adapter();
  }

  /// What a reader of the platform's description wants known before its results are trusted.
  const std::vector<std::string>& warnings() const { return warnings_; }
  void add_warning(std::string warning) { warnings_.push_back(std::move(warning)); }

  /// What changes while a simulation runs; everything else of links is what they are at first.
  const LinkProfiles& profiles() const { return profiles_; }
  /// Cables of the fabric that fail or are slow while a simulation runs, and what follows from it.
  const Outages& outages() const { return *outages_; }
  /// What becomes of a link then; null if it stays as it is.
  const CableHistory* history(LinkId link) const {
    return links_.is_of_fabric(link) ? outages_->of(static_cast<std::uint32_t>(link) / 2) : nullptr;
  }
  const FailuresConfig& failures() const { return failures_; }

  // Building: overrides for single cables and nodes.
  void set_cable(std::uint32_t cable, const LinkParams& params) {
    links_.fabric().set(cable, params);
  }
  void set_node(NodeId node, const NodeParams& params) { links_.nodes().set(node, params); }
  void set_nic(NodeId node, const NicParams& params) { nics_.set(index(node), params); }
  void set_profiles(LinkProfiles profiles) { profiles_ = std::move(profiles); }
  void set_outages(std::unique_ptr<const Outages> outages, const FailuresConfig& failures) {
    outages_ = std::move(outages);
    failures_ = failures;
  }

 private:
  std::string name_;
  std::unique_ptr<const Topology> topology_;
  std::unique_ptr<const Routing> routing_;
  SwitchParams switches_;
  Links links_;
  Routes routes_;
  FewValues<NicParams> nics_;  ///< By node.
  LinkProfiles profiles_;
  std::unique_ptr<const Outages> outages_ = std::make_unique<Outages>();  ///< By cable.
  FailuresConfig failures_;
  std::vector<std::string> warnings_;
};

}  // namespace heddle::platform
