// How operations get from one PE to another: what every transport offers.
#pragma once

#include "core/time.hpp"
#include "shmem/operation.hpp"

namespace heddle::shmem {

/// A transport knows time, and nothing of memory. It tells the engine when an operation is at its
/// target, when the target can notice, and when the initiator knows.
class Transport {
 public:
  virtual ~Transport() = default;

  /// Starts an operation after the processor's part of it, on the initiator's fiber, and returns
  /// when the call may go on: the operation is not complete by then.
  virtual void start(Operation& operation, Time overhead) = 0;
  /// The same without holding the caller up.
  virtual void post(Operation& operation, Time overhead) = 0;
  /// The same for what an adapter has waiting already: costs the processor nothing.
  virtual void trigger(Operation& operation) { post(operation, Time::zero()); }
  /// The event of an operation that the transport has scheduled.
  virtual void due(Operation& operation) = 0;
  /// Whether operations of one PE on another one take effect in the order of their start.
  virtual bool ordered() const = 0;
};

}  // namespace heddle::shmem
