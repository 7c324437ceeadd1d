// The sending side of a link: queues, arbiter, credits and wire.
#pragma once

#include <compare>
#include <memory>

#include "network/packet/packet_plan.hpp"
#include "network/packet/port_lane.hpp"
#include "network/packet/port_wire.hpp"
#include "network/packet/surroundings.hpp"

namespace heddle::network {

class BufferPool;
class Crossbar;

/// What many ports have in common: so it is at hand, and takes nothing of theirs.
struct PortKind {
  /// As the plan has it of a link.
  PortKind(const PacketContext& own_context, LinkId link);
  auto operator<=>(const PortKind&) const = default;

  PacketContext context;
  std::size_t lanes;
  Bandwidth bandwidth;
  Time flit_time;
  bool from_host;
  bool to_host;
  bool marks;            ///< Packets, where there is congestion.
  bool measures;         ///< Packets carry on what it is like here.
  bool control;          ///< The last lane goes ahead of the others.
  bool by_credits;       ///< The buffer at its end has a known size.
  bool allocated;        ///< By a crossbar, not by its own arbiter.
  bool pooled;           ///< Lanes share room at the other end.
  bool half_duplex;      ///< The other direction has the same wire.
  bool stored;           ///< Packets are whole at the other end before they go on.
  Time wire;             ///< Its latency.
  Time to_arbiter;       ///< From a head's arrival to the arbiter.
  Time to_wire;          ///< From the arbiter to the wire.
  TimePerByte crossbar;  ///< From input to output buffer.
  Time crossbar_flit;    ///< The same of a flit.
  std::int64_t output_flits;
  std::int64_t buffer_flits;  ///< Of the buffer at the far end, per lane.
  std::int64_t lane_flits;    ///< The most that a lane may take of that, and of what it shares.
};

/// As an event, its arbiter's turn. A packet starts when the far buffer has room for all of it, by
/// what flow-control packets have told; it is never interleaved with another. Ordered by what is
/// needed together.
class alignas(64) OutputPort final : public Event {
 public:
  OutputPort(const PortKind& kind, LinkId link, EventSource source);
  /// The two directions of a cable. Full duplex, each carries the other's credits; half duplex,
  /// they have queues and credits of their own and share the wire's time.
  static void join(OutputPort& one, OutputPort& other, platform::Duplex duplex);

  /// The packet's head will be at the arbiter at `packet.head`, on its lane.
  void enter(Packet& packet);
  /// The same of a packet that has waited elsewhere before.
  void enter_waiting(Packet& packet);
  /// The buffer at the far end of a lane has room for `flits` more from `when` on, which the port
  /// knows when the wire has brought the news.
  void free_at(std::size_t lane, Time when, std::int64_t flits);
  /// The far end wants no more packets of the lane, or, again, does.
  void pause(std::size_t lane);
  void go_on(std::size_t lane);
  /// The arbiter looks at its queues when it hears of enough credits for what the lane lacks; if
  /// nobody knows that yet, whoever frees some will.
  void look_for_credits(std::size_t lane);
  /// When the port knows that flits have left that buffer at `freed`.
  Time hears_of(Time freed) const;
  /// When the next news comes of those that are known to leave; Time::never() if there are none.
  Time next_news() const;
  void share(BufferPool& pool) { pool_ = &pool; }

  /// The arbiter looks at its queues at `when`, or when it is free.
  void look_at(Time when);
  /// From when a packet that waits here, and before none of its lane, wants to pass.
  Time asks_from(const Packet& packet) const;

  // For the crossbar that decides in the arbiter's place.
  void belong_to(Crossbar& crossbar) { crossbar_ = &crossbar; }
  /// From when the packet, which waits here, may pass, but for credits.
  Time may_pass_from(const Packet& packet) const;
  /// Whether there are credits for it; if not, either it goes by its escape route and waits here no
  /// longer, or the lane lacks them.
  enum class Leave { given, escaped, lacking };
  Leave leave_for(Packet& packet);
  /// The crossbar is going to look at what waits here: no other look is needed until it does.
  void is_asking();
  /// It looks.
  void is_looked_at();
  /// Arranges the next look, at `when` or as soon as there are credits for what lacks them. While a
  /// packet passes, that has been arranged for.
  void look_again(Time when);
  /// Which of several lanes has its turn; none: -1.
  int choose_lane(std::uint64_t ready) const;
  /// The packet passes now. The crossbar's input and output are free again at the time returned.
  Time pass(Packet& packet);

