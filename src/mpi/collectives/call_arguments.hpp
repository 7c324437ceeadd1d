// Arguments of collective calls, looked at before anything happens.
#pragma once

#include <vector>

#include "mpi/collectives/calls.hpp"
#include "mpi/datatype/type_table.hpp"

namespace heddle::mpi::collectives {

/// Throw Error for what cannot be, naming the argument.

/// The root of an intracommunicator.
void check_root(const Communicator& comm, int root);
/// Of an intercommunicator: also MPI_ROOT and MPI_PROC_NULL.
void check_inter_root(const Communicator& comm, int root);
[[noreturn]] void refuse_inter(const Communicator& comm);
[[noreturn]] void refuse_in_place(const char* argument);

/// Memory that is both sent and written.
void refuse_same(const Buffer& send, const Buffer& receive);

/// Data to be sent or received.
Buffer data_of(Communicator& comm, const Given& given, const char* argument);
/// `given` as one block for each of `members`.
Blocks blocks_of(Communicator& comm, const Given& given, const char* argument);
Blocks blocks_of(Communicator& comm, const GivenBlocks& given, int members, const char* argument);

/// Blocks of different types; must live as long as its blocks are used.
class MixedBlocks {
 public:
  MixedBlocks() = default;
  MixedBlocks(Communicator& comm, const GivenMixed& given, int members, const char* argument);
  const Blocks& blocks() const { return blocks_; }
  const std::vector<const Datatype*>& types() const { return types_; }

 private:
  std::vector<const Datatype*> types_;
  Blocks blocks_;
};

/// The operation and the buffers of a reduction.
struct Reduction {
  Reduction(Communicator& comm, const GivenReduction& given, bool receives = true);
  const Op* op;
  const Datatype* type;
  Buffer own;     ///< Where this rank's data are.
  Buffer result;  ///< Null address where nothing is received.
};

}  // namespace heddle::mpi::collectives
