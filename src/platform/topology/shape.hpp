// Counting the parts of regular topologies: sizes that must fit, numbers with digits, pairs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::platform {

/// a * b, or 2^62 if that is less: products of users' numbers cannot overflow.
std::uint64_t capped_product(std::uint64_t a, std::uint64_t b);
std::uint64_t capped_product(const std::vector<std::int64_t>& factors);

/// Errors about the numbers of a topology are ParamErrors: they name those that are wrong as its
/// kind does, or none if it takes all of them together.

/// Throws ParamError if a fabric of this size is empty or its links cannot be numbered.
void check_size(std::uint64_t nodes, std::uint64_t switches, std::uint64_t cables);
/// Throws ParamError about `what` if a number is below `least` or the list is empty.
void check_list(const std::string& what, const std::vector<std::int64_t>& list, std::int64_t least);

/// "1 switch", "2 switches": a number of things.
std::string counted(std::uint64_t number, const std::string& one, const std::string& many);

/// Numbers the pairs of `size` things arranged in a ring: first all neighbours (i, i+1), then all
/// (i, i+2), and so on; things that face each other come last. All modulo size.
class RingPairs {
 public:
  struct Pair {
    std::uint32_t a;  ///< The end from which b is `chord` steps further on.
    std::uint32_t b;
    std::uint32_t chord;
  };

  explicit constexpr RingPairs(std::uint32_t size = 1) : size_(size) {}
  std::uint64_t count() const { return std::uint64_t{size_} * (size_ - 1) / 2; }
  Pair pair(std::uint32_t number) const {
    const std::uint32_t chord = number / size_ + 1;
    const std::uint32_t a = number % size_;
    return {a, (a + chord) % size_, chord};
  }
  /// The number of the pair of `from` and another `to`, and whether `from` is its second end.
  struct Number {
    std::uint32_t number;
    bool back;
    std::uint32_t chord;  ///< As the pair has it.
  };
  Number number(std::uint32_t from, std::uint32_t to) const {
    const std::uint32_t forth = to >= from ? to - from : to + size_ - from;
    const bool back = 2 * forth > size_ || (2 * forth == size_ && to < from);
    const std::uint32_t chord = back ? size_ - forth : forth;
    return {(chord - 1) * size_ + (back ? to : from), back, chord};
  }

 private:
  std::uint32_t size_;
};

}  // namespace heddle::platform
