// Items in a row that are cut into parts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::network {

/// Of which some have to stay together.
class Row {
 public:
  explicit Row(std::size_t items) : over_(items + 1, 0) {}
  /// These have to be in one part, with all between them.
  void join(std::size_t first, std::size_t last) {
    ++over_[first + 1];
    --over_[last + 1];
  }
  /// Where parts begin, and the end: at most `parts` of about the same weight. `weight` by item.
  template <class Weight>
  std::vector<std::uint32_t> cut(std::size_t parts, Weight weight) const;

 private:
  std::vector<std::int64_t>
      over_;  ///< By item: how many more joints lie before it than did so far.
};

template <class Weight>
std::vector<std::uint32_t> Row::cut(std::size_t parts, Weight weight) const {
  const std::size_t items = over_.size() - 1;
  std::uint64_t whole = 0;
  for (std::size_t i = 0; i < items; ++i) whole += weight(i);
  std::vector<std::uint32_t> begins = {0};
  std::uint64_t before = 0;
  std::int64_t over = 0;
  for (std::size_t i = 0; i < items; ++i) {
    over += over_[i];
    const std::uint64_t own = weight(i);
    const bool enough = (2 * before + own) * parts >= 2 * whole * begins.size();
    if (i > begins.back() && over == 0 && begins.size() < parts && enough) {
      begins.push_back(static_cast<std::uint32_t>(i));
    }
    before += own;
  }
  begins.push_back(static_cast<std::uint32_t>(items));
  return begins;
}

}  // namespace heddle::network
