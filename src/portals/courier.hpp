// Messages of a library above Portals that keeps its own lists: they take the adapters' time as
// puts and gets of Portals do, and their data is the library's business.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "nic/software.hpp"

namespace heddle::portals {

/// How the two ends of a parcel learn of it.
enum class Told : std::uint8_t {
  by_events,    ///< A full event at the target of a put, and at the initiator of a get.
  by_counters,  ///< Each end counts, as with descriptors and entries that have counters only.
};

/// A put or an atomic operation from one rank to another, or a get by one from another.
struct Parcel {
  nic::Operation operation = nic::Operation::put;  ///< By events only put and get.
  std::uint32_t initiator = 0;                     ///< Rank.
  std::uint32_t target = 0;                        ///< Rank.
  Bytes size;                                      ///< Of the payload, in either direction.
  std::uint64_t cookie = 0;                        ///< Handed back.
  Told told = Told::by_events;
  // Of those that are told by counters:
  bool buffered = false;      ///< The payload is taken with the command, if it may be that long.
  bool wants_sent = false;    ///< Courier::sent.
  bool acknowledged = false;  ///< Courier::completed; gets and fetches have their answer anyway.
  bool triggered = false;     ///< Waits in the adapter already and takes no command: there is no
                              ///< Courier::accepted.
};

/// The library, as it is told of its parcels. All calls come from within events.
class Courier {
 public:
  /// A put has been matched at its target; those of a pair in their order. Its data and event are
  /// still on their way to memory.
  virtual void matched(std::uint64_t cookie) = 0;
  /// The event of a put is in its target's memory.
  virtual void arrived(std::uint64_t cookie) = 0;
  /// What a get has fetched, and its event, are in the initiator's memory.
  virtual void fetched(std::uint64_t cookie) = 0;
  /// The adapter has given up: the other side cannot be reached.
  virtual void lost(std::uint64_t cookie) = 0;

  // Of those that are told by counters, besides matched(), which then comes for all operations.

  /// The adapter has taken the command: the call that gave it may return.
  virtual void accepted(std::uint64_t /*cookie*/) {}
  /// The payload is no longer needed in memory; the initiator's counter is about to say so.
  virtual void sent(std::uint64_t /*cookie*/) {}
  /// The answer is with the initiator's adapter; the initiator's counter is about to say so.
  virtual void completed(std::uint64_t /*cookie*/) {}
  /// The rank's counter of what it has begun, or of what has come to it, is in its memory: with
  /// everything that was counted before this moment.
  virtual void initiator_counted(std::uint32_t /*rank*/) {}
  virtual void target_counted(std::uint32_t /*rank*/) {}

 protected:
  ~Courier() = default;
};

}  // namespace heddle::portals
