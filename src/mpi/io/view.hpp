// Views: which bytes of a file a process sees, and in which representation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/datatypes.hpp"

namespace heddle::mpi {

/// How data is written to files.
enum class Representation : std::uint8_t { native, external32, registered };

/// Why a type cannot be an etype or a filetype, as in "overlaps itself"; null if it can.
const char* file_type_problem(const Datatype& type, bool writes);

/// The bytes of `filetype`, again and again from `displacement` on. They are numbered from zero in
/// the order of the filetype; offsets count in etypes.
struct View {
  std::int64_t displacement = 0;
  DatatypeRef etype;
  DatatypeRef filetype;
  std::string name = "native";  ///< Of the representation.
  Representation representation = Representation::native;

  /// Bytes of an etype in the file.
  std::int64_t unit() const;
  /// The byte of the view that an offset in etypes means; throws MPI_ERR_ARG for one where `bytes`
  /// more would end beyond what can be computed with.
  std::int64_t byte_of(std::int64_t offset, std::int64_t bytes) const;
  /// Where byte `number` is in the file.
  std::int64_t place(std::int64_t number) const;
  /// How many bytes of the view lie before `place` in the file.
  std::int64_t bytes_before(std::int64_t place) const;

  /// Calls `visit(place, length)` for the stretches of the file that hold the bytes from `begin` to
  /// `end` (not included), as long as it answers true.
  template <class Visit>
  void for_stretches(std::int64_t begin, std::int64_t end, Visit visit) const {
    if (begin >= end) return;
    const std::int64_t size = filetype->size();
    if (filetype->gapless()) {
      visit(displacement + filetype->true_bounds().lower + begin, end - begin);
      return;
    }
    bool going = true;
    auto runs_of = [&](const Runs& runs) {
      for (std::int64_t i = 0; i < runs.count && going; ++i) {
        going = visit(displacement + runs.offset + i * runs.stride, runs.length);
      }
    };
    LayoutWalk<decltype(runs_of)>(filetype->layout(), runs_of)
        .repeated((end + size - 1) / size, filetype->extent(), begin, end);
  }
};

}  // namespace heddle::mpi
