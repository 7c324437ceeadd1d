#include "coll/datatype/basic.hpp"

#include <mpi.h>

#include <array>

namespace heddle::coll {
namespace {

constexpr auto kBasics = std::to_array<Basic>({
    {MPI_CHAR, "MPI_CHAR", 1, Kind::character, Number::i8, 1, 1, false},
    {MPI_UNSIGNED_CHAR, "MPI_UNSIGNED_CHAR", 1, Kind::c_integer, Number::u8, 1, 1, false},
    {MPI_SHORT, "MPI_SHORT", 2, Kind::c_integer, Number::i16, 1, 2, false},
    {MPI_UNSIGNED_SHORT, "MPI_UNSIGNED_SHORT", 2, Kind::c_integer, Number::u16, 1, 2, false},
    {MPI_INT, "MPI_INT", 4, Kind::c_integer, Number::i32, 1, 4, false},
    {MPI_UNSIGNED, "MPI_UNSIGNED", 4, Kind::c_integer, Number::u32, 1, 4, false},
    {MPI_LONG, "MPI_LONG", 8, Kind::c_integer, Number::i64, 1, 4, false},
    {MPI_UNSIGNED_LONG, "MPI_UNSIGNED_LONG", 8, Kind::c_integer, Number::u64, 1, 4, false},
    {MPI_LONG_LONG_INT, "MPI_LONG_LONG_INT", 8, Kind::c_integer, Number::i64, 1, 8, false},
    {MPI_FLOAT, "MPI_FLOAT", 4, Kind::real, Number::f32, 1, 4, false},
    {MPI_DOUBLE, "MPI_DOUBLE", 8, Kind::real, Number::f64, 1, 8, false},
    {MPI_LONG_DOUBLE, "MPI_LONG_DOUBLE", 16, Kind::real, kLongDouble, 1, 16, false},
    {MPI_BYTE, "MPI_BYTE", 1, Kind::byte, Number::u8, 1, 1, false},
    {MPI_WCHAR, "MPI_WCHAR", 4, Kind::wide_character, Number::i32, 1, 2, false},
    {MPI_PACKED, "MPI_PACKED", 1, Kind::packed, Number::u8, 1, 1, false},
    {MPI_LB, "MPI_LB", 0, Kind::marker, Number::none, 0, 0, false},
    {MPI_UB, "MPI_UB", 0, Kind::marker, Number::none, 0, 0, false},
    {MPI_2INT, "MPI_2INT", 8, Kind::c_integer, Number::i32, 2, 8, true},
    {MPI_SIGNED_CHAR, "MPI_SIGNED_CHAR", 1, Kind::c_integer, Number::i8, 1, 1, false},
    {MPI_UNSIGNED_LONG_LONG, "MPI_UNSIGNED_LONG_LONG", 8, Kind::c_integer, Number::u64, 1, 8,
     false},
    {MPI_CHARACTER, "MPI_CHARACTER", 1, Kind::character, Number::i8, 1, 1, false},
    {MPI_INTEGER, "MPI_INTEGER", 4, Kind::fortran_integer, Number::i32, 1, 4, false},
    {MPI_REAL, "MPI_REAL", 4, Kind::real, Number::f32, 1, 4, false},
    {MPI_LOGICAL, "MPI_LOGICAL", 4, Kind::fortran_logical, Number::i32, 1, 4, false},
    {MPI_COMPLEX, "MPI_COMPLEX", 8, Kind::complex, Number::f32, 2, 8, false},
    {MPI_DOUBLE_PRECISION, "MPI_DOUBLE_PRECISION", 8, Kind::real, Number::f64, 1, 8, false},
    {MPI_2INTEGER, "MPI_2INTEGER", 8, Kind::fortran_integer, Number::i32, 2, 8, true},
    {MPI_2REAL, "MPI_2REAL", 8, Kind::real, Number::f32, 2, 8, true},
    {MPI_DOUBLE_COMPLEX, "MPI_DOUBLE_COMPLEX", 16, Kind::complex, Number::f64, 2, 16, false},
    {MPI_2DOUBLE_PRECISION, "MPI_2DOUBLE_PRECISION", 16, Kind::real, Number::f64, 2, 16, true},
    {MPI_REAL4, "MPI_REAL4", 4, Kind::real, Number::f32, 1, 4, false},
    {MPI_COMPLEX8, "MPI_COMPLEX8", 8, Kind::complex, Number::f32, 2, 8, false},
    {MPI_REAL8, "MPI_REAL8", 8, Kind::real, Number::f64, 1, 8, false},
    {MPI_COMPLEX16, "MPI_COMPLEX16", 16, Kind::complex, Number::f64, 2, 16, false},
    {MPI_REAL16, "MPI_REAL16", 16, Kind::real, Number::f128, 1, 16, false},
    {MPI_COMPLEX32, "MPI_COMPLEX32", 32, Kind::complex, Number::f128, 2, 32, false},
    {MPI_INTEGER1, "MPI_INTEGER1", 1, Kind::fortran_integer, Number::i8, 1, 1, false},
    {MPI_INTEGER2, "MPI_INTEGER2", 2, Kind::fortran_integer, Number::i16, 1, 2, false},
    {MPI_INTEGER4, "MPI_INTEGER4", 4, Kind::fortran_integer, Number::i32, 1, 4, false},
    {MPI_INTEGER8, "MPI_INTEGER8", 8, Kind::fortran_integer, Number::i64, 1, 8, false},
    {MPI_CXX_BOOL, "MPI_CXX_BOOL", 1, Kind::c_logical, Number::u8, 1, 1, false},
    {MPI_CXX_FLOAT_COMPLEX, "MPI_CXX_FLOAT_COMPLEX", 8, Kind::complex, Number::f32, 2, 8, false},
    {MPI_CXX_DOUBLE_COMPLEX, "MPI_CXX_DOUBLE_COMPLEX", 16, Kind::complex, Number::f64, 2, 16,
     false},
    {MPI_CXX_LONG_DOUBLE_COMPLEX, "MPI_CXX_LONG_DOUBLE_COMPLEX", 32, Kind::complex, kLongDouble, 2,
     32, false},
    {MPI_INT8_T, "MPI_INT8_T", 1, Kind::c_integer, Number::i8, 1, 1, false},
    {MPI_INT16_T, "MPI_INT16_T", 2, Kind::c_integer, Number::i16, 1, 2, false},
    {MPI_INT32_T, "MPI_INT32_T", 4, Kind::c_integer, Number::i32, 1, 4, false},
    {MPI_INT64_T, "MPI_INT64_T", 8, Kind::c_integer, Number::i64, 1, 8, false},
    {MPI_UINT8_T, "MPI_UINT8_T", 1, Kind::c_integer, Number::u8, 1, 1, false},
    {MPI_UINT16_T, "MPI_UINT16_T", 2, Kind::c_integer, Number::u16, 1, 2, false},
    {MPI_UINT32_T, "MPI_UINT32_T", 4, Kind::c_integer, Number::u32, 1, 4, false},
    {MPI_UINT64_T, "MPI_UINT64_T", 8, Kind::c_integer, Number::u64, 1, 8, false},
    {MPI_C_BOOL, "MPI_C_BOOL", 1, Kind::c_logical, Number::u8, 1, 1, false},
    {MPI_C_FLOAT_COMPLEX, "MPI_C_COMPLEX", 8, Kind::complex, Number::f32, 2, 8, false},
    {MPI_C_DOUBLE_COMPLEX, "MPI_C_DOUBLE_COMPLEX", 16, Kind::complex, Number::f64, 2, 16, false},
    {MPI_C_LONG_DOUBLE_COMPLEX, "MPI_C_LONG_DOUBLE_COMPLEX", 32, Kind::complex, kLongDouble, 2, 32,
     false},
    {MPI_AINT, "MPI_AINT", 8, Kind::address, Number::i64, 1, 8, false},
    {MPI_OFFSET, "MPI_OFFSET", 8, Kind::address, Number::i64, 1, 8, false},
    {MPI_COUNT, "MPI_COUNT", 8, Kind::address, Number::i64, 1, 8, false},
});

constexpr std::size_t kIndices = 0x47;
/// The last byte of a handle is an index of its own.
constexpr auto kByIndex = [] {
  std::array<std::uint8_t, kIndices> places{};
  for (std::size_t i = 0; i < kBasics.size(); ++i) {
    places[static_cast<std::size_t>(kBasics[i].handle & 0xff)] = static_cast<std::uint8_t>(i + 1);
  }
  return places;
}();

}  // namespace

std::span<const Basic> basics() {
  return kBasics;
}

const Basic* find_basic(int handle) {
  const auto index = static_cast<std::size_t>(handle & 0xff);
  const std::size_t place = index < kIndices ? kByIndex[index] : 0;
  if (place == 0 || kBasics[place - 1].handle != handle) return nullptr;
  return &kBasics[place - 1];
}

const Basic& byte_basic() {
  return *find_basic(MPI_BYTE);
}

}  // namespace heddle::coll
