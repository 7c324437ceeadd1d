// The point-to-point engine: sends and receives, matched in the order that MPI demands.
#pragma once

#include <cstdint>
#include <memory>

#include "mpi/completion.hpp"

namespace heddle::mpi {

class Communicator;
class Process;
class World;
struct Buffer;

/// What a message is for. Messages of different kinds never meet.
enum class Traffic : std::uint8_t { point_to_point, collective, window, management };

/// A communicator's messages of one kind.
struct Channel {
  const Communicator* communicator = nullptr;
  std::uint32_t context = 0;  ///< Differs between communicators and kinds.
};

enum class SendMode : std::uint8_t { standard, buffered, synchronous, ready };

struct Message;
struct Receive;
/// Operations under way, for those who may want to take them back.
struct SendHandle {
  Message* message = nullptr;
  std::uint64_t serial = 0;
};
struct ReceiveHandle {
  Receive* receive = nullptr;
  std::uint64_t serial = 0;
};

/// All messages of a job. Peers are ranks of the channel's communicator (of its remote group, where
/// there is one), MPI_PROC_NULL and for receives MPI_ANY_SOURCE; tags may be any number that is not
/// negative, for receives of point-to-point traffic also MPI_ANY_TAG. Arguments are right already.
class Engine {
 public:
  explicit Engine(World& world);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Starts a send of the running rank `process`. The buffer must keep its contents until
  /// `completion` is told.
  SendHandle send(Process& process, const Channel& channel, int peer, int tag, const Buffer& buffer,
                  SendMode mode, Completion& completion);
  /// Starts a receive. A message that is too long gives the error class MPI_ERR_TRUNCATE.
  ReceiveHandle receive(Process& process, const Channel& channel, int peer, int tag,
                        const Buffer& buffer, Completion& completion);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace heddle::mpi
