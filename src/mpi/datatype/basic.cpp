#include "mpi/datatype/basic.hpp"

#include <array>

namespace heddle::mpi {
namespace {

constexpr auto kBasics = std::to_array<Basic>({
    {0x4c000101, "MPI_CHAR", 1, Kind::character, Number::i8, 1, 1, false},
    {0x4c000102, "MPI_UNSIGNED_CHAR", 1, Kind::c_integer, Number::u8, 1, 1, false},
    {0x4c000203, "MPI_SHORT", 2, Kind::c_integer, Number::i16, 1, 2, false},
    {0x4c000204, "MPI_UNSIGNED_SHORT", 2, Kind::c_integer, Number::u16, 1, 2, false},
    {0x4c000405, "MPI_INT", 4, Kind::c_integer, Number::i32, 1, 4, false},
    {0x4c000406, "MPI_UNSIGNED", 4, Kind::c_integer, Number::u32, 1, 4, false},
    {0x4c000807, "MPI_LONG", 8, Kind::c_integer, Number::i64, 1, 4, false},
    {0x4c000808, "MPI_UNSIGNED_LONG", 8, Kind::c_integer, Number::u64, 1, 4, false},
    {0x4c000809, "MPI_LONG_LONG_INT", 8, Kind::c_integer, Number::i64, 1, 8, false},
    {0x4c00040a, "MPI_FLOAT", 4, Kind::real, Number::f32, 1, 4, false},
    {0x4c00080b, "MPI_DOUBLE", 8, Kind::real, Number::f64, 1, 8, false},
    {0x4c00100c, "MPI_LONG_DOUBLE", 16, Kind::real, Number::f80, 1, 16, false},
    {0x4c00010d, "MPI_BYTE", 1, Kind::byte, Number::u8, 1, 1, false},
    {0x4c00040e, "MPI_WCHAR", 4, Kind::wide_character, Number::i32, 1, 2, false},
    {0x4c00010f, "MPI_PACKED", 1, Kind::packed, Number::u8, 1, 1, false},
    {0x4c000010, "MPI_LB", 0, Kind::marker, Number::none, 0, 0, false},
    {0x4c000011, "MPI_UB", 0, Kind::marker, Number::none, 0, 0, false},
    {0x4c000816, "MPI_2INT", 8, Kind::c_integer, Number::i32, 2, 8, true},
    {0x4c000118, "MPI_SIGNED_CHAR", 1, Kind::c_integer, Number::i8, 1, 1, false},
    {0x4c000819, "MPI_UNSIGNED_LONG_LONG", 8, Kind::c_integer, Number::u64, 1, 8, false},
    {0x4c00011a, "MPI_CHARACTER", 1, Kind::character, Number::i8, 1, 1, false},
    {0x4c00041b, "MPI_INTEGER", 4, Kind::fortran_integer, Number::i32, 1, 4, false},
    {0x4c00041c, "MPI_REAL", 4, Kind::real, Number::f32, 1, 4, false},
    {0x4c00041d, "MPI_LOGICAL", 4, Kind::fortran_logical, Number::i32, 1, 4, false},
    {0x4c00081e, "MPI_COMPLEX", 8, Kind::complex, Number::f32, 2, 8, false},
    {0x4c00081f, "MPI_DOUBLE_PRECISION", 8, Kind::real, Number::f64, 1, 8, false},
    {0x4c000820, "MPI_2INTEGER", 8, Kind::fortran_integer, Number::i32, 2, 8, true},
    {0x4c000821, "MPI_2REAL", 8, Kind::real, Number::f32, 2, 8, true},
    {0x4c001022, "MPI_DOUBLE_COMPLEX", 16, Kind::complex, Number::f64, 2, 16, false},
    {0x4c001023, "MPI_2DOUBLE_PRECISION", 16, Kind::real, Number::f64, 2, 16, true},
    {0x4c000427, "MPI_REAL4", 4, Kind::real, Number::f32, 1, 4, false},
    {0x4c000828, "MPI_COMPLEX8", 8, Kind::complex, Number::f32, 2, 8, false},
    {0x4c000829, "MPI_REAL8", 8, Kind::real, Number::f64, 1, 8, false},
    {0x4c00102a, "MPI_COMPLEX16", 16, Kind::complex, Number::f64, 2, 16, false},
    {0x4c00102b, "MPI_REAL16", 16, Kind::real, Number::f128, 1, 16, false},
    {0x4c00202c, "MPI_COMPLEX32", 32, Kind::complex, Number::f128, 2, 32, false},
    {0x4c00012d, "MPI_INTEGER1", 1, Kind::fortran_integer, Number::i8, 1, 1, false},
    {0x4c00022f, "MPI_INTEGER2", 2, Kind::fortran_integer, Number::i16, 1, 2, false},
    {0x4c000430, "MPI_INTEGER4", 4, Kind::fortran_integer, Number::i32, 1, 4, false},
    {0x4c000831, "MPI_INTEGER8", 8, Kind::fortran_integer, Number::i64, 1, 8, false},
    {0x4c000133, "MPI_CXX_BOOL", 1, Kind::c_logical, Number::u8, 1, 4, false},
    {0x4c000834, "MPI_CXX_FLOAT_COMPLEX", 8, Kind::complex, Number::f32, 2, 8, false},
    {0x4c001035, "MPI_CXX_DOUBLE_COMPLEX", 16, Kind::complex, Number::f64, 2, 16, false},
    {0x4c002036, "MPI_CXX_LONG_DOUBLE_COMPLEX", 32, Kind::complex, Number::f80, 2, 32, false},
    {0x4c000137, "MPI_INT8_T", 1, Kind::c_integer, Number::i8, 1, 1, false},
    {0x4c000238, "MPI_INT16_T", 2, Kind::c_integer, Number::i16, 1, 2, false},
    {0x4c000439, "MPI_INT32_T", 4, Kind::c_integer, Number::i32, 1, 4, false},
    {0x4c00083a, "MPI_INT64_T", 8, Kind::c_integer, Number::i64, 1, 8, false},
    {0x4c00013b, "MPI_UINT8_T", 1, Kind::c_integer, Number::u8, 1, 1, false},
    {0x4c00023c, "MPI_UINT16_T", 2, Kind::c_integer, Number::u16, 1, 2, false},
    {0x4c00043d, "MPI_UINT32_T", 4, Kind::c_integer, Number::u32, 1, 4, false},
    {0x4c00083e, "MPI_UINT64_T", 8, Kind::c_integer, Number::u64, 1, 8, false},
    {0x4c00013f, "MPI_C_BOOL", 1, Kind::c_logical, Number::u8, 1, 4, false},
    {0x4c000840, "MPI_C_FLOAT_COMPLEX", 8, Kind::complex, Number::f32, 2, 8, false},
    {0x4c001041, "MPI_C_DOUBLE_COMPLEX", 16, Kind::complex, Number::f64, 2, 16, false},
    {0x4c002042, "MPI_C_LONG_DOUBLE_COMPLEX", 32, Kind::complex, Number::f80, 2, 32, false},
    {0x4c000843, "MPI_AINT", 8, Kind::address, Number::i64, 1, 8, false},
    {0x4c000844, "MPI_OFFSET", 8, Kind::address, Number::i64, 1, 8, false},
    {0x4c000845, "MPI_COUNT", 8, Kind::address, Number::i64, 1, 8, false},
    {0x4c000246, "MPIX_C_FLOAT16", 2, Kind::real, Number::f16, 1, 2, false},
});

constexpr std::size_t kIndices = 0x47;
/// The last byte of a handle is an index of its own.
constexpr auto kByIndex = [] {
  std::array<std::uint8_t, kIndices> places{};
  for (std::size_t i = 0; i < kBasics.size(); ++i) {
    places[kBasics[i].handle & 0xff] = static_cast<std::uint8_t>(i + 1);
  }
  return places;
}();

}  // namespace

std::span<const Basic> basics() {
  return kBasics;
}

const Basic* find_basic(std::uint32_t handle) {
  const std::uint32_t index = handle & 0xff;
  const std::size_t place = index < kIndices ? kByIndex[index] : 0;
  if (place == 0 || kBasics[place - 1].handle != handle) return nullptr;
  return &kBasics[place - 1];
}

const Basic& byte_basic() {
  return *find_basic(0x4c00010d);
}

}  // namespace heddle::mpi
