#include "platform/link_profiles.hpp"

#include <algorithm>

namespace heddle::platform {
namespace {

bool is_before(Time now, const Profile::Point& point) {
  return now < point.at;
}

}  // namespace

Profile::Profile(std::vector<Point> points, Time period)
    : points_(std::move(points)), period_(period) {}

std::optional<double> Profile::at(Time now) const {
  const std::int64_t round = period_ > Time::zero() ? now.ps() / period_.ps() : 0;
  const Time within = now - period_ * round;
  const auto next = std::upper_bound(points_.begin(), points_.end(), within, is_before);
  if (next != points_.begin()) return std::prev(next)->value;
  return round == 0 ? std::nullopt : std::optional(points_.back().value);
}

Time Profile::next_after(Time now) const {
  const bool once = period_ == Time::zero();
  const std::int64_t round = once ? 0 : now.ps() / period_.ps();
  const Time begin = period_ * round;
  const auto next = std::upper_bound(points_.begin(), points_.end(), now - begin, is_before);
  if (next != points_.end()) return begin + next->at;
  return once ? Time::never() : begin + period_ + points_.front().at;
}

}  // namespace heddle::platform
