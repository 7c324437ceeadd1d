// One collective call of a process: whom its messages go to.
#pragma once

#include <climits>
#include <string>

#include "mpi/check/buffer_check.hpp"
#include "mpi/check/collective_check.hpp"
#include "mpi/collectives/collectives.hpp"
#include "mpi/datatypes.hpp"
#include "mpi/engine/engine.hpp"

namespace heddle::mpi::collectives {

/// What the messages of a collective have in common. Peers of an intracommunicator are its ranks;
/// those of an intercommunicator are the ranks of the remote group, and behind them those of the
/// own one.
class Context {
 public:
  /// Counts the call; throws Error if others have called something else.
  Context(Communicator& communicator, Collective collective);

  Communicator& communicator() const { return *communicator_; }
  Process& process() const { return communicator_->process(); }
  const Places& places() const { return membership(*communicator_).common->places; }
  /// Of the steps: all peers.
  int rank() const;
  int size() const;
  void set_operation(const Op* op) { op_ = op; }
  const Op* operation() const { return op_; }

  void send(const Buffer& data, int peer, Completion& completion) const;
  void receive(const Buffer& data, int peer, Completion& completion) const;
  /// For who records: the rank has seen the end of all messages, or of one.
  void see_ends(const Messages& messages) const;
  void see_end(const Messages& messages, std::uint32_t number) const;
  int tag() const { return tag_; }
  std::uint32_t number() const { return number_; }
  /// Tells a check what this member says of the call, and that it has seen its end.
  void tell(CollectiveCheck& check, const CommonTerms& common) const;
  void tell_end(CollectiveCheck& check) const;
  void copy(const Buffer& from, const Buffer& to) const;
  void reduce(const Buffer& operand, const Buffer& result) const;

  /// What BufferCheck knows the call by.
  std::uint64_t owner() const;

  /// "MPI_COMM_WORLD, receives from 3; not entered by rank 5, in MPI_Recv".
  std::string describe(const Ticket* open) const;
  /// The process that a message goes to or comes from.
  std::uint32_t process_of(int peer) const;
  /// Throws Error if a message has failed.
  static void check(int error);

 private:
  /// For as long as the call writes to the program's memory.
  BufferCheck::Writing writes() const;
  void charge(const coll::Overheads& cost, std::int64_t bytes) const;
  std::string absentees() const;
  bool is_local(int peer) const { return peer >= remote_; }

  CommunicatorRef communicator_;
  CommunicatorRef local_;  ///< Of an intercommunicator.
  const Op* op_ = nullptr;
  int remote_ = INT_MAX;
  std::uint32_t number_;
  int tag_;
};

}  // namespace heddle::mpi::collectives
