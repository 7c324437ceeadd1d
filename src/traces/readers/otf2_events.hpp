// What an OTF2 archive says, without the library that reads it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace heddle::traces {

struct Otf2Comm {
  std::vector<std::uint32_t> members;  ///< Ranks of the world.
  bool self = false;                   ///< Every rank has one of its own, of this name.
};

struct Otf2Definitions {
  std::uint64_t ticks_per_second = 1'000'000'000;
  std::uint64_t begin = 0;                       ///< Ticks; nothing is before.
  std::vector<std::uint64_t> locations;          ///< By rank: the one that MPI knows.
  std::uint64_t further_locations = 0;           ///< Other threads, accelerators.
  std::map<std::uint32_t, std::string> regions;  ///< Names, by number.
  std::map<std::uint32_t, Otf2Comm> comms;       ///< By number.
  /// Written by EZTrace, which says how much a rank gives to a collective, where others say how
  /// much it gives to all members; which leaves out most ends of requests, and whose ranks have
  /// clocks of their own.
  bool eztrace = false;
};

/// How OTF2 numbers collectives (OTF2_CollectiveOp); what comes behind makes handles.
enum class Otf2Operation : std::uint8_t {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  allreduce,
  reduce,
  reduce_scatter,
  scan,
  exscan,
  reduce_scatter_block,
  others,
};

/// An event of one location, as far as messages are concerned.
struct Otf2Event {
  enum class Kind : std::uint8_t {
    enter,            ///< `region`.
    leave,            ///< The same.
    send,             ///< To `peer`, all of it.
    isend,            ///< To `peer`, with `request`.
    isend_complete,   ///< `request`.
    irecv_request,    ///< `request`, posted.
    recv,             ///< From `peer`, all of it.
    irecv,            ///< From `peer`, with `request`, which is complete.
    cancelled,        ///< `request`.
    collective,       ///< Done.
    icollective,      ///< `request`, begun.
    icollective_end,  ///< The same, with all of it.
  };
  Kind kind = Kind::enter;
  Otf2Operation operation = Otf2Operation::others;
  std::uint32_t region = 0;
  std::uint32_t peer = 0;  ///< A rank of the communicator; the root of a collective.
  std::uint32_t comm = 0;
  std::uint32_t tag = 0;
  std::uint64_t number = 0;    ///< Of the event in its location, from 1.
  std::uint64_t time = 0;      ///< Ticks.
  std::uint64_t bytes = 0;     ///< Of a message; sent in a collective.
  std::uint64_t received = 0;  ///< In a collective.
  std::uint64_t request = 0;
};

}  // namespace heddle::traces
