// One part of a run of traffic that several threads share.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "core/windows/window_part.hpp"
#include "network/parts/fabric_cut.hpp"
#include "traffic/idle_times.hpp"
#include "traffic/injector.hpp"

namespace heddle::traffic {

/// Where an event stands among all events of all parts.
struct EventPlace {
  Time time;
  std::uint64_t sequence = 0;
  auto operator<=>(const EventPlace&) const = default;
};

/// A message that has arrived in a part.
struct Arrived {
  EventPlace place;
  MessageRecord record;
  Time idle;  ///< What it takes alone, if that is wanted.
};

/// What a part works with. All of it outlives the part.
struct PartBed {
  const platform::Platform& platform;
  const network::FabricCut& cut;
  std::uint32_t me;
  std::size_t parts;
  Time window;  ///< No window is longer.
  From from;
  std::vector<NodeId> senders;  ///< Of this part.
  /// How many are of parts before this one.
  std::uint64_t senders_before;
  Workload& workload;
  bool closed;          ///< A message that has arrived lets its source send another one.
  IdleReference* idle;  ///< Or null.
};

/// Nodes send in the part that they belong to; messages arrive in that of their destinations.
class TrafficPart : public WindowPart {
 public:
  /// Of the last window, in the order of their arrival.
  std::span<const Arrived> arrived() const { return arrived_; }
  /// Events so far, as a network that is not divided counts them.
  std::uint64_t events() const { return happened(); }
  /// A sum of what happened, whatever its order.
  virtual std::uint64_t fingerprint() const = 0;
  virtual Bytes delivered() const = 0;
  /// As Injector::take_unfinished: of messages that its nodes have sent, or that it has.
  virtual std::vector<Time> take_unfinished(Time until) = 0;

  /// What had happened by the end of an event, and how many nodes were past the window that is
  /// measured.
  struct Taped {
    Time time;
    std::uint64_t events;
    std::uint64_t fingerprint;
    std::uint32_t past;
  };
  /// From now on each event of a window is on a tape. `loop` is that of the part's nodes.
  void tape(const OpenLoop& loop) { loop_ = &loop; }
  /// Of the last window; the first entry is of what was before it.
  std::span<const Taped> tape() const { return tape_; }

 protected:
  void begin_tape() {
    tape_.clear();
    note_on_tape();
  }
  void note_on_tape() {
    if (loop_ != nullptr) [[unlikely]] {
      tape_.push_back({now(), events(), fingerprint(), loop_->nodes_past_window()});
    }
  }

  std::vector<Arrived> arrived_;

 private:
  const OpenLoop* loop_ = nullptr;  ///< Null: there is no tape.
  std::vector<Taped> tape_;
};

}  // namespace heddle::traffic
