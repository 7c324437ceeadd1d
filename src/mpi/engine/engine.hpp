// The point-to-point engine: sends and receives, matched in the order that MPI demands.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "core/containers/pool.hpp"
#include "mpi/completion.hpp"
#include "mpi/engine/message.hpp"
#include "mpi/engine/message_queues.hpp"
#include "mpi/engine/payloads.hpp"
#include "mpi/engine/transport.hpp"
#include "mpi/message_observer.hpp"
#include "mpi/process.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

class Group;
class TransportChoice;

/// A member of a communicator, and those that its messages go to.
struct Correspondent {
  const Group* peers = nullptr;
  int rank = 0;  ///< Its own.
};
/// A communicator's messages of one kind, as one of its members has them.
struct Channel {
  const Correspondent* member = nullptr;
  std::uint32_t context = 0;  ///< Differs between communicators and kinds.
};

/// Where a message goes, and whom its receiver sees it come from.
struct Address {
  std::uint32_t context = 0;
  int source = 0;
  std::uint32_t receiver = 0;  ///< Number in MPI_COMM_WORLD.
};
/// Where a message is expected from.
struct SourceAddress {
  std::uint32_t context = 0;
  int source = 0;
};

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
class Engine final : public Part {
 public:
  /// Messages go by `transport`, unless set_choice() says something else.
  Engine(World& world, std::unique_ptr<Transport> transport);
  ~Engine() override;

  // On the fiber of `process`. Starting takes time of the processor: calls return when it is spent,
  // but non-blocking ones may return before if nobody can tell.

  /// Starts a send. The buffer must keep its contents until `completion` is told.
  SendHandle send(Process& process, const Channel& channel, int peer, int tag, const Buffer& buffer,
                  SendMode mode, Completion& completion, SendCall call = SendCall::nonblocking);
  /// Starts a receive. A message that is too long gives the error class MPI_ERR_TRUNCATE.
  ReceiveHandle receive(Process& process, const Channel& channel, int peer, int tag,
                        const Buffer& buffer, Completion& completion);
  /// The same for peers that no communicator numbers.
  SendHandle send(Process& process, const Address& address, int tag, const Buffer& buffer,
                  SendMode mode, Completion& completion, SendCall call = SendCall::nonblocking);
  ReceiveHandle receive(Process& process, const SourceAddress& address, int tag,
                        const Buffer& buffer, Completion& completion);
  /// The message that such a receive would get, or null.
  Message* probe(Process& process, const SourceAddress& address, int tag);
  /// Takes a message that probe() has found out of the reach of others.
  void extract(Message& message);
  /// Receives an extracted message.
  void receive_extracted(Message& message, const Buffer& buffer, Completion& completion);
  /// Takes an operation back if it has met no peer: its completion is then told nothing.
  bool cancel(const SendHandle& send);
  bool cancel(const ReceiveHandle& receive);

  /// The rank will not run again: nothing is written to its memory any more.
  void ended(Process& process);

  // For transports.

  /// The receiver can see the message.
  void visible(Message& message);
  /// All of the message is there.
  void delivered(Message& message);
  /// The event of a message.
  void due(Message& message);
  /// A message is about to be posted: what that needs is fetched from memory, and a little later,
  /// when that is there, what it leads to.
  enum class Step : std::uint8_t { first, second };
  void foresee_post(const Message& message, Step step) const;

  Transport& transport() { return *transport_; }
  /// From now on; must outlive all messages.
  void set_choice(TransportChoice& choice) { choice_ = &choice; }
  MessageObservers& observers() { return observers_; }
  const MessageQueues& queues() const { return queues_; }

 private:
  Message& new_message(Process& process, const Address& address, int tag, const Buffer& buffer,
                       SendMode mode, Completion& completion);
  void post(Message& message);
  void show(Message& message);
  void drop(Receive& receive);
  void meet(Message& message, const Buffer& buffer, Process& process, Completion& completion);
  void finish(Message& message);
  void give_back(Message& message);

  World& world_;
  std::unique_ptr<Transport> transport_;
  TransportChoice* choice_ = nullptr;  ///< Null: all go by `transport_`.
  MessageObservers observers_;
  MessageQueues queues_;
  Payloads payloads_;
  Pool<Message> messages_;
  Pool<Receive> receives_;
  EventSource source_;
  std::uint64_t serials_ = 0;
};

/// That of a process's world.
inline Engine& engine_of(const Process& process) {
  return *process.world().find_part<Engine>();
}

}  // namespace heddle::mpi
