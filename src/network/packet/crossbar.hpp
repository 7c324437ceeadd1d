// The crossbar of a switch whose inputs and outputs are allocated to each other.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "network/packet/allocation.hpp"
#include "network/packet/output_decider.hpp"
#include "network/packet/packet_plan.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

/// An input feeds one output at a time, and an output is fed by one input, for as long as a packet
/// takes to pass. Who feeds whom is decided at the beginning of slots of time, for all that is free
/// then. As an event, the beginning of a slot.
class Crossbar final : public Event, public OutputDecider {
 public:
  Crossbar(const PacketContext& context, VertexId of, EventSource source);

  /// The output, which is one of this switch, takes part in the next slot.
  void ask(OutputPort& output) override;
  void fire() override;

 private:
  /// What stands behind a request.
  struct Turn {
    Packet* packet;
    OutputPort* output;
  };

  /// A lane of an output, where lanes are packets' own.
  struct OwnedLane {
    Packet* owner = nullptr;
    Time from;   ///< When the owner has it.
    Time freed;  ///< When the last owner had passed.
  };

  void wake(Time when);
  Time gather(OutputPort& output, Time now);
  void gather_lane(OutputPort& output, std::size_t lane, Time now, Time& again);
  bool consider(Packet& packet, OutputPort& output, Time has_lane, Time now, Time& again);
  void request(OutputPort& output);
  static Packet* choose(std::span<const Turn> candidates);
  void pass_matched();
  Time& busy(const Packet& packet);
  OwnedLane* owned_lane(const OutputPort& output, std::size_t lane);
  void give_away(OwnedLane& lane, const OutputPort& output, const InputQueues& queues, Time now,
                 Time& again) const;

  const PacketContext* context_;
  EventSource source_;
  Time due_ = Time::never();  ///< When the event is scheduled.
  Time last_slot_ = Time::ps(-1);
  std::unique_ptr<Allocator> allocator_;
  std::vector<Time> input_busy_;     ///< By input, until when.
  std::vector<OwnedLane> lanes_;     ///< By output and lane; none where they are nobody's own.
  std::vector<OutputPort*> asking_;  ///< In the order of their links.
  // Of the slot that has its turn; their memory is kept.
  std::vector<OutputPort*> looked_at_;
  std::vector<Time> again_;       ///< When a look at each of them may find more.
  std::vector<Turn> candidates_;  ///< Of one output, of all lanes.
  std::vector<Turn> turns_;
  std::vector<CrossbarRequest> requests_;
  std::vector<std::size_t> matched_;
};

}  // namespace heddle::network
