// Who passes an output next, and when that is decided.
#pragma once

#include "core/ids.hpp"
#include "core/simulation.hpp"
#include "network/packet/packet.hpp"
#include "network/packet/port_lane.hpp"

namespace heddle::network {

/// Looks at the queues of its output when somebody may pass: inputs have their turns within a lane,
/// and lanes have theirs. Where a crossbar decides in its place, it only knows when. As an event,
/// the next look.
class OutputArbiter final : public Event {
 public:
  /// The output must outlive it.
  OutputArbiter(OutputPort& port, LinkId link, EventSource source)
      : link_(link), port_(port), source_(source) {}

  LinkId link() const { return link_; }
  EventSource& source() { return source_; }

  /// Looks at `when`, or when the crossbar is free.
  void look_at(Time when);
  void look_when_free();
  bool is_going_to_look() const { return due_ != Time::never(); }

  // For the crossbar that decides in its place.
  /// It is going to look at what waits here: no other look is needed until it does.
  void is_asking();
  /// It looks.
  void is_looked_at();
  /// Arranges the next look, at `when` or as soon as there are credits for what lacks them. While a
  /// packet passes, that has been arranged for.
  void look_again(Time when);

  void fire() override;
  void glimpse() const override;
  void foresee() const override;
  void expect() const override;

 private:
  void wake(Time when);
  Packet* choose();
  Packet* choose_among_lanes();
  Packet* choose_in_lane(PortLane& lane);

  LinkId link_;
  OutputPort& port_;
  Time due_ = Time::never();  ///< When the event is scheduled, or kAsking.
  EventSource source_;
};

}  // namespace heddle::network
