// Messages of a library above Portals that keeps its own lists: they take the adapters' time as
// puts and gets of Portals do, and their data is the library's business.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "nic/software.hpp"

namespace heddle::portals {

/// A put from one rank to another, or a get by one from another.
struct Parcel {
  nic::Operation operation = nic::Operation::put;  ///< Or get.
  std::uint32_t initiator = 0;                     ///< Rank.
  std::uint32_t target = 0;                        ///< Rank.
  Bytes size;                                      ///< Of the payload, in either direction.
  std::uint64_t cookie = 0;                        ///< Handed back.
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

 protected:
  ~Courier() = default;
};

}  // namespace heddle::portals
