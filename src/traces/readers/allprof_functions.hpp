// What the arguments of MPI functions mean in a liballprof trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "traces/trace.hpp"

namespace heddle::traces {

/// Arguments in the order of the prototype, one letter each:
///   b send buffer        B receive buffer
///   n count              N receive count
///   t datatype           T receive datatype
///   v send counts        V receive counts      x displacements (address, then the numbers)
///   d destination        s source              r root
///   g tag                G receive tag         c communicator
///   q request(s)         k number of requests  o operation
///   C colour             K key                 m message that a probe has found
///   p pointer or number that does not matter   * any number of them
struct AllprofFunction {
  std::string_view name;  ///< In lower case, without "mpi_".
  CallKind kind;
  std::string_view arguments;
  enum Mode : std::uint8_t { plain, nonblocking, persistent, synchronous, nonblocking_synchronous };
  Mode mode = plain;
};

/// The function called `name` (any case, Fortran's underscores, NBC_ for MPI_), if a schedule cares
/// for it.
const AllprofFunction* find_function(std::string_view name);
/// Whether the function is known to send nothing to other ranks and to wait for none.
bool is_local_function(std::string_view plain_name);
/// "MPI_Send", "mpi_send_", "NBC_Ibcast" -> "send", "ibcast"; empty for what is no MPI function.
std::string plain_name(std::string_view name);

}  // namespace heddle::traces
