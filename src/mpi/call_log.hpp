// What ranks do with MPI, told to whoever records it.
//
// Messages are told one by one, those of collective algorithms and of calls that make communicators
// included, so that a recording is complete whatever the program calls. Blocking collectives are
// told as such, too, before their messages: who can express them leaves the messages out.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/coll/operation.hpp"

namespace heddle::mpi {

class Communicator;
class Completion;
class Process;
struct Message;
enum class SendCall : std::uint8_t;

/// What a rank gives to a collective operation and gets from it, in bytes.
struct CollectiveAmounts {
  bool known = true;          ///< Whether this can say it: not of exchanges among neighbours.
  int root = 0;               ///< Where there is one.
  std::int64_t element = 1;   ///< Of the datatype of what is sent, or reduced.
  std::int64_t sent = 0;      ///< To all, to the root, or to each member.
  std::int64_t received = 0;  ///< From each member, or from the root.
  std::vector<std::int64_t> sent_to = {};        ///< By member, where these differ.
  std::vector<std::int64_t> received_from = {};  ///< The same.
};

/// Is told, on the fiber of the rank, what the ranks of a job do. Messages are known by the
/// completion that is told of their end, until the rank has seen that it was.
class CallLog {
 public:
  virtual ~CallLog() = default;

  virtual void sends(const Message& message, SendCall call) = 0;
  /// `context` and `tag` as the receive has them.
  virtual void receives(Process& process, std::uint32_t context, int tag,
                        const Completion& completion) = 0;
  /// A receive that was told of has met its message; from any code.
  virtual void met(const Message& message, const Completion& completion) = 0;
  /// A receive that was told of has been taken back.
  virtual void cancelled(Process& process, const Completion& completion) = 0;
  /// The rank has seen, in a call, that the operations of `completion` have ended.
  virtual void sees_end(Process& process, const Completion& completion) = 0;

  /// A blocking collective begins; its messages have this tag.
  virtual void begins(const Communicator& communicator, int tag) = 0;
  /// What the collective that has begun is; not told of those that do not block.
  virtual void says(Process& process, coll::Collective collective,
                    const CollectiveAmounts& amounts) = 0;
  virtual void ends(Process& process) = 0;

  /// A call that is not recorded: the recording is incomplete.
  virtual void leaves_out(const char* call) = 0;
};

}  // namespace heddle::mpi
