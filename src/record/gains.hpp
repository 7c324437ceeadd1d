// What better machines and programs would gain, from the critical path and what links were used.
#pragma once

#include "record/findings.hpp"

namespace heddle::record {

/// The rank that computes most on the path, if it computes more than ranks usually do.
struct LateRank {
  std::uint32_t rank = 0;
  Time usual;  ///< What ranks compute, in the middle of them.
  Time gain;   ///< If it computed no longer than that; zero: it does not.
};

/// The cable that the path owes most to.
struct GuiltyLink {
  std::uint32_t link = 0;  ///< The direction of it that the path owes more to.
  const LinkFact* fact = nullptr;
  Time owed;  ///< Zero: there is none.
  Time gain;  ///< If that cable alone were twice as wide.
};

class Gains {
 public:
  /// All must outlive it.
  Gains(const CriticalPath& path, const Overview& overview, const LinkFacts& links);

  /// Largest first.
  std::vector<WhatIf> list() const;
  const LateRank& late_rank() const { return late_; }
  const GuiltyLink& link() const { return link_; }
  /// Whether links and buses are in each other's way: only both together would gain much.
  bool links_and_buses() const;
  /// Without links and adapters, gaps are all that LogGOPS has of both.
  bool has_gaps() const { return links_.used.empty() && overview_.steps.empty(); }
  Time share(Resource r) const { return path_.shares[static_cast<std::size_t>(r)]; }
  Time on_path(std::uint32_t rank, Resource r) const {
    return path_.by_rank[rank][static_cast<std::size_t>(r)];
  }

 private:
  /// What is twice as wide.
  struct Doubled {
    bool fabric = false;
    bool buses = false;
    const LinkFact* link = nullptr;
  };
  bool saturated() const;
  void find_late_rank();
  void find_link();
  Time busy(const LinkFact& link) const;
  /// What bytes alone take at the busiest link.
  Time floor(const Doubled& doubled) const;
  Time possible(Time gain, const Doubled& doubled) const;
  Time bus_latency() const {
    return std::max(share(Resource::pcie) - path_.bus_bytes, Time::zero());
  }
  Time links_gain() const;
  Time buses_gain() const {
    return possible(bus_latency() / 2 + path_.if_twice.buses, {false, true});
  }
  Time both_gain() const { return possible(bus_latency() / 2 + path_.if_twice.both, {true, true}); }
  Time balance_gain() const;
  bool crowded() const;
  Time unsure() const;

  const CriticalPath& path_;
  const Overview& overview_;
  const LinkFacts& links_;
  LateRank late_;
  GuiltyLink link_;
};

}  // namespace heddle::record
