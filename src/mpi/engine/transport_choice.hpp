// Messages of a job that travel by several transports.
#pragma once

#include <cstdint>

namespace heddle::mpi {

struct Message;

/// Chooses the transport of each message when it is sent, and keeps the messages of a pair of
/// processes in their order, whatever they travel by.
class TransportChoice {
 public:
  /// A message is sent: it gets its transport, and its number among those of its pair.
  virtual void choose(Message& message) = 0;
  /// Whether it is the message's turn to be seen; if not it is kept until then.
  virtual bool is_turn(Message& message) = 0;
  /// A message of the pair has been seen: the one that was kept and is next, or null.
  virtual Message* next(std::uint64_t pair) = 0;

 protected:
  ~TransportChoice() = default;
};

/// What the two processes of a message are known by.
std::uint64_t pair_of(const Message& message);

}  // namespace heddle::mpi
