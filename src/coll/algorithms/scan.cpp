// Reductions over the ranks up to each.
#include <vector>

#include "coll/algorithms/parts.hpp"

namespace heddle::coll {
namespace scan_ways {
namespace {

using Work = Scan;

/// What a rank has got so far: the sum that it hands on, and its result.
class Sums {
 public:
  Sums(Steps& s, const Work& w) : steps_(s), work_(w), result_(w.data), sum_(w.data) {
    if (!w.exclusive) return;
    // The result must not contain the rank's own data, which the sum begins with.
    sum_ = s.scratch(w.data);
    s.copy(w.data, sum_);
  }
  /// The sum may be changed while the result is not.
  void separate() {
    if (work_.exclusive) return;
    sum_ = steps_.scratch(work_.data);
    steps_.copy(work_.data, sum_);
  }
  const Buffer& sum() const { return sum_; }
  /// `front`, the sum of ranks right before those of the result, is put in front of it.
  void add_to_result(const Buffer& front) {
    if (work_.exclusive && !begun_) {
      steps_.copy(front, result_);
    } else {
      steps_.reduce(front, result_);
    }
    begun_ = true;
  }
  void add_to_sum(const Buffer& front) { steps_.reduce(front, sum_); }
  /// `back` is the sum of ranks right behind.
  void append_to_sum(const Buffer& back) {
    steps_.reduce(sum_, back);
    steps_.copy(back, sum_);
  }

 private:
  Steps& steps_;
  const Work& work_;
  Buffer result_;
  Buffer sum_;
  bool begun_ = false;
};

/// Each rank hands the sum up to it on to the next.
void linear(Steps& s, const Work& w, const Tuning&) {
  Sums sums(s, w);
  if (s.rank() > 0) {
    const Buffer arrived = s.scratch(w.data);
    s.receive_now(arrived, s.rank() - 1);
    sums.add_to_result(arrived);
    if (w.exclusive) sums.add_to_sum(arrived);
  }
  if (s.rank() + 1 < s.size()) s.send_now(sums.sum(), s.rank() + 1);
}

/// Partners exchange the sums of their groups; those above add what comes to their results.
void doubling(Steps& s, const Work& w, const Tuning&) {
  if (s.size() == 1) return;
  Sums sums(s, w);
  sums.separate();
  const Buffer arrived = s.scratch(w.data);
  for (int bit = 1; bit < s.size(); bit <<= 1) {
    const int partner = s.rank() ^ bit;
    if (partner >= s.size()) continue;
    s.exchange(sums.sum(), partner, arrived, partner);
    if (partner < s.rank()) {
      sums.add_to_result(arrived);
      sums.add_to_sum(arrived);
    } else {
      sums.append_to_sum(arrived);
    }
  }
}

/// In each round a rank sends its sum to one twice as far above it as in the last.
void distance_doubling(Steps& s, const Work& w, const Tuning&) {
  if (s.size() == 1) return;
  Sums sums(s, w);
  sums.separate();
  const Buffer arrived = s.scratch(w.data);
  for (int distance = 1; distance < s.size(); distance <<= 1) {
    if (s.rank() + distance < s.size()) s.send(sums.sum(), s.rank() + distance);
    if (s.rank() >= distance) s.receive(arrived, s.rank() - distance);
    s.wait();
    if (s.rank() < distance) continue;
    sums.add_to_result(arrived);
    sums.add_to_sum(arrived);
  }
}

/// Everybody sends to all above, all at once.
void spreading(Steps& s, const Work& w, const Tuning&) {
  Sums sums(s, w);
  std::vector<Buffer> arrived;
  for (int r = 0; r < s.rank(); ++r) {
    arrived.push_back(s.scratch(w.data));
    s.receive(arrived.back(), r);
  }
  for (int r = s.rank() + 1; r < s.size(); ++r) s.send(sums.sum(), r);
  s.wait();
  for (std::size_t r = arrived.size(); r-- > 0;) sums.add_to_result(arrived[r]);
}

}  // namespace
}  // namespace scan_ways

std::span<const Algorithm<Scan>> scan_algorithms() {
  using namespace scan_ways;
  static constexpr Algorithm<Scan> kAll[] = {
      {"recursivedoubling", "partners twice as far away in each round exchange sums", doubling},
      {"linear", "each rank hands the sum up to it on to the next", linear},
      {"distance_doubling", "sums go to ranks above, twice as far away in each round",
       distance_doubling},
      {"spreading", "everybody sends to all ranks above, all at once", spreading},
  };
  return kAll;
}

}  // namespace heddle::coll
