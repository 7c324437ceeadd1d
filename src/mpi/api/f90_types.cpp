// Calls that choose datatypes by their range, as Fortran 90 does, or by their size.
#include <array>
#include <string>

#include "mpi/api/call.hpp"
#include "mpi/datatype/type_table.hpp"
#include "mpi/datatypes.hpp"

namespace heddle::mpi::f90_calls {
namespace {

struct IntegerKind {
  int range;  ///< Decimal digits.
  MPI_Datatype type;
};
constexpr auto kIntegers = std::to_array<IntegerKind>(
    {{2, MPI_INTEGER1}, {4, MPI_INTEGER2}, {9, MPI_INTEGER4}, {18, MPI_INTEGER8}});

struct RealKind {
  int precision;
  int range;
  MPI_Datatype real;
  MPI_Datatype complex;
};
constexpr auto kReals =
    std::to_array<RealKind>({{6, 37, MPI_REAL, MPI_COMPLEX},
                             {15, 307, MPI_DOUBLE_PRECISION, MPI_DOUBLE_COMPLEX},
                             {33, 4931, MPI_REAL16, MPI_COMPLEX32}});

/// The same type for the same arguments, always.
MPI_Datatype f90_type(Process& process, int combiner, const std::vector<int>& arguments,
                      MPI_Datatype like) {
  auto& table = process.part<TypeTable>();
  if (const Datatype* known = table.find_f90(combiner, arguments)) return known->handle();
  const DatatypeRef made = make_f90(combiner, arguments, datatype(process, like));
  const MPI_Datatype handle = table.add(made);
  table.commit(*made);
  table.remember_f90(*made);
  return handle;
}

const RealKind& real_kind(int precision, int range) {
  if (precision == MPI_UNDEFINED && range == MPI_UNDEFINED) {
    bad_argument(MPI_ERR_ARG, "p", "and r cannot both be MPI_UNDEFINED");
  }
  for (const RealKind& kind : kReals) {
    const bool precise = precision == MPI_UNDEFINED || precision <= kind.precision;
    const bool wide = range == MPI_UNDEFINED || range <= kind.range;
    if (precise && wide) return kind;
  }
  bad_argument(MPI_ERR_ARG, precision > kReals.back().precision ? "p" : "r",
               "precision " + std::to_string(precision) + ", range " + std::to_string(range) +
                   ": accepted are up to 33 and 4931");
}

MPI_Datatype integer_type(int range) {
  for (const IntegerKind& kind : kIntegers) {
    if (range <= kind.range) return kind.type;
  }
  bad_argument(MPI_ERR_ARG, "r", std::to_string(range) + ": accepted are up to 18");
}

/// The types of a class, the smallest first.
std::span<const MPI_Datatype> types_of_class(int type_class) {
  static constexpr std::array kRealTypes = {MPI_REAL4, MPI_REAL8, MPI_REAL16};
  static constexpr std::array kIntegerTypes = {MPI_INTEGER1, MPI_INTEGER2, MPI_INTEGER4,
                                               MPI_INTEGER8};
  static constexpr std::array kComplexTypes = {MPI_COMPLEX8, MPI_COMPLEX16, MPI_COMPLEX32};
  switch (type_class) {
    case MPI_TYPECLASS_REAL:
      return kRealTypes;
    case MPI_TYPECLASS_INTEGER:
      return kIntegerTypes;
    case MPI_TYPECLASS_COMPLEX:
      return kComplexTypes;
    default:
      bad_argument(MPI_ERR_ARG, "typeclass",
                   std::to_string(type_class) +
                       ": accepted are MPI_TYPECLASS_REAL, MPI_TYPECLASS_INTEGER and "
                       "MPI_TYPECLASS_COMPLEX");
  }
}

MPI_Datatype type_of_size(int type_class, int size) {
  std::string sizes;
  for (const MPI_Datatype handle : types_of_class(type_class)) {
    const std::int64_t has = Datatype::predefined(handle)->size();
    if (has == size) return handle;
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(has);
  }
  bad_argument(MPI_ERR_ARG, "size",
               std::to_string(size) + ": accepted for this class are " + sizes);
}

}  // namespace
}  // namespace heddle::mpi::f90_calls

namespace mpi = heddle::mpi;

extern "C" {

int PMPI_Type_create_f90_integer(int r, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_f90_integer", [&](mpi::Process& process) {
    mpi::need(newtype, "newtype");
    *newtype = mpi::f90_calls::f90_type(process, MPI_COMBINER_F90_INTEGER, {r},
                                        mpi::f90_calls::integer_type(r));
  });
}
int PMPI_Type_create_f90_real(int p, int r, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_f90_real", [&](mpi::Process& process) {
    mpi::need(newtype, "newtype");
    *newtype = mpi::f90_calls::f90_type(process, MPI_COMBINER_F90_REAL, {p, r},
                                        mpi::f90_calls::real_kind(p, r).real);
  });
}
int PMPI_Type_create_f90_complex(int p, int r, MPI_Datatype* newtype) {
  return mpi::call("MPI_Type_create_f90_complex", [&](mpi::Process& process) {
    mpi::need(newtype, "newtype");
    *newtype = mpi::f90_calls::f90_type(process, MPI_COMBINER_F90_COMPLEX, {p, r},
                                        mpi::f90_calls::real_kind(p, r).complex);
  });
}
int PMPI_Type_match_size(int typeclass, int size, MPI_Datatype* type) {
  return mpi::call("MPI_Type_match_size", [&](mpi::Process& /*process*/) {
    mpi::need(type, "type");
    *type = mpi::f90_calls::type_of_size(typeclass, size);
  });
}

}  // extern "C"
