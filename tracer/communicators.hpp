// Names for communicators that all their members agree on.
#pragma once

#include "mpi.hpp"

#include <atomic>
#include <cstdint>
#include <vector>

#include "trace_file.hpp"

namespace heddle_trace {

inline constexpr std::uint64_t kWorldId = 0;
inline constexpr std::uint64_t kSelfId = 1;
/// Of communicators nobody could agree on: between groups, or made in ways that are not traced.
inline constexpr std::uint64_t kUnknownId = 2;

struct CommInfo {
  std::uint64_t id = kUnknownId;
  int rank = 0;
  int size = 0;  ///< Of the remote group, if it is between groups.
  bool between_groups = false;
};

/// Kept as an attribute of each communicator, so that it goes away with it.
class Communicators {
 public:
  /// After MPI_Init; names MPI_COMM_WORLD and MPI_COMM_SELF.
  void open();
  CommInfo find(MPI_Comm comm) const;
  /// Names a new communicator, which all its members must be doing, and writes its description.
  void adopt(MPI_Comm comm, Bytes& out);

 private:
  void name(MPI_Comm comm, std::uint64_t id);

  int key_ = MPI_KEYVAL_INVALID;
  MPI_Group world_ = MPI_GROUP_NULL;
  int world_rank_ = 0;
  std::atomic<std::uint32_t> made_{0};  ///< Communicators this rank was the first member of.
};

}  // namespace heddle_trace
