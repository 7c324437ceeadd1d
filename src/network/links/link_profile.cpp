#include "network/links/link_profile.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::network {
namespace {

/// Of what two sums do not have in common, the part of both; equal ones: 0.
template <std::size_t N>
double apart(const std::array<double, N>& a, const std::array<double, N>& b) {
  double differ = 0;
  double all = 0;
  for (std::size_t i = 0; i < N; ++i) {
    differ += std::abs(a[i] - b[i]);
    all += a[i] + b[i];
  }
  return all == 0 ? 0 : differ / all;
}

}  // namespace

void LinkProfile::add(std::int64_t size, double when) {
  const auto bytes = static_cast<double>(size);
  bytes_ += bytes;
  by_size_[std::bit_width(static_cast<std::uint64_t>(size)) % kSizes] += bytes;
  const auto slot = static_cast<std::size_t>(when * static_cast<double>(kSlots));
  by_time_[std::min(slot, kSlots - 1)] += bytes;
}

double LinkProfile::difference(const LinkProfile& other) const {
  if (rate_ != other.rate_ || inputs_ != other.inputs_) return 1;
  return std::max(apart(by_size_, other.by_size_), apart(by_time_, other.by_time_));
}

std::vector<std::uint32_t> representatives(std::span<const LinkProfile> profiles, double alike) {
  constexpr std::ptrdiff_t kNear = 32;
  std::vector<std::uint32_t> of(profiles.size());
  std::vector<std::uint32_t> chosen;  // By bytes.
  for (std::uint32_t link = 0; link < profiles.size(); ++link) {
    const auto here = std::lower_bound(
        chosen.begin(), chosen.end(), profiles[link].bytes(),
        [&](std::uint32_t other, double bytes) { return profiles[other].bytes() < bytes; });
    const auto first = here - std::min(kNear, here - chosen.begin());
    const auto last = here + std::min(kNear, chosen.end() - here);
    double least = 2;
    for (auto other = first; other != last; ++other) {
      const double difference = profiles[link].difference(profiles[*other]);
      if (difference >= least) continue;
      least = difference;
      of[link] = *other;
    }
    if (least <= alike) continue;
    of[link] = link;
    chosen.insert(here, link);
  }
  return of;
}

}  // namespace heddle::network
