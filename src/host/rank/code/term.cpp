#include "host/rank/code/term.hpp"

#include <bit>
#include <cmath>

#include "host/rank/code/number_bits.hpp"

namespace heddle::host {
namespace {

using Kind = Term::Kind;

std::uint64_t cut(std::uint64_t value, unsigned size) {
  return value & ones(8 * size);
}
bool top_bit_of(std::uint64_t value, unsigned size) {
  return (value >> (8 * size - 1) & 1) != 0;
}

std::uint64_t number_of(Kind kind, std::uint64_t value, unsigned size) {
  if (kind == Kind::bits_set) return static_cast<std::uint64_t>(std::popcount(value));
  if (value == 0) return 8 * size;
  return kind == Kind::zeros_below
             ? static_cast<std::uint64_t>(std::countr_zero(value))
             : static_cast<std::uint64_t>(std::countl_zero(value)) + 8 * size - 64;
}

std::uint64_t upper_half(std::uint64_t a, std::uint64_t b, unsigned size, bool with_signs) {
  using Wide = unsigned __int128;
  const Wide product =
      with_signs ? static_cast<Wide>(__int128{signed_bits(a, 8 * size)} * signed_bits(b, 8 * size))
                 : Wide{a} * b;
  return cut(static_cast<std::uint64_t>(product >> (8 * size)), size);
}

/// The least number of all by minus one has no quotient.
std::uint64_t divided_with_signs(std::uint64_t a, std::uint64_t b, unsigned size, bool rest) {
  const std::int64_t number = signed_bits(a, 8 * size);
  const std::int64_t by = signed_bits(b, 8 * size);
  if (by == 0 || by == -1) return 0;
  return cut(static_cast<std::uint64_t>(rest ? number % by : number / by), size);
}

double decimal(std::uint64_t bits, unsigned size) {
  return size == 4 ? std::bit_cast<float>(static_cast<std::uint32_t>(bits))
                   : std::bit_cast<double>(bits);
}

bool decimals_are(Relation relation, double a, double b) {
  if (relation == Relation::decimal_below) return a < b;
  return relation == Relation::decimal_equal ? a == b : std::isnan(a) || std::isnan(b);
}

}  // namespace

std::uint64_t Term::value_of(std::uint64_t from_a, std::uint64_t from_b) const {
  switch (kind) {
    case Kind::sum:
      return cut(from_a + from_b, size);
    case Kind::difference:
      return cut(from_a - from_b, size);
    case Kind::both:
      return from_a & from_b;
    case Kind::either:
      return from_a | from_b;
    case Kind::one:
      return from_a ^ from_b;
    case Kind::product:
      return cut(from_a * from_b, size);
    case Kind::affine:
      return cut(from_a * factor + constant, size);
    case Kind::left:
      return cut(from_a << constant, size);
    case Kind::right:
      return from_a >> constant;
    case Kind::right_with_sign:
      return cut(static_cast<std::uint64_t>(signed_bits(from_a, 8U * size) >> constant), size);
    case Kind::extended: {
      const auto bytes = static_cast<unsigned>(constant);
      return cut(static_cast<std::uint64_t>(signed_bits(from_a, 8 * bytes)), size);
    }
    case Kind::turned:
      return rotated(from_a, static_cast<unsigned>(constant), 8U * size);
    case Kind::swapped:
      return __builtin_bswap64(from_a) >> (64 - 8 * size);
    case Kind::zeros_below:
    case Kind::zeros_above:
    case Kind::bits_set:
      return number_of(kind, from_a, size);
    case Kind::high_product:
    case Kind::high_product_with_signs:
      return upper_half(from_a, from_b, size, kind == Kind::high_product_with_signs);
    case Kind::quotient:
    case Kind::rest:
      if (from_b == 0) return 0;
      return kind == Kind::quotient ? from_a / from_b : from_a % from_b;
    case Kind::quotient_with_signs:
    case Kind::rest_with_signs:
      return divided_with_signs(from_a, from_b, size, kind == Kind::rest_with_signs);
    case Kind::first_difference:
      return host::first_difference(from_a, from_b);
    default:
      return cut(from_a, size);
  }
}

std::uint32_t first_difference(std::uint64_t a, std::uint64_t b) {
  if (a == b) return 0;
  const int shift = std::countr_zero(a ^ b) / 8 * 8;
  return static_cast<std::uint32_t>(a >> shift & 0xff) -
         static_cast<std::uint32_t>(b >> shift & 0xff);
}

bool holds(Relation relation, std::uint64_t a, std::uint64_t b, unsigned size) {
  const std::uint64_t difference = cut(a - b, size);
  const bool overflow = top_bit_of((a ^ b) & (a ^ difference), size);
  const bool less = top_bit_of(difference, size) != overflow;
  switch (relation) {
    case Relation::overflows:
      return overflow;
    case Relation::below:
      return a < b;
    case Relation::equal:
      return difference == 0;
    case Relation::not_above:
      return a <= b;
    case Relation::negative:
      return top_bit_of(difference, size);
    case Relation::even_bits:
      return std::popcount(difference & 0xff) % 2 == 0;
    case Relation::less:
      return less;
    case Relation::not_greater:
      return less || difference == 0;
    default:
      return decimals_are(relation, decimal(a, size), decimal(b, size));
  }
}

}  // namespace heddle::host
