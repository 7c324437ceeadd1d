// The delays that flows had at a link, for those of another link that is like it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::network {

/// How much later than without others the first and the last byte of a flow are.
struct FlowDelay {
  double begin = 0;
  double end = 0;
};

/// By size of flow: each draw is one of those that flows of about that size had.
class DelaySamples {
 public:
  void add(double bytes, const FlowDelay& delay) { samples_.push_back({bytes, delay}); }
  /// All have been added.
  void finish();
  bool empty() const { return samples_.empty(); }
  /// That of a flow of so many bytes, as `number`, any one, says. What draws out a flow grows with
  /// it.
  FlowDelay draw(double bytes, std::uint64_t number) const;

 private:
  struct Sample {
    double bytes;
    FlowDelay delay;
  };
  std::vector<Sample> samples_;       ///< In the order of bytes.
  std::vector<std::size_t> buckets_;  ///< Where each begins, and the end.
};

}  // namespace heddle::network
