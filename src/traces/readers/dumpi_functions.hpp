// The functions that DUMPI records, and what stands in the record of each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace heddle::traces {

/// Arguments in the order in which they are written, big-endian, one letter each:
///   of 4 bytes:  n count          N receive count     d destination      s source
///                g tag            G receive tag       r root             q request
///                f flag           i index             o how many         a own rank
///                C colour         K key               z nodes            e of no interest
///   of 2 bytes:  t datatype       T receive datatype  c communicator     m new communicator
///                u, w group       U new group         h of no interest
///   of 1 byte:   b                of 8 bytes: l
///   lists behind their length, of numbers of 4 bytes:
///                v counts         V receive counts    Q requests         I indices
///                R ranks          D dimensions        x of no interest   X of such lists
///                & what was one number before version 0.6.8,             ! the same, 0.6.9
///   of 2 bytes:  y datatypes      Y receive datatypes j of no interest   of 1 byte: B
///   texts behind their length: $, lists of them @, lists of those #; % arguments of a program
///   S statuses   ( ) what only the root has           ? it is not known how
struct DumpiFunction {
  std::string_view name;  ///< Without MPI_; those of MPIO_ begin with IO_.
  std::string_view layout;
};

/// By their numbers in files.
std::span<const DumpiFunction> dumpi_functions();
/// "MPI_Send", "MPIO_Test".
std::optional<std::uint32_t> find_dumpi_function(std::string_view name);

}  // namespace heddle::traces
