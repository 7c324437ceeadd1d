// How the messages that use bandwidth share it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/simulation.hpp"
#include "network/fluid/fluid_group.hpp"
#include "network/fluid/fluid_message.hpp"
#include "network/fluid/fluid_params.hpp"
#include "network/fluid/service_clocks.hpp"
#include "platform/platform.hpp"

namespace heddle::network {

/// The groups whose messages use bandwidth: a solver shares it out among them, and clocks count the
/// service that each has got. Schedules nothing.
class FluidSharing {
 public:
  FluidSharing(const Simulation& simulation, const platform::Platform& platform,
               const FluidParams& params, double tolerance);

  /// One more message of the group uses bandwidth. The group's elements are known.
  void join(FluidGroup& group, FluidMessage& message);
  /// Takes out the messages of the group that is due next which are through now.
  void drain(FluidGroup& group, std::vector<FluidMessage*>& through);
  /// The group uses no bandwidth any more, whatever of its messages is left.
  void remove(const FluidGroup& group);
  /// The weight or the bound of the group, whose messages go on from where they are, has changed.
  void rejoin(FluidGroup& group);
  void set_capacity(LinkId link, double capacity) {
    solver_.set_capacity(static_cast<MaxMinSolver::Constraint>(link), capacity);
  }
  /// Shares the bandwidth anew, if anything has changed.
  void settle();

  /// When the next message is through, as ServiceClocks::next() says, and of which group.
  std::int64_t next() { return clocks_.next(); }
  std::uint32_t next_group() const { return clocks_.next_member(); }
  /// Messages that load the link now.
  std::int64_t flows(LinkId link) const {
    return solver_.flows(static_cast<MaxMinSolver::Constraint>(link));
  }
  /// What the messages of a group that has users have got of it so far.
  Bytes served(const FluidGroup& group) const;
  /// The group's message is about to join.
  void foresee(const FluidGroup& group) const { solver_.foresee(group.elements); }

 private:
  void add_variable(FluidGroup& group);
  std::uint32_t flows_of(const FluidGroup& group) const;
  bool start_alone(FluidGroup& group, MaxMinSolver::Constraint link);
  void set_paces(std::span<const MaxMinSolver::Constraint> links);
  ServiceClocks::Clock clock_of(MaxMinSolver::Constraint holder) const;
  void change_clock(FluidGroup& group);
  double service_now(const FluidGroup& group) const;

  const Simulation& simulation_;
  const FluidParams& params_;
  const ServiceClocks::Clock bound_clock_;  ///< For groups at their bound, behind those of links.
  MaxMinSolver solver_;
  ServiceClocks clocks_;               ///< By link; of groups.
  std::vector<FluidGroup*> group_of_;  ///< By variable of the solver.
  std::uint64_t next_number_ = 0;
};

}  // namespace heddle::network
