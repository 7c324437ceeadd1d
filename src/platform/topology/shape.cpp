#include "platform/topology/shape.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace heddle::platform {
namespace {

constexpr std::uint64_t kCap = std::uint64_t{1} << 62;
/// Links are numbered in 32 bits, and a platform adds six per node.
constexpr std::uint64_t kMost = 400'000'000;

}  // namespace

std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kCap / a ? kCap : a * b;
}

std::uint64_t capped_product(const std::vector<std::int64_t>& factors) {
  std::uint64_t product = 1;
  for (const std::int64_t factor : factors) {
    product = capped_product(product, static_cast<std::uint64_t>(factor));
  }
  return product;
}

void check_size(std::uint64_t nodes, std::uint64_t switches, std::uint64_t cables) {
  if (nodes == 0) throw ParamError({}, "the machine has no nodes");
  const std::uint64_t largest = std::max({nodes, switches, cables});
  if (largest <= kMost) return;
  throw ParamError({}, "the machine has " +
                           (largest < kCap ? std::to_string(largest) : "far too many") +
                           " nodes, switches or cables; accepted are at most " +
                           std::to_string(kMost) + " of each");
}

void check_list(const std::string& what, const std::vector<std::int64_t>& list,
                std::int64_t least) {
  if (list.empty()) throw ParamError({what}, what + " is empty");
  for (const std::int64_t n : list) {
    if (n >= least && n <= static_cast<std::int64_t>(kMost)) continue;
    throw ParamError({what}, what + " contains " + std::to_string(n) +
                                 "; accepted are numbers from " + std::to_string(least) + " to " +
                                 std::to_string(kMost));
  }
}

std::string counted(std::uint64_t number, const std::string& one, const std::string& many) {
  return std::to_string(number) + " " + (number == 1 ? one : many);
}

}  // namespace heddle::platform
