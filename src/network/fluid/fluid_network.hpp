// The fluid model: messages are flows that share the bandwidth of every link fairly.
#pragma once

#include <optional>

#include "network/fluid/link_changes.hpp"
#include "network/fluid/max_min_solver.hpp"
#include "network/fluid/service_clocks.hpp"
#include "network/network.hpp"
#include "network/pool.hpp"

namespace heddle::network {

enum class Weighting { automatic, none, simgrid };
enum class Occupancy { automatic, send, after_latency };
/// Whether a message stays below the bandwidth that its route had when it began.
enum class StartCap { automatic, none, route };
/// Several parameters at once, as other simulators have them.
enum class FluidPreset { none, simgrid_cm02, simgrid_lv08, smpi };
/// In which order messages between the same ends are served.
enum class FluidOrder { shared, by_pair };
/// What the factors of latency and bandwidth are multiplied by.
enum class SizeFactors { automatic, none, smpi };

/// What the user may set; the preset decides what is not.
struct FluidConfig {
  FluidPreset preset = FluidPreset::none;
  Weighting weighting = Weighting::automatic;
  std::optional<Bytes> weight_s;
  std::optional<Bytes> tcp_gamma;
  std::optional<double> cross_traffic;
  std::optional<double> latency_factor;
  std::optional<double> bandwidth_factor;
  SizeFactors size_factors = SizeFactors::automatic;
  Occupancy occupancy = Occupancy::automatic;
  StartCap start_cap = StartCap::automatic;
  FluidOrder order = FluidOrder::shared;
  double tolerance = 0;
};

/// What is in force.
struct FluidParams {
  Weighting weighting = Weighting::none;
  Bytes weight_s;
  Bytes tcp_gamma;
  double cross_traffic = 0;
  double latency_factor = 1;
  double bandwidth_factor = 1;
  SizeFactors size_factors = SizeFactors::none;
  Occupancy occupancy = Occupancy::send;
  StartCap start_cap = StartCap::none;
  FluidOrder order = FluidOrder::shared;
};
FluidParams params_of(const FluidConfig& config);

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
class FluidNetwork final : public Network, private platform::LoadView {
 public:
  FluidNetwork(Simulation& simulation, const platform::Platform& platform,
               const FluidConfig& config);
  ~FluidNetwork() override;
  static const ParamTable<FluidConfig>& table();

  void start(const Transfer& transfer) override;
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
  struct Message;
  struct Group;
  class GroupTable;
  /// What the links of a route make of a message.
  struct RouteFacts {
    double flow_cap = MaxMinSolver::kUnbounded;   ///< The least, in bytes per ps.
    double bandwidth = MaxMinSolver::kUnbounded;  ///< The least, likewise.
    Time latency;                                 ///< The sum.
  };

  /// What a link allows now, in bytes per ps.
  struct Allowance {
    double together;  ///< All messages.
    double each;      ///< Each of them.
  };
  /// What a message gets where it gets nothing: rates are positive.
  static constexpr double kStopped = 1e-30;

  void read_route(const Transfer& transfer);
  void read_fixed_route(const Transfer& transfer);
  void pass(LinkId link, Time latency);
  Allowance allowance(LinkId link) const;
  void note_allowance(LinkId link);
  Group& group_for(const Transfer& transfer);
  void describe(Group& group);
  double penalty(const Group& group) const;
  double bound(const Group& group) const;
  void gather_elements(Group& group);
  void add_element(Group& group, LinkId link, double coefficient) const;

  void advance(Message& message);
  void enter(Message& message);
  void join(Message& message);
  void add_variable(Group& group);
  std::uint32_t flows_of(const Group& group) const;
  void drain(Group& group);
  void leave(Message& message);
  void count_bytes(Group& group);
  void drained(Message& message);
  void arrive(Message& message);

  void follow_profiles();
  void change();
  void apply_changes();
  LinkId losing_link(const Group& group) const;
  void lose_users(Group& group, LinkId link);
  void lose_later(Message& message, LinkId link);
  void lost(Message& message);
  void renew(Group& group, std::span<const LinkChanges::Change> changes);
  void rejoin(Group& group);

  void complete();
  void look_ahead(std::size_t current) const;
  void changed();
  void settle();
  void set_paces(std::span<const MaxMinSolver::Constraint> links);
  void change_clock(Group& group);
  ServiceClocks::Clock clock_of(MaxMinSolver::Constraint holder) const;
  double latency_factor(Bytes size) const;
  double need_of(const Message& message) const;
  double service_now(const Group& group) const;
  Bytes served(const Group& group) const;

  Simulation& simulation_;
  const platform::Platform& platform_;
  FluidParams config_;
  EventSource source_;
  std::uint32_t next_salt_;
  std::uint64_t next_number_ = 0;
  MaxMinSolver solver_;
  Pool<Message> messages_;
  std::unique_ptr<GroupTable> groups_;
  std::vector<Group*> group_of_;   ///< By variable of the solver.
  ServiceClocks clocks_;           ///< By link, and the last for groups at their bound; of groups.
  std::vector<Message*> through_;  ///< Messages that are through at this instant.
  std::vector<LinkId> route_;      ///< Of the message that is starting.
  RouteFacts facts_;               ///< Of that route.
  bool fixed_routes_;
  std::vector<platform::RouteStep> steps_;  ///< Room for a fixed route ...
  platform::LinkSet fabric_;                ///< ... and for its part in the fabric.
  MemberEvent<FluidNetwork, &FluidNetwork::complete> completion_{*this};
  MemberEvent<FluidNetwork, &FluidNetwork::settle> settling_{*this};
  std::optional<LinkChanges> changes_;   ///< If links of the platform change.
  std::uint64_t bandwidth_changes_ = 0;  ///< So far.
  std::uint32_t idle_changes_ = 0;       ///< In a row.
  MemberEvent<FluidNetwork, &FluidNetwork::change> changing_{*this};  ///< While messages are there.
  std::unique_ptr<platform::RouteNotes> notes_;  ///< Of the routing, if it makes any.
};

}  // namespace heddle::network
