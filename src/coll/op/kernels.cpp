#include "coll/op/kernels.hpp"

#include <mpi.h>

#include <cstring>
#include <type_traits>

namespace heddle::coll {
namespace {

/// A value wherever it lies: windows and packed structures need not be aligned.
template <class T>
struct __attribute__((packed, may_alias)) Loose {
  T value;
};

template <class T, class Combine>
void combine_all(const void* in, void* inout, std::int64_t count) {
  const auto* __restrict from = static_cast<const Loose<T>*>(in);
  auto* __restrict to = static_cast<Loose<T>*>(inout);
  for (std::int64_t i = 0; i < count; ++i) to[i].value = Combine{}(from[i].value, to[i].value);
}

struct Max {
  template <class T>
  T operator()(T a, T b) const {
    return a > b ? a : b;
  }
};
struct Min {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? a : b;
  }
};
struct Sum {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {  // Which wraps.
      using U = std::make_unsigned_t<T>;
      return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
    } else {
      return a + b;
    }
  }
};
struct Prod {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>) {
      return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
    } else {
      return a * b;
    }
  }
};
struct LogicalAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<int>(a != T{}) & static_cast<int>(b != T{}));
  }
};
struct LogicalOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<int>(a != T{}) | static_cast<int>(b != T{}));
  }
};
struct LogicalXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(static_cast<int>(a != T{}) ^ static_cast<int>(b != T{}));
  }
};
struct BitAnd {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct BitOr {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct BitXor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

/// Sums of complex numbers are sums of their parts.
template <class T>
void sum_complex(const void* in, void* inout, std::int64_t count) {
  combine_all<T, Sum>(in, inout, 2 * count);
}
template <class T>
void multiply_complex(const void* in, void* inout, std::int64_t count) {
  const auto* __restrict from = static_cast<const Loose<T>*>(in);
  auto* __restrict to = static_cast<Loose<T>*>(inout);
  for (std::int64_t i = 0; i < 2 * count; i += 2) {
    const T real = from[i].value * to[i].value - from[i + 1].value * to[i + 1].value;
    to[i + 1].value = from[i].value * to[i + 1].value + from[i + 1].value * to[i].value;
    to[i].value = real;
  }
}

/// A value and an index, as C and Fortran lay them out.
template <class Value, class Index>
struct Located {
  Value value;
  Index index;
};
/// Of equal values the lower index counts. `Better(a, b)`: a is nearer to what is sought.
template <class Pair, class Better>
void locate(const void* in, void* inout, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    const auto offset = static_cast<std::size_t>(i) * sizeof(Pair);
    Pair from;
    Pair to;
    std::memcpy(&from, static_cast<const char*>(in) + offset, sizeof from);
    std::memcpy(&to, static_cast<char*>(inout) + offset, sizeof to);
    if (Better{}(from.value, to.value)) {
      to = from;
    } else if (from.value == to.value && from.index < to.index) {
      to.index = from.index;
    } else {
      continue;
    }
    // Not the gaps, which are the program's.
    std::memcpy(static_cast<char*>(inout) + offset, &to.value, sizeof to.value);
    std::memcpy(static_cast<char*>(inout) + offset + offsetof(Pair, index), &to.index,
                sizeof to.index);
  }
}
struct Less {
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};
struct Greater {
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};
template <class Better>
Kernel* find_locator(const Datatype& type) {
  switch (type.handle()) {
    case MPI_FLOAT_INT:
      return locate<Located<float, int>, Better>;
    case MPI_DOUBLE_INT:
      return locate<Located<double, int>, Better>;
    case MPI_LONG_INT:
      return locate<Located<long, int>, Better>;
    case MPI_SHORT_INT:
      return locate<Located<short, int>, Better>;
    case MPI_LONG_DOUBLE_INT:
      return locate<Located<long double, int>, Better>;
    case MPI_2INT:
    case MPI_2INTEGER:
      return locate<Located<int, int>, Better>;
    case MPI_2REAL:
      return locate<Located<float, float>, Better>;
    case MPI_2DOUBLE_PRECISION:
      return locate<Located<double, double>, Better>;
    default:
      return nullptr;
  }
}

template <class Combine>
Kernel* on_integers(Number number) {
  switch (number) {
    case Number::i8:
      return combine_all<std::int8_t, Combine>;
    case Number::i16:
      return combine_all<std::int16_t, Combine>;
    case Number::i32:
      return combine_all<std::int32_t, Combine>;
    case Number::i64:
      return combine_all<std::int64_t, Combine>;
    case Number::u8:
      return combine_all<std::uint8_t, Combine>;
    case Number::u16:
      return combine_all<std::uint16_t, Combine>;
    case Number::u32:
      return combine_all<std::uint32_t, Combine>;
    case Number::u64:
      return combine_all<std::uint64_t, Combine>;
    default:
      return nullptr;
  }
}
template <class Combine>
Kernel* on_numbers(Number number) {
  switch (number) {
    case Number::f32:
      return combine_all<float, Combine>;
    case Number::f64:
      return combine_all<double, Combine>;
    case Number::f80:
      return combine_all<long double, Combine>;
    case Number::f128:
      return combine_all<Quad, Combine>;
    default:
      return on_integers<Combine>(number);
  }
}
Kernel* find_complex_sum(Number number) {
  switch (number) {
    case Number::f32:
      return sum_complex<float>;
    case Number::f64:
      return sum_complex<double>;
    case Number::f80:
      return sum_complex<long double>;
    default:
      return sum_complex<Quad>;
  }
}
Kernel* find_complex_product(Number number) {
  switch (number) {
    case Number::f32:
      return multiply_complex<float>;
    case Number::f64:
      return multiply_complex<double>;
    case Number::f80:
      return multiply_complex<long double>;
    default:
      return multiply_complex<Quad>;
  }
}

bool is_integer(Kind kind) {
  return kind == Kind::c_integer || kind == Kind::fortran_integer || kind == Kind::address ||
         kind == Kind::character;
}
bool is_ordered(Kind kind) {
  return is_integer(kind) || kind == Kind::real;
}
bool is_logical(Kind kind) {
  return is_ordered(kind) || kind == Kind::c_logical || kind == Kind::fortran_logical;
}
bool has_bits(Kind kind) {
  return is_integer(kind) || kind == Kind::byte;
}

Kernel* find_arithmetic(Operation operation, const Basic& basic) {
  const Kind kind = basic.kind;
  if (kind == Kind::complex) {
    if (operation == Operation::sum) return find_complex_sum(basic.number);
    return operation == Operation::prod ? find_complex_product(basic.number) : nullptr;
  }
  if (!is_ordered(kind)) return nullptr;
  switch (operation) {
    case Operation::max:
      return on_numbers<Max>(basic.number);
    case Operation::min:
      return on_numbers<Min>(basic.number);
    case Operation::sum:
      return on_numbers<Sum>(basic.number);
    default:
      return on_numbers<Prod>(basic.number);
  }
}
Kernel* find_logical(Operation operation, const Basic& basic) {
  if (!is_logical(basic.kind)) return nullptr;
  switch (operation) {
    case Operation::land:
      return on_numbers<LogicalAnd>(basic.number);
    case Operation::lor:
      return on_numbers<LogicalOr>(basic.number);
    default:
      return on_numbers<LogicalXor>(basic.number);
  }
}
Kernel* find_bitwise(Operation operation, const Basic& basic) {
  if (!has_bits(basic.kind)) return nullptr;
  switch (operation) {
    case Operation::band:
      return on_integers<BitAnd>(basic.number);
    case Operation::bor:
      return on_integers<BitOr>(basic.number);
    default:
      return on_integers<BitXor>(basic.number);
  }
}

void keep(const void* /*in*/, void* /*inout*/, std::int64_t /*count*/) {}
template <std::size_t Extent>
void replace(const void* in, void* inout, std::int64_t count) {
  std::memmove(inout, in, Extent * static_cast<std::size_t>(count));
}
Kernel* find_replacement(std::int64_t extent) {
  switch (extent) {
    case 1:
      return replace<1>;
    case 2:
      return replace<2>;
    case 4:
      return replace<4>;
    case 8:
      return replace<8>;
    case 16:
      return replace<16>;
    case 32:
      return replace<32>;
    default:
      return nullptr;
  }
}

}  // namespace

Kernel* find_kernel(Operation operation, const Datatype& type) {
  switch (operation) {
    case Operation::minloc:
      return find_locator<Less>(type);
    case Operation::maxloc:
      return find_locator<Greater>(type);
    case Operation::replace:
      return find_replacement(type.extent());
    case Operation::no_op:
      return keep;
    default:
      break;
  }
  const Basic* basic = type.basic();
  if (basic == nullptr || basic->pair) return nullptr;
  switch (operation) {
    case Operation::max:
    case Operation::min:
    case Operation::sum:
    case Operation::prod:
      return find_arithmetic(operation, *basic);
    case Operation::land:
    case Operation::lor:
    case Operation::lxor:
      return find_logical(operation, *basic);
    default:
      return find_bitwise(operation, *basic);
  }
}

}  // namespace heddle::coll
