// The types of elements that calls are for.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace heddle::shmem {

/// How the bytes of an element are to be read.
enum class Number : std::uint8_t { signed_integer, unsigned_integer, real, complex, none };

struct Type {
  std::uint8_t size = 0;  ///< Bytes.
  Number number = Number::none;
  bool operator==(const Type&) const = default;
};

/// Bytes of so many elements; more than any memory has, if that is no number.
inline std::size_t bytes_of(std::size_t elements, std::size_t size) {
  std::size_t bytes = 0;
  return __builtin_mul_overflow(elements, size, &bytes) ? SIZE_MAX : bytes;
}

template <class T>
constexpr Number number_of() {
  if (std::is_floating_point_v<T>) return Number::real;
  if (std::is_integral_v<T>) {
    return std::is_signed_v<T> ? Number::signed_integer : Number::unsigned_integer;
  }
  // What is left is C's complex numbers, and records that stand for so many bytes.
  return std::is_class_v<T> ? Number::none : Number::complex;
}

template <class T>
constexpr Type type_of() {
  return {static_cast<std::uint8_t>(sizeof(T)), number_of<T>()};
}

}  // namespace heddle::shmem
