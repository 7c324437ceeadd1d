#include "record/link_samples.hpp"

#include <algorithm>

namespace heddle::record {

void LinkSamples::watch(std::uint32_t links, Look look) {
  if (links == 0) return;
  links_ = links;
  look_ = std::move(look);
  before_.assign(links, 0);
  most_ = std::clamp<std::size_t>(kMostNumbers / links, 16, kMostSlices) & ~std::size_t{1};
  next_ = slice_;
}

/// What was carried since the last look is told of the slice that has just ended: those between,
/// if any, in which nothing was recorded, are taken for alike.
void LinkSamples::advance(std::int64_t now_ps) {
  if (links_ == 0) return;
  while (now_ps >= slice_ * static_cast<std::int64_t>(most_)) {
    if (slices() < 2) {
      slice_ *= 2;
      continue;
    }
    halve();
  }
  const auto ended = static_cast<std::size_t>(now_ps / slice_);
  if (ended > slices()) {
    const std::size_t first = slices();
    const std::vector<std::int64_t> carried = look_();
    const auto many = static_cast<std::int64_t>(ended - first);
    bytes_.resize(ended * links_);
    for (std::uint32_t l = 0; l < links_ && l < carried.size(); ++l) {
      const std::int64_t all = carried[l] - before_[l];
      before_[l] = carried[l];
      const std::int64_t each = many == 1 ? 0 : all / many;
      for (std::size_t s = first; s + 1 < ended; ++s) bytes_[s * links_ + l] = each;
      bytes_[(ended - 1) * links_ + l] = all - each * (many - 1);
    }
  }
  next_ = (static_cast<std::int64_t>(slices()) + 1) * slice_;
}

void LinkSamples::halve() {
  const std::size_t count = slices();
  std::vector<std::int64_t> merged(count / 2 * links_);
  for (std::size_t s = 0; s + 1 < count; s += 2) {
    for (std::uint32_t l = 0; l < links_; ++l)
      merged[s / 2 * links_ + l] = bytes(s, l) + bytes(s + 1, l);
  }
  // An odd one is half a slice: the next look sees it again, with the other half.
  if (count % 2 != 0) {
    for (std::uint32_t l = 0; l < links_; ++l) before_[l] -= bytes(count - 1, l);
  }
  slice_ *= 2;
  bytes_ = std::move(merged);
}

void LinkSamples::finish(Time end) {
  if (links_ == 0) return;
  advance(end.ps());
  const std::vector<std::int64_t> carried = look_();
  const auto wanted = static_cast<std::size_t>((end.ps() + slice_ - 1) / slice_);
  if (slices() < wanted) bytes_.resize(wanted * links_);
  if (slices() == 0) bytes_.resize(links_);
  const std::size_t last = slices() - 1;
  for (std::uint32_t l = 0; l < links_ && l < carried.size(); ++l) {
    bytes_[last * links_ + l] += carried[l] - before_[l];
    before_[l] = carried[l];
  }
  next_ = INT64_MAX;
}

}  // namespace heddle::record
