// Where messages and receives of one process wait for one another.
#pragma once

#include <array>
#include <cstddef>
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

/// The first receives that a process has posted, in the order of their posting. Most processes
/// never have more: they are found without a look into the table of matches, which is somewhere
/// else in memory, and by their marks without a look at those that are not wanted.
struct NearReceives {
  static constexpr std::size_t kMost = 6;
  std::array<Receive*, kMost> receives{};
  std::array<std::uint8_t, kMost> marks{};  ///< Parts of their keys.
  std::uint8_t count = 0;
  bool wild_ones = false;  ///< There are others, with wildcards.

  bool full() const { return count == kMost; }
  void add(Receive& receive, std::uint8_t mark) {
    receives[count] = &receive;
    marks[count++] = mark;
  }
  void remove(std::size_t place) {
    --count;
    for (; place < count; ++place) {
      receives[place] = receives[place + 1];
      marks[place] = marks[place + 1];
    }
  }
};

/// Where messages and receives of one process wait for one another. Of the receives, those with
/// wildcards are in a list, the others near or, if there are too many, all in the table of matches;
/// messages are in that table, and those that wildcards may concern in a list as well.
struct Mailbox {
  // What nearly all messages need is one line of the cache, if it begins one.
  NearReceives near;
  std::uint32_t in_table = 0;     ///< Receives; then none is near.
  std::uint32_t unexpected = 0;   ///< Messages that nobody has received.
  Receive* wild_first = nullptr;  ///< Receives with wildcards, in the order of their posting.
  Receive* wild_last = nullptr;
  Message* first = nullptr;  ///< Unexpected point-to-point messages, in the order of arrival.
  Message* last = nullptr;
  std::uint32_t probing = 0;          ///< Calls that wait for an unexpected message.
  std::vector<LeftInPlace> in_place;  ///< Of those it has sent,
  Leaver* leaver = nullptr;           ///< by this one, if there are any.

  /// The program is going to know which sends are complete, and may write to their buffers: what
  /// has been left there is copied aside.
  void save_sent(Process& owner) {
    if (!in_place.empty()) leaver->save_sent(owner);
  }
};

}  // namespace heddle::mpi
