#include "record/link_samples.hpp"

#include <algorithm>

namespace heddle::record {

void LinkSamples::watch(std::uint32_t links, Look look) {
  if (links == 0) return;
  links_ = links;
  look_ = std::move(look);
  before_ = SparseVector<std::int64_t>(links);
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

template <class Take>
void LinkSamples::take_carried(Take take) {
  const SparseVector<std::int64_t> carried = look_();
  const auto compare = [&](std::size_t link, std::int64_t now) {
    if (link >= links_ || now == before_[link]) return;
    take(link, now - before_[link]);
    before_[link] = now;
  };
  carried.for_each_used(compare);
  // What is a number of something else may have become zero.
  before_.for_each_used([&](std::size_t link, std::int64_t) {
    if (link < carried.size()) compare(link, carried[link]);
  });
}

void LinkSamples::add_slices_until(std::size_t ended) {
  while (slices() < ended) bytes_.emplace_back(links_);
}

/// What was carried since the last look is told of the slice that has just ended: those between,
/// if any, in which nobody looked, are taken for alike.
void LinkSamples::look(std::size_t ended) {
  const std::size_t first = slices();
  const auto many = static_cast<std::int64_t>(ended - first);
  read_ += links_;
  add_slices_until(ended);
  take_carried([&](std::size_t link, std::int64_t bytes) {
    const std::int64_t each = bytes / many;
    for (std::size_t s = first; s < ended && each != 0; ++s) bytes_[s][link] = each;
    bytes_.back()[link] = bytes - each * (many - 1);
  });
}

void LinkSamples::halve() {
  const std::size_t count = slices();
  for (std::size_t s = 0; s + 1 < count; s += 2) {
    SparseVector<std::int64_t> both = std::move(bytes_[s]);
    bytes_[s + 1].for_each_used([&](std::size_t link, std::int64_t bytes) {
      if (bytes != 0) both[link] += bytes;
    });
    bytes_[s / 2] = std::move(both);
  }
  // An odd one is half a slice: the next look sees it again, with the other half.
  if (count % 2 != 0) {
    bytes_.back().for_each_used([&](std::size_t link, std::int64_t bytes) {
      if (bytes != 0) before_[link] -= bytes;
    });
  }
  slice_ *= 2;
  bytes_.resize(count / 2);
}

void LinkSamples::finish(Time end) {
  if (links_ == 0) return;
  const std::size_t ended = ended_by(end.ps());
  if (ended > slices()) look(ended);
  const auto wanted = static_cast<std::size_t>(end.ps() / slice_ + (end.ps() % slice_ != 0));
  add_slices_until(std::max<std::size_t>(wanted, 1));
  take_carried([&](std::size_t link, std::int64_t bytes) { bytes_.back()[link] += bytes; });
  next_ = INT64_MAX;
}

}  // namespace heddle::record
