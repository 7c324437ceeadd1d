// Messages between ranks of one node that share the bandwidth of its memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/containers/min_heap.hpp"
#include "core/ids.hpp"
#include "core/quantity.hpp"
#include "core/simulation.hpp"
#include "mpi/engine/message.hpp"

namespace heddle::mpi {

/// All messages under way inside of a node have the same rate: that of one alone, or an equal share
/// of what the memory has. Each is delivered when all of it has been copied.
class NodeMemory {
 public:
  /// The simulation must outlive this. `shared` is limited.
  NodeMemory(Simulation& simulation, Bandwidth alone, Bandwidth shared);

  /// Copies a message inside of `node` from now on.
  void copy(Message& message, NodeId node);

 private:
  /// A message that is through when the service has reached `mark`; numbers order equal marks.
  struct Copy {
    double mark;
    std::uint64_t number;
    Message* message;
    bool operator<(const Copy& other) const {
      return mark != other.mark ? mark < other.mark : number < other.number;
    }
  };
  /// One node; as an event, the end of its next copy.
  struct Memory final : Event {
    explicit Memory(NodeMemory& all) : all(all) {}
    void fire() override { all.finish(*this); }
    NodeMemory& all;
    MinHeap<Copy> copies;
    double service = 0;  ///< Bytes that each message has got until `since`.
    Time since;
  };

  double rate(const Memory& memory) const;
  void advance(Memory& memory) const;
  void expect_next(Memory& memory);
  void finish(Memory& memory);
  Memory& memory_of(NodeId node);

  Simulation& simulation_;
  double alone_;   ///< In bytes per ps; infinite if nothing limits it.
  double shared_;  ///< The same.
  EventSource source_;
  std::uint64_t numbers_ = 0;
  std::vector<std::unique_ptr<Memory>> nodes_;  ///< Those in use.
  std::vector<Message*> through_;               ///< At this instant.
};

}  // namespace heddle::mpi
