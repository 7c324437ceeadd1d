// What numbers of code are made of, and what is claimed of them.
#pragma once

#include <cstdint>

namespace heddle::host {

/// A number that is made of others, as the processor would make it.
struct Term {
  enum class Kind : std::uint8_t {
    input,
    sum,
    difference,
    both,  ///< Bits that are set in both; ...
    either,
    one,
    product,
    affine,  ///< A number times a factor, and the constant.
    left,    ///< Shifted, by a constant; ...
    right,
    right_with_sign,
    narrow,    ///< The last bytes.
    extended,  ///< Of as many bytes as the constant says, with their sign.
    turned,    ///< To the right, by a constant.
    swapped,   ///< The last byte first.
    zeros_below,
    zeros_above,
    bits_set,
    high_product,  ///< The upper half of a product.
    high_product_with_signs,
    quotient,  ///< By zero, zero.
    quotient_with_signs,
    rest,
    rest_with_signs,
    first_difference,  ///< Of bytes, in the order of memory.
  };
  Kind kind = Kind::input;
  std::uint8_t size = 0;  ///< In bytes; all others are zero.
  std::uint16_t a = 0;    ///< Terms, counted from one; zero: the constant.
  std::uint16_t b = 0;
  std::uint64_t constant = 0;  ///< Of an input, which.
  std::uint64_t factor = 0;

  std::uint64_t value_of(std::uint64_t from_a, std::uint64_t from_b) const;
};

/// The first byte that differs less that of the other, as functions that compare memory have it.
std::uint32_t first_difference(std::uint64_t a, std::uint64_t b);

/// What two numbers are to each other.
enum class Relation : std::uint8_t {
  overflows,  ///< The difference does.
  below,
  equal,
  not_above,
  negative,  ///< The difference is.
  even_bits,
  less,  ///< With their signs.
  not_greater,
  decimal_below,  ///< As floating-point numbers.
  decimal_equal,
  decimal_neither,  ///< Nor above.
};
bool holds(Relation relation, std::uint64_t a, std::uint64_t b, unsigned size);

/// That some numbers are to each other as they were.
struct Claim {
  Relation relation = Relation::equal;
  bool holds = true;
  std::uint8_t size = 0;
  std::uint16_t a = 0;  ///< As those of a term; not both are constants.
  std::uint16_t b = 0;
  std::uint64_t constant = 0;
};

}  // namespace heddle::host
