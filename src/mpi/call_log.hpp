// What ranks do with MPI, told to whoever records it.
//
// Messages are told one by one, those of collective algorithms and of calls that make communicators
// included, so that a recording is complete whatever the program calls. Blocking collectives are
// told as such, too, before their messages: who can express them leaves the messages out.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/rules/operation.hpp"
#include "core/time.hpp"
#include "mpi/message_observer.hpp"

namespace heddle::mpi {

class Communicator;
class Process;

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

/// What ranks wait for that have windows.
enum class News : std::uint8_t {
  operations,  ///< One-sided ones that are complete.
  grants,      ///< Of locks.
  posts,       ///< MPI_Win_post of a target.
  ends,        ///< MPI_Win_complete of an origin.
};

/// What a one-sided transfer means to the ranks at its ends.
struct ParcelTraits {
  bool costs = false;         ///< The sender's processor has paid for it.
  bool tells_target = false;  ///< The receiving rank waits for it, or will do so.
  bool tells_origin = false;  ///< The sending rank knows when it is there.
  bool gets = false;          ///< Asks for data, or brings them in answer.
  News news = News::operations;
};

/// Is told, on the fiber of the rank, what the ranks of a job do, beside their messages.
class CallLog : public MessageObserver {
 public:
  /// A blocking collective begins; its messages have this tag.
  virtual void begins(const Communicator& communicator, int tag) = 0;
  /// What the collective that has begun is; not told of those that do not block.
  virtual void says(Process& process, coll::Collective collective,
                    const CollectiveAmounts& amounts) = 0;
  virtual void ends(Process& process) = 0;

  /// The rank has waited so long for something that is no message, such as a file.
  virtual void stays(Process& process, Time duration) = 0;

  // One-sided transfers, known by their parcel until it is carried again.

  /// `parcel` sets out, or within one process is there at once. What is carried between arrives()
  /// and handled() is caused by that arrival, all else by the call under way.
  virtual void carries(const void* parcel, Process& from, Process& to, std::int64_t bytes,
                       const ParcelTraits& traits) = 0;
  virtual void arrives(const void* parcel) = 0;
  virtual void handled() = 0;
  /// The rank goes on in the knowledge of what parcels have told it of this.
  virtual void looks(Process& process, News news) = 0;
};

}  // namespace heddle::mpi
