// What the links of their routes mean for the rates of messages.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "network/fluid/fluid_group.hpp"
#include "network/fluid/fluid_params.hpp"
#include "network/fluid/link_changes.hpp"
#include "platform/platform.hpp"

namespace heddle::network {

/// Finds the group that a message belongs to, and what its route makes of it: latency, weight,
/// bound and the links that it loads. No clock, no events.
class FluidRoutes {
 public:
  /// All must live as long. `changes` is null where no link ever changes; `loads` is what adaptive
  /// routes look at.
  FluidRoutes(const platform::Platform& platform, const FluidParams& params,
              const LinkChanges* changes, const platform::LoadView& loads,
              std::uint32_t first_salt);

  /// Whether routes follow from the ends.
  bool are_fixed() const { return fixed_; }
  FluidGroup& group_for(const Transfer& transfer);
  /// Before the first message of a group loads links: finds which.
  void prepare(FluidGroup& group) {
    if (!fixed_ && params_.cross_traffic != 0) renew_way_back(group);
  }
  FluidGroups& groups() { return groups_; }
  const FluidGroups& groups() const { return groups_; }

  /// What a link allows all messages together now, in bytes per ps.
  double capacity(LinkId link) const { return allowance(link).together; }
  /// Nothing passes the link now.
  bool stopped(LinkId link) const;
  /// The first link of a group's route that has failed and loses what is on it; none, if all work
  /// or hold what is on them.
  LinkId losing_link(const FluidGroup& group, Time now) const;
  /// Messages that begin from now on may have other bandwidths than those before.
  void bandwidth_changed() { ++bandwidth_changes_; }
  /// What follows from its route for a group, once more. Whether it has another weight or bound.
  bool renew(FluidGroup& group, std::span<const LinkChanges::Change> changes);

 private:
  /// What the links of a route make of a message.
  struct Facts {
    double flow_cap = MaxMinSolver::kUnbounded;   ///< The least, in bytes per ps.
    double bandwidth = MaxMinSolver::kUnbounded;  ///< The least, likewise.
    Time latency;                                 ///< The sum.
    const platform::Link* last = nullptr;         ///< What the last link is like.
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
  Allowance allowance(LinkId link) const { return allowance(link, platform_.links()[link]); }
  Allowance allowance(LinkId link, const platform::Link& l) const;
  Allowance allowance_now(LinkId link, const platform::Link& l, Allowance at_first) const;
  void note_allowance(LinkId link, const platform::Link& l);
  void describe(FluidGroup& group);
  double penalty(const FluidGroup& group) const;
  double bound(const FluidGroup& group) const;
  void renew_way_back(FluidGroup& group);
  void add_way_back(const FluidGroup& group);
  void add_element(LinkId link, const platform::Link& l, double coefficient);

  const platform::Platform& platform_;
  const FluidParams& params_;
  const LinkChanges* const changes_;
  const platform::LoadView& loads_;
  const bool fixed_;  ///< Routes follow from the ends.
  std::uint32_t next_salt_;
  std::uint64_t bandwidth_changes_ = 0;  ///< So far.
  FluidGroups groups_;
  mutable const platform::Link* last_link_ = nullptr;  ///< The link asked for last, ...
  mutable Allowance last_allowance_{};                 ///< ... and what it allows at first.
  std::vector<LinkId> route_;                          ///< Of the message that is starting.
  Facts facts_;                                        ///< Of that route.
  std::vector<MaxMinSolver::Element> elements_;        ///< What it loads.
  std::vector<platform::RouteStep> steps_;             ///< Room for a fixed route ...
  platform::LinkSet fabric_;                           ///< ... and for its part in the fabric.
};

}  // namespace heddle::network
