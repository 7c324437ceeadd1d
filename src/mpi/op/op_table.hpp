// The operations that a rank has made.
#pragma once

#include "mpi/datatypes.hpp"
#include "mpi/handle.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

class OpTable final : public Part, public HandleTable<OpRef, ObjectKind::operation> {
 public:
  explicit OpTable(Process& /*process*/) {}
};

// For calls: what a handle means. They throw Error.

const Op& operation(Process& process, int handle);
/// One that is defined on `type`.
const Op& operation(Process& process, int handle, const Datatype& type);

}  // namespace heddle::mpi
