// Flow control in hardware: how many requests may be under way between two nodes or processes.
#pragma once

#include <cstdint>

#include "core/containers/fifo.hpp"
#include "nic/key_table.hpp"
#include "nic/records.hpp"
#include "platform/nic_params.hpp"

namespace heddle::nic {

/// The gates that requests of one adapter pass: first that of their pair of processes, then that of
/// their pair of nodes. Those that find a gate shut wait before it in their order.
class Gates {
 public:
  explicit Gates(const platform::NicParams& params) : params_(params) {}

  /// True if the request may go; else it waits, and a later leave() gives it to `passed`.
  bool enter(Message& message);
  /// A request that had passed is at its end. Those it lets through are added to `passed`.
  void leave(const Exchange& exchange, Fifo<Message>& passed);

 private:
  struct Gate {
    std::int64_t under_way = 0;
    Fifo<Message> waiting;
  };
  Gate& processes_gate(const Exchange& exchange);
  Gate& nodes_gate(const Exchange& exchange);
  static bool pass(Gate& gate, std::int64_t limit, Message& message);

  const platform::NicParams& params_;
  KeyTable<KeyTable<Gate>> processes_;  ///< By process of this node, then by target process.
  KeyTable<Gate> nodes_;
};

}  // namespace heddle::nic
