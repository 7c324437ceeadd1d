// The fluid model: messages are flows that share the bandwidth of every link fairly.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/containers/pool.hpp"
#include "network/fluid/fluid_message.hpp"
#include "network/fluid/fluid_routes.hpp"
#include "network/fluid/fluid_sharing.hpp"
#include "network/known_routes.hpp"
#include "network/network.hpp"

namespace heddle::network {

/// Max-min fair rates on the route of every message, found again whenever a message begins or ends
/// to use bandwidth. All changes of an instant are settled together by one event; one more is armed
/// for the next end of a message.
///
/// Messages with the same ends, route and cap form a group: they have the same rate, so each is
/// served by the same number of bytes in the same time. The group counts that service, and a
/// message is through when the count has grown by its size. Groups that the same link holds back
/// have rates in fixed proportions for as long: one clock per such link counts for all of them. A
/// group is looked at only when another link holds it or one of its messages comes or goes. In the
/// order by pair a group has the rate of one message, which serves the first one that came.
class FluidNetwork final : public Network,
                           public KnownRoutes,
                           private platform::LoadView,
                           private FluidMessageOwner {
 public:
  FluidNetwork(Simulation& simulation, const platform::Platform& platform,
               const FluidConfig& config);
  ~FluidNetwork() override;
  static const ParamTable<FluidConfig>& table() { return FluidConfig::table(); }

  void start(const Transfer& transfer) override;
  std::optional<Time> route_latency(platform::Endpoint source,
                                    platform::Endpoint destination) override;
  LinkBytes carried() const override;
  /// Bytes count as they leave their source: with occupancy=send that is a latency too early.
  Bytes delivered() const override;
  /// Messages that use bandwidth of `link` now.
  std::int64_t load(LinkId link) const override;
  /// Messages are not times.
  std::int64_t worth(Time) const override { return 0; }
  Time now() const override { return simulation_.now(); }
  platform::RouteNotes* notes() const override { return notes_.get(); }
  /// Messages whose links have no bandwidth left.
  std::string stuck() const override;

 private:
  void advance(FluidMessage& message) override;
  void expect(const FluidGroup& group) const override { sharing_.foresee(group); }
  void enter(FluidMessage& message);
  void leave(FluidMessage& message);
  void forget(FluidGroup& group);
  void drained(FluidMessage& message);
  void arrive(FluidMessage& message);

  void follow_profiles();
  void change();
  void apply_changes();
  void lose_later(FluidMessage& message, LinkId link);
  void lost(FluidMessage& message);

  void complete();
  void changed();
  void settle();

  Simulation& simulation_;
  const platform::Platform& platform_;
  FluidParams params_;
  EventSource source_;
  std::optional<LinkChanges> changes_;  ///< If links of the platform change.
  FluidRoutes routes_;
  FluidSharing sharing_;
  Pool<FluidMessage> messages_;
  std::vector<FluidMessage*> through_;  ///< Messages that are through at this instant.
  MemberEvent<FluidNetwork, &FluidNetwork::complete> completion_{*this};
  MemberEvent<FluidNetwork, &FluidNetwork::settle> settling_{*this};
  std::uint32_t idle_changes_ = 0;                                    ///< In a row.
  MemberEvent<FluidNetwork, &FluidNetwork::change> changing_{*this};  ///< While messages are there.
  std::unique_ptr<platform::RouteNotes> notes_;  ///< Of the routing, if it makes any.
};

}  // namespace heddle::network
