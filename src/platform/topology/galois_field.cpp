#include "platform/topology/galois_field.hpp"

#include <string>

#include "core/error.hpp"

namespace heddle::platform {
namespace {

std::uint32_t least_divisor(std::uint32_t n) {
  for (std::uint32_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return d;
  }
  return n;
}

bool is_prime_power(std::uint32_t n) {
  if (n < 2) return false;
  const std::uint32_t p = least_divisor(n);
  while (n % p == 0) n /= p;
  return n == 1;
}

/// The nearest prime powers on either side, for who gave another number.
std::string nearest(std::uint32_t q) {
  std::uint32_t below = q;
  std::uint32_t above = q;
  while (below > 2 && !is_prime_power(below)) --below;
  while (!is_prime_power(above)) ++above;
  return std::to_string(below) + " and " + std::to_string(above);
}

std::uint32_t checked(const char* what, std::int64_t q) {
  if (q < 2 || q > GaloisField::kMost) {
    throw ParamError({what}, std::string(what) + " is " + std::to_string(q) +
                                 "; accepted are prime powers from 2 to " +
                                 std::to_string(GaloisField::kMost));
  }
  const auto size = static_cast<std::uint32_t>(q);
  if (!is_prime_power(size)) {
    throw ParamError({what}, std::string(what) + " is " + std::to_string(q) +
                                 ", which is no prime power; the nearest accepted are " +
                                 nearest(size));
  }
  return size;
}

}  // namespace

GaloisField::GaloisField(const char* what, std::int64_t q)
    : q_(checked(what, q)), p_(least_divisor(q_)), e_(0) {
  for (std::uint32_t n = q_; n > 1; n /= p_) ++e_;
  find_powers();
}

GaloisField::Element GaloisField::add(Element a, Element b) const {
  if (e_ == 1) return (a + b) % p_;
  if (p_ == 2) return a ^ b;
  Element sum = 0;
  for (std::uint32_t place = 1; place < q_; place *= p_) {
    sum += (a / place % p_ + b / place % p_) % p_ * place;
  }
  return sum;
}

GaloisField::Element GaloisField::negate(Element a) const {
  Element negative = 0;
  for (std::uint32_t place = 1; place < q_; place *= p_) {
    negative += (p_ - a / place % p_) % p_ * place;
  }
  return negative;
}

/// a times the root x of the monic polynomial x^e - (reduction).
GaloisField::Element GaloisField::times_root(Element a,
                                             const std::vector<std::uint32_t>& reduction) const {
  const std::uint32_t top = q_ / p_;
  const std::uint32_t carried = a / top;
  Element product = a % top * p_;
  std::uint32_t place = 1;
  for (const std::uint32_t coefficient : reduction) {
    const std::uint32_t digit = product / place % p_;
    product += ((digit + carried * coefficient) % p_) * place;
    product -= digit * place;
    place *= p_;
  }
  return product;
}

/// Whether the powers of a generator are all elements but zero; they are kept then.
bool GaloisField::try_powers(Element generator, const std::vector<std::uint32_t>& reduction) {
  power_.assign(1, 1);
  for (;;) {
    const Element last = power_.back();
    const Element next = e_ == 1 ? static_cast<Element>(std::uint64_t{last} * generator % p_)
                                 : times_root(last, reduction);
    if (next == 1 || next == 0 || power_.size() == q_) break;
    power_.push_back(next);
  }
  return power_.size() == q_ - 1;
}

/// Of a prime field the least primitive root; else the root of the first primitive polynomial.
void GaloisField::find_powers() {
  for (std::uint32_t candidate = 1; candidate < q_; ++candidate) {
    std::vector<std::uint32_t> reduction;
    for (std::uint32_t rest = candidate; reduction.size() < e_; rest /= p_) {
      reduction.push_back(rest % p_);
    }
    if (try_powers(candidate, reduction)) break;
  }
  logarithm_.resize(q_);
  for (std::uint32_t n = 0; n < power_.size(); ++n) logarithm_[power_[n]] = n;
}

}  // namespace heddle::platform