  LinkId link() const { return link_; }
  const PortKind& kind() const { return *kind_; }
  EventSource& source() { return source_; }
  const WireTime& wire() const { return wire_; }
  /// The first is found without a look at the port, whose lines may be far.
  PortLane& lane(std::size_t i) { return i == 0 ? first_ : further_[i - 1]; }
  const PortLane& lane(std::size_t i) const { return i == 0 ? first_ : further_[i - 1]; }
  /// Flits that have crossed the link, or are about to, and are not known to have left the buffer
  /// at its end.
  std::int64_t flits_beyond() const;
  std::int64_t flits_beyond(std::size_t lane) const;
  /// That wait here, in all lanes.
  std::int64_t flits_waiting() const { return flits_waiting_; }
  std::int64_t marked() const { return marked_; }  ///< Packets marked for congestion.
  const CreditNews& news() const { return news_; }

  /// Asks for the memory that says where further lanes are.
  void foresee_lanes() const { prefetch(&further_); }
  void fire() override;
  void glimpse() const override;
  void foresee() const override;
  void expect() const override;

 private:
  /// When a packet passes.
  struct Passage {
    Time last_passed;  ///< Its last flit, through the crossbar.
    Time begin;        ///< Its first flit, on the wire ...
    Time end;          ///< ... and the end of its last.
    Time lost;         ///< Never, unless the link fails.
    Time spacing;      ///< Of its flits from there on.
  };

  static std::uint64_t bit(std::size_t lane) { return std::uint64_t{1} << lane; }
  bool anyone_waits() const { return waiting_ != 0; }
  bool waits_for_further() const { return waiting_ > bit(0); }
  void wait(Packet& packet);
  void wait_no_longer(Packet& packet, void (InputQueues::*leave)(Packet&));
  const InputQueues::Queue& likely_turn(const PortLane& lane) const;
  template <class Use>
  void for_waiting(Use use) const;
  bool is_control(std::size_t lane) const { return lane == kind_->context.plan.control_lane; }
  bool passes_unhindered(const Packet& packet);
  void wake(Time when);
  Packet* choose();
  Packet* choose_in_lane(PortLane& lane);
  Packet* choose_behind(PortLane& lane, Packet& packet);
  void grant(Packet& packet, Time now, std::int64_t waiting);
  Bytes in_output(Time now) const;
  bool marks(const Packet& packet, Time now, std::int64_t waiting);
  void measure(TrackedPacket& packet, Time now) const;
  Passage occupy(const Packet& packet, Time now);
  bool has_room(PortLane& lane, const Packet& packet, Time now);
  Time known_credits(Time now) const;
  Time last_news() const;

  LinkId link_;
  std::uint64_t waiting_ = 0;  ///< The lanes that packets wait for.
  const PortKind* kind_;
  Time due_ = Time::never();  ///< When the event is scheduled, or kAsking.
  Time arbiter_free_;
  WireTime wire_;
  EventSource source_;
  // What loads are told of is in this line of the cache and the one before.
  std::int64_t flits_waiting_ = 0;       ///< In all lanes.
  mutable std::uint64_t lanes_out_ = 0;  ///< Those that credits may be out of; others have all.
  std::unique_ptr<PortLane[]> further_;  ///< Where there are several.
  PortLane first_;

  CreditNews news_;
  Crossbar* crossbar_ = nullptr;          ///< Of outputs that are allocated.
  BufferPool* pool_ = nullptr;            ///< Where lanes share room.
  std::unique_ptr<LaneArbiter> arbiter_;  ///< Of several lanes for data; null: there is one.
  // Where congestion is controlled.
  std::unique_ptr<CongestionPoint> congestion_;
  std::int64_t marked_ = 0;
};

}  // namespace heddle::network
