// What the adapters report, and who of Portals has to know.
#pragma once

#include "nic/software.hpp"
#include "portals/directory.hpp"
#include "portals/foresight.hpp"
#include "portals/initiator.hpp"
#include "portals/parcels.hpp"
#include "portals/target.hpp"
#include "portals/triggers.hpp"

namespace heddle::portals {

/// Portals, as the adapters see it: takes a report to the initiator's or the target's side or to
/// the parcels, and has done what follows from it.
class Reports final : public nic::Software {
 public:
  /// Who is told; all must outlive the reports.
  struct Sides {
    Directory& directory;
    Commands& commands;
    EventStore& events;
    CounterStore& counters;
    Emitter& emitter;
    Initiator& initiator;
    Target& target;
    Parcels& parcels;
    Triggers& triggers;
    Foresight& foresight;
  };
  explicit Reports(const Sides& sides) : sides_(sides) {}

  void accepted(std::uint32_t cookie) override;
  nic::EventTokens sent(std::uint32_t cookie) override;
  nic::Verdict arrive(std::uint32_t cookie) override;
  nic::EventTokens completed(std::uint32_t cookie, nic::Outcome outcome) override;
  void released(std::uint32_t cookie) override;
  void event_visible(nic::EventToken token) override;
  void counter_visible(std::uint32_t cookie) override;
  void foresee(nic::Report report, std::uint32_t cookie, NodeId node) const override;
  void expect(nic::Report report, std::uint32_t cookie, NodeId node) const override;

 private:
  /// The events of what has happened; carries out what follows from its counting.
  nic::EventTokens settled();

  const Sides sides_;
};

}  // namespace heddle::portals
