// The packets that wait for one lane of an output, by the input that holds them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/containers/short_list.hpp"
#include "network/packet/packet.hpp"

namespace heddle::network {

/// Inputs with packets stand in the order of their links.
class InputQueues {
 public:
  /// The packets of one input, in order.
  struct Queue {
    LinkId input = kNoLink;
    Packet* head = nullptr;
    Packet* tail = nullptr;
  };

  /// Behind those of the same input.
  void append(Packet& packet);
  /// The first packet of its queue has its turn: it waits no longer.
  void remove_first(Packet& packet);
  /// The same of one that others of its input may stand before.
  void remove(Packet& packet);
  /// A packet has its turn without having waited.
  void pass(const Packet& packet);

  bool empty() const { return packets_ == 0; }
  std::size_t size() const { return queues_.size(); }
  const Queue& operator[](std::size_t i) const { return queues_[i]; }
  LinkId last_turn() const { return last_turn_; }  ///< Of the packet that had the last.
  std::uint32_t packets() const { return packets_; }
  std::int64_t flits() const { return flits_; }
  std::int64_t most_flits() const { return most_flits_; }  ///< That have waited at a time.

  // What comes soon asks for memory: the queues where they are not here, and what a turn changes.
  bool are_out() const { return queues_.is_out(); }
  void foresee_queues() const { queues_.foresee(); }
  void foresee_turn() const { prefetch(&last_turn_); }

 private:
  ShortList<Queue, 2> queues_;
  LinkId last_turn_ = kNoLink;
  std::uint32_t packets_ = 0;
  std::int64_t flits_ = 0;
  std::int64_t most_flits_ = 0;
};

}  // namespace heddle::network
