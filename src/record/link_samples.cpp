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

std::size_t LinkSamples::ended_by(std::int64_t now_ps) {
  // Their product may be later than simulated time ends.
  while (now_ps / static_cast<std::int64_t>(most_) >= slice_) {
    if (slices() < 2) {
      slice_ *= 2;
      continue;
    }
    halve();
  }
  return static_cast<std::size_t>(now_ps / slice_);
}

void LinkSamples::advance(std::int64_t now_ps, std::uint64_t done) {
  if (links_ == 0) return;
  const std::size_t ended = ended_by(now_ps);
  if (ended > slices() && read_ <= kFreeReads + kReadsPerThing * done) look(ended);
  next_ = (Time::ps(slice_) * static_cast<std::int64_t>(ended + 1)).ps();
}

/// What was carried since the last look is told of the slice that has just ended: those between,
/// if any, in which nobody looked, are taken for alike.
void LinkSamples::look(std::size_t ended) {
  const std::size_t first = slices();
  const std::vector<std::int64_t> carried = look_();
  const std::size_t known = std::min<std::size_t>(links_, carried.size());
  const auto many = static_cast<std::int64_t>(ended - first);
  read_ += links_;
  bytes_.resize(ended * links_);
  std::int64_t* const last = &bytes_[(ended - 1) * links_];
  for (std::size_t l = 0; l < known; ++l) last[l] = carried[l] - before_[l];
  std::copy_n(carried.begin(), known, before_.begin());
  if (many == 1) return;
  for (std::size_t l = 0; l < known; ++l) {
    const std::int64_t each = last[l] / many;
    for (std::size_t s = first; s + 1 < ended; ++s) bytes_[s * links_ + l] = each;
    last[l] -= each * (many - 1);
  }
}

void LinkSamples::halve() {
  const std::size_t count = slices();
  std::vector<std::int64_t> merged(count / 2 * links_);
  for (std::size_t s = 0; s + 1 < count; s += 2) {
    for (std::uint32_t l = 0; l < links_; ++l) {
      merged[s / 2 * links_ + l] = bytes(s, l) + bytes(s + 1, l);
    }
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
  const std::size_t ended = ended_by(end.ps());
  if (ended > slices()) look(ended);
  const std::vector<std::int64_t> carried = look_();
  const auto wanted = static_cast<std::size_t>(end.ps() / slice_ + (end.ps() % slice_ != 0));
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
