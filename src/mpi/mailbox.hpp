// Where messages and receives of one process wait for one another.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::mpi {

class Process;
struct Message;
struct Receive;

/// A message whose send is complete, and whose payload is still where it was sent from.
struct LeftInPlace {
  Message* message;
  std::uint64_t serial;  ///< The message is gone if it has another.
};

/// Who has left payloads in the memory of processes.
class Leaver {
 public:
  /// The process goes on: what it has sent and nobody has received yet is copied out of its memory.
  virtual void save_sent(Process& process) = 0;

 protected:
  ~Leaver() = default;
};

/// Where messages and receives of one process wait that wildcards may concern.
struct Mailbox {
  Receive* wild_first = nullptr;  ///< Receives with wildcards, in the order of their posting.
  Receive* wild_last = nullptr;
  Message* first = nullptr;  ///< Unexpected point-to-point messages, in the order of arrival.
  Message* last = nullptr;
  std::uint32_t probing = 0;          ///< Calls that wait for an unexpected message.
  std::uint32_t receives = 0;         ///< Posted and not matched.
  std::vector<LeftInPlace> in_place;  ///< Of those it has sent,
  Leaver* leaver = nullptr;           ///< by this one, if there are any.

  /// The program is going to know which sends are complete, and may write to their buffers: what
  /// has been left there is copied aside.
  void save_sent(Process& owner) {
    if (!in_place.empty()) leaver->save_sent(owner);
  }
};

}  // namespace heddle::mpi
