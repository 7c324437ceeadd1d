// The types that datatypes are made of, as the handles of the MPICH ABI name them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace heddle::coll {

/// What a basic type means to operations and to data representations.
enum class Kind : std::uint8_t {
  marker,  ///< MPI_LB, MPI_UB: a place without bytes.
  byte,
  packed,
  character,
  wide_character,
  c_integer,
  fortran_integer,
  address,  ///< MPI_AINT, MPI_OFFSET, MPI_COUNT.
  real,
  complex,
  c_logical,
  fortran_logical,
};

/// How the bytes of a basic type are to be read.
enum class Number : std::uint8_t {
  none,
  i8,
  i16,
  i32,
  i64,
  u8,
  u16,
  u32,
  u64,
  f32,
  f64,
  f80,  ///< The x87 format in 16 bytes.
  f128,
};

/// What C's long double is, and the type of numbers in Number::f128.
#if __LDBL_MANT_DIG__ == 113
inline constexpr Number kLongDouble = Number::f128;
using Quad = long double;
#else
inline constexpr Number kLongDouble = Number::f80;
using Quad = __float128;
#endif

/// A basic type: one number, or for complex and Fortran's pairs two equal ones side by side.
struct Basic {
  int handle;
  std::string_view name;
  std::uint8_t size;  ///< Bytes in memory.
  Kind kind;
  Number number;
  std::uint8_t numbers;        ///< How many of them.
  std::uint8_t external_size;  ///< Bytes in external32.
  bool pair;                   ///< Value and index, for MPI_MINLOC and MPI_MAXLOC.
};

/// All of them.
std::span<const Basic> basics();
/// The one with this handle, or null.
const Basic* find_basic(int handle);
/// MPI_BYTE.
const Basic& byte_basic();

}  // namespace heddle::coll
