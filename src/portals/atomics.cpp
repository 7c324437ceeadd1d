#include "portals/atomics.hpp"

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace heddle::portals {
namespace {

template <class T>
struct Type {
  using type = T;
};

/// Calls `f(Type<T>)` for the C++ type of `type`; false if there is none.
template <class F>
bool with_type(ptl_datatype_t type, F f) {
  switch (type) {
    case PTL_INT8_T:
      f(Type<std::int8_t>());
      return true;
    case PTL_UINT8_T:
      f(Type<std::uint8_t>());
      return true;
    case PTL_INT16_T:
      f(Type<std::int16_t>());
      return true;
    case PTL_UINT16_T:
      f(Type<std::uint16_t>());
      return true;
    case PTL_INT32_T:
      f(Type<std::int32_t>());
      return true;
    case PTL_UINT32_T:
      f(Type<std::uint32_t>());
      return true;
    case PTL_INT64_T:
      f(Type<std::int64_t>());
      return true;
    case PTL_UINT64_T:
      f(Type<std::uint64_t>());
      return true;
    case PTL_FLOAT:
      f(Type<float>());
      return true;
    case PTL_FLOAT_COMPLEX:
      f(Type<std::complex<float>>());
      return true;
    case PTL_DOUBLE:
      f(Type<double>());
      return true;
    case PTL_DOUBLE_COMPLEX:
      f(Type<std::complex<double>>());
      return true;
    case PTL_LONG_DOUBLE:
      f(Type<long double>());
      return true;
    case PTL_LONG_DOUBLE_COMPLEX:
      f(Type<std::complex<long double>>());
      return true;
  }
  return false;
}

enum class TypeClass { integer, real, complex, none };

TypeClass class_of(ptl_datatype_t type) {
  TypeClass result = TypeClass::none;
  with_type(type, [&](auto t) {
    using T = typename decltype(t)::type;
    result = std::is_integral_v<T>         ? TypeClass::integer
             : std::is_floating_point_v<T> ? TypeClass::real
                                           : TypeClass::complex;
  });
  return result;
}

/// (a + bi)(c + di), term by term: std::complex's product may call a library function that treats
/// infinities in its own way.
template <class T>
std::complex<T> product(std::complex<T> x, std::complex<T> y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
template <class T>
T product(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y));
  } else {
    return x * y;
  }
}

/// Integers wrap around.
template <class T>
T sum(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(x) + static_cast<std::uint64_t>(y));
  } else {
    return x + y;
  }
}
template <class T>
T difference(T x, T y) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(static_cast<std::uint64_t>(x) - static_cast<std::uint64_t>(y));
  } else {
    return x - y;
  }
}

template <class T>
T arithmetic(ptl_op_t op, T target, T source) {
  switch (op) {
    case PTL_SUM:
      return sum(target, source);
    case PTL_DIFF:
      return difference(target, source);
    case PTL_PROD:
      return product(target, source);
    default:
      return source;  // PTL_SWAP.
  }
}

template <class T>
T ordered(ptl_op_t op, T target, T source, T operand) {
  switch (op) {
    case PTL_MIN:
      return source < target ? source : target;
    case PTL_MAX:
      return target < source ? source : target;
    case PTL_CSWAP_LE:
      return operand <= target ? source : target;
    case PTL_CSWAP_LT:
      return operand < target ? source : target;
    case PTL_CSWAP_GE:
      return operand >= target ? source : target;
    case PTL_CSWAP_GT:
      return operand > target ? source : target;
    default:
      return arithmetic(op, target, source);
  }
}

template <class T>
T bitwise(ptl_op_t op, T target, T source, T operand) {
  switch (op) {
    case PTL_LOR:
      return target || source;
    case PTL_LAND:
      return target && source;
    case PTL_LXOR:
      return !target != !source;
    case PTL_BOR:
      return static_cast<T>(target | source);
    case PTL_BAND:
      return static_cast<T>(target & source);
    case PTL_BXOR:
      return static_cast<T>(target ^ source);
    case PTL_MSWAP:
      return static_cast<T>((source & operand) | (target & ~operand));
    default:
      return ordered(op, target, source, operand);
  }
}

template <class T>
T combined(ptl_op_t op, T target, T source, T operand) {
  if (op == PTL_CSWAP) return operand == target ? source : target;
  if (op == PTL_CSWAP_NE) return operand != target ? source : target;
  if constexpr (std::is_integral_v<T>) {
    return bitwise(op, target, source, operand);
  } else if constexpr (std::is_floating_point_v<T>) {
    return ordered(op, target, source, operand);
  } else {
    return arithmetic(op, target, source);
  }
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

/// Bytes of a value; behind them x86 has six in a long double that mean nothing.
template <class T>
constexpr std::size_t kValueBytes = sizeof(T);
template <>
constexpr std::size_t kValueBytes<long double> = std::numeric_limits<long double>::digits == 64
                                                     ? 10
                                                     : sizeof(long double);

/// Moves the value only: what means nothing in the target stays as it is.
template <class T>
void store(std::byte* to, const T& value) {
  std::memcpy(to, &value, kValueBytes<T>);
}
template <class Part>
void store(std::byte* to, const std::complex<Part>& value) {
  store(to, value.real());
  store(to + sizeof(Part), value.imag());
}

template <class T>
void apply_as(ptl_op_t op, std::byte* target, const std::byte* source, const std::byte* operand,
              std::size_t size) {
  const T value = has_operand(op) ? load<T>(operand) : T();
  for (std::size_t i = 0; i < size; i += sizeof(T)) {
    store(target + i, combined(op, load<T>(target + i), load<T>(source + i), value));
  }
}

}  // namespace

std::size_t element_size(ptl_datatype_t type) {
  std::size_t size = 0;
  with_type(type, [&](auto t) { size = sizeof(typename decltype(t)::type); });
  return size;
}

bool combines(ptl_op_t op, ptl_datatype_t type) {
  const TypeClass kind = class_of(type);
  switch (op) {
    case PTL_MIN:
    case PTL_MAX:
      return kind == TypeClass::integer || kind == TypeClass::real;
    case PTL_SUM:
    case PTL_DIFF:
    case PTL_PROD:
      return kind != TypeClass::none;
    case PTL_LOR:
    case PTL_LAND:
    case PTL_BOR:
    case PTL_BAND:
    case PTL_LXOR:
    case PTL_BXOR:
      return kind == TypeClass::integer;
    default:
      return false;
  }
}

bool swaps(ptl_op_t op, ptl_datatype_t type) {
  const TypeClass kind = class_of(type);
  switch (op) {
    case PTL_SWAP:
    case PTL_CSWAP:
    case PTL_CSWAP_NE:
      return kind != TypeClass::none;
    case PTL_CSWAP_LE:
    case PTL_CSWAP_LT:
    case PTL_CSWAP_GE:
    case PTL_CSWAP_GT:
      return kind == TypeClass::integer || kind == TypeClass::real;
    case PTL_MSWAP:
      return kind == TypeClass::integer;
    default:
      return false;
  }
}

bool has_operand(ptl_op_t op) {
  return op >= PTL_CSWAP && op <= PTL_MSWAP;
}

void apply(ptl_op_t op, ptl_datatype_t type, std::byte* target, const std::byte* source,
           const std::byte* operand, std::size_t size) {
  with_type(type, [&](auto t) {
    apply_as<typename decltype(t)::type>(op, target, source, operand, size);
  });
}

}  // namespace heddle::portals
