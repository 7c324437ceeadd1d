// Arithmetic of finite fields, from which some fabrics are made.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::platform {

/// The field of q elements, q = p^e a prime power. Elements are numbered 0 .. q-1: 0 is zero, 1 is
/// one, and the digits of a number to base p are the coefficients of a polynomial, lowest first,
/// reckoned with modulo a primitive one.
class GaloisField {
 public:
  using Element = std::uint32_t;

  /// The largest field that is made.
  static constexpr std::int64_t kMost = 4096;

  /// Throws ParamError, naming `what`, if q is no prime power or too large.
  GaloisField(const char* what, std::int64_t q);

  std::uint32_t size() const { return q_; }
  Element add(Element a, Element b) const;
  Element negate(Element a) const;
  Element subtract(Element a, Element b) const { return add(a, negate(b)); }
  Element multiply(Element a, Element b) const {
    return a == 0 || b == 0 ? 0 : power(logarithm_[a] + logarithm_[b]);
  }
  Element inverse(Element a) const { return power(q_ - 1 - logarithm_[a]); }
  /// A primitive element to the power of n: every element but zero is one of its powers.
  Element power(std::uint32_t n) const { return power_[n % (q_ - 1)]; }

 private:
  bool try_powers(Element generator, const std::vector<std::uint32_t>& reduction);
  Element times_root(Element a, const std::vector<std::uint32_t>& reduction) const;
  void find_powers();

  std::uint32_t q_;
  std::uint32_t p_;  ///< The prime whose power q is,
  std::uint32_t e_;  ///< and which power.
  std::vector<Element> power_;
  std::vector<std::uint32_t> logarithm_;  ///< By element; zero has none.
};

}  // namespace heddle::platform
