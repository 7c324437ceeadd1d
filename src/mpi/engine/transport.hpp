// How messages get from one process to another: what every transport offers.
#pragma once

#include "mpi/engine/message.hpp"

namespace heddle::mpi {

/// What a send costs its sender, by the call it comes from.
enum class SendCall : std::uint8_t { blocking, nonblocking };

/// A transport knows time, and nothing of matching. It tells the engine when a message becomes
/// visible to its receiver and when all of it is there.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual Protocol protocol(std::int64_t bytes, SendMode mode) const = 0;
  /// What the sender's processor does before the message is on its way.
  virtual Time send_overhead(std::int64_t bytes, SendCall call, Protocol protocol) const = 0;
  /// Gives a message whose ends, size and mode are known its protocol, for they may be on one node,
  /// and answers what its sender's processor does first.
  virtual Time begin(Message& message, SendCall call) const {
    message.protocol = protocol(message.bytes, message.mode);
    return send_overhead(message.bytes, call, message.protocol);
  }
  /// What the receiver's processor does with a message that is there.
  virtual Time receive_overhead(const Message& message) const = 0;

  /// The sender has done its part. Calls Engine::visible now or later, in the order of posting for
  /// each pair of processes.
  virtual void post(Message& message) = 0;
  /// A receive has been found. Calls Engine::delivered later, or never if the message was
  /// delivered before.
  virtual void match(Message& message) = 0;
  /// The event of a message that the transport has scheduled.
  virtual void due(Message& message) = 0;
};

}  // namespace heddle::mpi
