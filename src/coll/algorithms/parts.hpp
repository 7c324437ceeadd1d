// Pieces that several algorithms are made of.
#pragma once

#include <bit>

#include "coll/algorithms/algorithm.hpp"
#include "coll/algorithms/tree.hpp"

namespace heddle::coll {

constexpr std::int64_t kKiB = 1024;

/// The segment that was asked for, or the algorithm's own.
inline std::int64_t segment_of(const Tuning& tuning, std::int64_t otherwise) {
  return tuning.segment > 0 ? tuning.segment : otherwise;
}
inline int radix_of(const Tuning& tuning, int otherwise) {
  return usable_radix(tuning.radix, otherwise);
}
/// The largest power of two that is not larger.
inline int power_of_two_below(int n) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
}
inline bool is_power_of_two(int n) {
  return std::has_single_bit(static_cast<unsigned>(n));
}
/// A buffer without data, for messages that only say that somebody has come so far.
Buffer nothing();

/// The ranks of this rank's node (or other group) with `root`, where it is one of them, in front.
class LedGroup {
 public:
  LedGroup(const Steps& steps, const Grouping& grouping, int root);
  std::span<const int> members() const { return members_; }
  /// This rank's number among them: 0 leads.
  int rank() const { return rank_; }
  bool leads() const { return rank_ == 0; }

 private:
  std::vector<int> members_;
  int rank_ = 0;
};
/// One rank of each group: `root`, and the lowest ranks of the other groups.
class Leaders {
 public:
  Leaders(const Steps& steps, const Grouping& grouping, int root);
  std::span<const int> members() const { return members_; }
  /// Meaningful for leaders only.
  int rank() const { return rank_; }
  /// The root's number among the leaders.
  int root() const { return root_; }

 private:
  std::vector<int> members_;
  int rank_ = 0;
  int root_ = 0;
};

/// Ranks relative to the root of a scatter hold parts in that order: gives each rank its part of
/// what the root has in `parts`, along a binomial tree.
void scatter_parts(Steps& steps, const Blocks& parts, int root);
/// Every rank has filled the part with its number relative to `root`: all get all, around a ring.
void ring_allgather(Steps& steps, const Blocks& parts, int root);
/// The same, with partners twice as far away in each round; those that have none get what others
/// got.
void doubling_allgather(Steps& steps, const Blocks& parts, int root);

/// Of each `group` of consecutive ranks, a power of two, the first `have` have got something: they
/// hand it on to those that have not, half as far in each round.
void hand_on(Steps& steps, const TreePlace& place, int group, int have, const Buffer& data);

/// What became of ranks when their number was made a power of two: the first 2r ranks pair up, and
/// of each pair one stays.
class PowerFold {
 public:
  /// One sends all that it has to the other, which stays, the odd one or the even one; or each of
  /// them reduces a half of what both have, and the even one stays and gets both.
  enum class Pairs : std::uint8_t { to_odd, to_even, by_halves };
  PowerFold(int rank, int size, Pairs pairs = Pairs::to_odd)
      : rank_(rank),
        size_(power_of_two_below(size)),
        folded_(size - size_),
        staying_(pairs == Pairs::to_odd ? 1 : 0),
        by_halves_(pairs == Pairs::by_halves) {}
  /// How many stay.
  int size() const { return size_; }
  bool in_pair() const { return rank_ < 2 * folded_; }
  bool by_halves() const { return by_halves_; }
  bool stays() const { return !in_pair() || rank_ % 2 == staying_; }
  int pair() const { return rank_ % 2 == 1 ? rank_ - 1 : rank_ + 1; }
  /// The number of a rank among those that stay.
  int number() const { return in_pair() ? rank_ / 2 : rank_ - folded_; }
  /// The rank with this number, and the first of the ranks that it stands for.
  int rank_of(int number) const {
    return number < folded_ ? 2 * number + staying_ : number + folded_;
  }
  int first_of(int number) const { return number < folded_ ? 2 * number : number + folded_; }

 private:
  int rank_;
  int size_;
  int folded_;
  int staying_;  ///< The last bit of those in pairs that stay.
  bool by_halves_;
};

/// Reduces a message into what this rank has so far, in front of it or behind: `sum` and `other`
/// are exchanged where that saves a copy.
void reduce_in_order(DataSteps& steps, bool in_front, Buffer& sum, Buffer& other);

}  // namespace heddle::coll
