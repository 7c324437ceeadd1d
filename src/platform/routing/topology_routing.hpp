// What routing functions that choose from a topology share.
#pragma once

#include <type_traits>

#include "platform/routing.hpp"

namespace heddle::platform {

/// What routing functions share: the topology they choose from, and what follows from their
/// choice(). One that does not suit every topology has a suits() of its own.
class TopologyRouting : public Routing {
 public:
  explicit TopologyRouting(const Topology& topology) : topology_(topology) {}
  static bool suits(const Topology&) { return true; }
  /// Those of one that makes no detour.
  void ways(const Hop& hop, std::vector<Way>& out) const override;
  bool can_wait_in_circles() const override { return topology_.can_wait_in_circles(choice()); }
  std::uint32_t longest_route() const override;

 protected:
  const Topology& topology_;
};

/// One that takes any of the minimal outputs.
class MinimalChoice : public TopologyRouting {
 public:
  using TopologyRouting::TopologyRouting;
  RouteChoice choice() const final { return RouteChoice::adaptive; }

 protected:
  /// All of them, until the next call; there is at least one.
  const LinkSet& outputs(const Hop& hop) const {
    outputs_.clear();
    topology_.minimal_outputs(hop, outputs_);
    return outputs_;
  }

 private:
  mutable LinkSet outputs_;  ///< Kept for its memory.
};

/// A number that looks random, from two: the same two give the same.
inline std::uint64_t scrambled(std::uint64_t a, std::uint64_t b) {
  std::uint64_t mix = (a + 0x9e3779b97f4a7c15ULL) * 0xd6e8feb86659fd93ULL ^ b;
  for (int round = 0; round < 2; ++round) {
    mix ^= mix >> 32;
    mix *= 0xd6e8feb86659fd93ULL;
  }
  return mix ^ mix >> 32;
}

/// The entry of a routing function R, which is made from a topology and, if it has parameters, from
/// settings.
template <class R>
RoutingKind routing_kind(int place, std::string_view name, std::string_view about,
                         const ParamSection* params = nullptr) {
  const auto make =
      [](const Topology& topology,
         [[maybe_unused]] const Settings& settings) -> std::unique_ptr<const Routing> {
    if constexpr (std::is_constructible_v<R, const Topology&, const Settings&>) {
      return std::make_unique<R>(topology, settings);
    } else {
      return std::make_unique<R>(topology);
    }
  };
  return {place, name, about, params, R::suits, make};
}

}  // namespace heddle::platform
