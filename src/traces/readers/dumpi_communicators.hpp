// Who is in the communicators of DUMPI traces.
//
// A trace has the handle that a rank got for each communicator it made, and what it was made of:
// colours and keys, groups with their ranks, dimensions of grids. All members make such calls in
// the same order, so that following all ranks together from one such call to the next, as the
// program did, tells the members of each exactly.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "traces/readers/dumpi_trace.hpp"
#include "traces/readers/recorded_trace.hpp"

namespace heddle::traces {

/// A call that makes a communicator or a group.
struct DumpiMaking {
  std::uint32_t function = 0;
  std::uint32_t number = 0;  ///< DumpiCall::number.
  std::int64_t old_comm = 0;
  std::int64_t new_comm = 0;
  std::int64_t group = 0;
  std::int64_t other_group = 0;
  std::int64_t new_group = 0;
  std::int64_t colour = 0;  ///< Of a graph: how many nodes.
  std::int64_t key = 0;
  std::vector<std::int64_t> list;  ///< Ranks, ranges of them, or dimensions.
};

/// One rank's communicator that a call made, by the number of the call.
struct DumpiMade {
  std::uint32_t number = 0;
  std::int64_t handle = 0;
  RecordedComm comm;
};

/// Whether this call makes a communicator or a group.
bool makes_dumpi_comm(const DumpiCall& call);
DumpiMaking dumpi_making(const DumpiCall& call);

/// What the calls of each rank have made, in their order. Throws InputError where ranks contradict
/// each other; `files` are theirs.
std::vector<std::vector<DumpiMade>> follow_dumpi_comms(
    const std::vector<std::vector<DumpiMaking>>& calls, const std::vector<std::string>& files);

}  // namespace heddle::traces
