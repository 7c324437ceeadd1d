// Many whole numbers and what can be said of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::traffic {

/// Collects numbers, none of them negative, in bounded memory. Up to kExact of them are kept as
/// they are, so that percentiles are exact; from then on they are counted in classes, and
/// percentiles are within 1/1024 of the true value. Count, mean, least and largest are always
/// exact.
class Samples {
 public:
  static constexpr std::size_t kExact = std::size_t{1} << 20;

  void add(std::int64_t value);
  std::uint64_t count() const { return count_; }
  /// The nearest whole number to the mean; 0 if there is none, as of those that follow.
  std::int64_t mean() const;
  std::int64_t min() const { return count_ == 0 ? 0 : min_; }
  std::int64_t max() const { return max_; }
  /// The smallest number that at least `part` (0 to 1) of all do not exceed.
  std::int64_t percentile(double part) const;

 private:
  static constexpr int kClassBits = 9;  ///< Classes per power of two: 2^9, read at their middle.
  static std::size_t class_of(std::int64_t value);
  static std::int64_t middle(std::size_t index);
  void count_in_classes(std::int64_t value);
  void leave_exactness();
  std::uint64_t rank(double part) const;
  std::int64_t ranked_sample(std::uint64_t rank) const;
  std::int64_t ranked_class(std::uint64_t rank) const;

  std::uint64_t count_ = 0;
  __int128 sum_ = 0;
  std::int64_t min_ = INT64_MAX;
  std::int64_t max_ = 0;
  mutable std::vector<std::int64_t> samples_;  ///< Reordered by percentile().
  std::vector<std::uint64_t> classes_;
};

}  // namespace heddle::traffic
