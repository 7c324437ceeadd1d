// Operations between PEs of one node through its memory.
#pragma once

#include "shmem/config.hpp"
#include "shmem/operation.hpp"

namespace heddle::shmem {

class World;

/// What both transports do for PEs that share a node, if a latency is given for that, and for a PE
/// with itself.
class NearMemory {
 public:
  explicit NearMemory(World& world);

  /// Whether an operation stays in the node's memory.
  bool takes(const Operation& operation) const;
  /// The operation is on its way, after `delay`; Transport::due comes when it is there.
  void carry(Operation& operation, Time delay);
  /// It is there, and known to be.
  void finish(Operation& operation);

 private:
  World& world_;
  const ShmemConfig& config_;
  EventSource source_;
};

}  // namespace heddle::shmem
