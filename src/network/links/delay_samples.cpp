#include "network/links/delay_samples.hpp"

#include <algorithm>

namespace heddle::network {
namespace {

/// A bucket has so many samples at least, and sizes that differ so much.
constexpr std::size_t kLeastSamples = 100;
constexpr double kLeastRange = 2;

}  // namespace

void DelaySamples::finish() {
  std::stable_sort(samples_.begin(), samples_.end(),
                   [](const Sample& a, const Sample& b) { return a.bytes < b.bytes; });
  buckets_.assign(1, 0);
  for (std::size_t i = 0; i < samples_.size(); ++i) {
    const std::size_t begin = buckets_.back();
    const bool enough = i - begin >= kLeastSamples && samples_.size() - i >= kLeastSamples;
    // Equal sizes stay together.
    if (enough && samples_[i].bytes > kLeastRange * samples_[begin].bytes &&
        samples_[i].bytes > samples_[i - 1].bytes) {
      buckets_.push_back(i);
    }
  }
  buckets_.push_back(samples_.size());
}

FlowDelay DelaySamples::draw(double bytes, std::uint64_t number) const {
  const auto behind = std::upper_bound(
      buckets_.begin() + 1, buckets_.end() - 1, bytes,
      [this](double size, std::size_t bucket) { return size < samples_[bucket].bytes; });
  const std::size_t begin = *(behind - 1);
  const Sample& sample = samples_[begin + number % (*behind - begin)];
  FlowDelay delay = sample.delay;
  const double drawn_out = delay.end - delay.begin;
  if (drawn_out > 0 && sample.bytes > 0) delay.end = delay.begin + drawn_out * bytes / sample.bytes;
  return delay;
}

}  // namespace heddle::network
