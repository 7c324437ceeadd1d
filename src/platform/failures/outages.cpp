#include "platform/failures/outages.hpp"

#include <algorithm>

#include "core/units.hpp"

namespace heddle::platform {
namespace {

/// A cable that is not up at one of so many changes counts as down for good.
constexpr int kMostChanges = 100'000;

Time time_for(Time work, CableHistory::Share share) {
  const auto scaled = static_cast<__int128>(work.ps()) * CableHistory::kWhole + share - 1;
  const __int128 exact = scaled / share;
  return exact < INT64_MAX ? Time::ps(static_cast<std::int64_t>(exact)) : Time::never();
}

Time work_in(Time duration, CableHistory::Share share) {
  const auto done = static_cast<__int128>(duration.ps()) * share / CableHistory::kWhole;
  return Time::ps(static_cast<std::int64_t>(done));
}

}  // namespace

bool Span::covers(Time t) const {
  if (t < from) return false;
  if (period == Time::zero()) return t < to;
  return (t - from).ps() % period.ps() < (to - from).ps();
}

Time Span::next_after(Time t) const {
  if (t < from) return from;
  if (period == Time::zero()) return t < to ? to : Time::never();
  const Time begun = t - Time::ps((t - from).ps() % period.ps());
  const Time end = begun + (to - from);
  return t < end ? end : begun + period;
}

std::optional<Span> parse_span(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view once = text.substr(0, slash);
  const std::size_t dash = once.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto from = parse_time(once.substr(0, dash));
  if (!from) return std::nullopt;
  Span span{*from};
  if (dash + 1 < once.size()) {
    const auto to = parse_time(once.substr(dash + 1));
    if (!to || *to <= *from) return std::nullopt;
    span.to = *to;
  }
  if (slash == std::string_view::npos) return span;
  const auto period = parse_time(text.substr(slash + 1));
  if (!period || span.to == Time::never() || *period <= span.to - span.from) return std::nullopt;
  span.period = *period;
  return span;
}

CableHistory::Share CableHistory::share(Time t) const {
  Share least = kWhole;
  for (const Outage& outage : outages_) {
    if (outage.share < least && outage.span.covers(t)) least = outage.share;
  }
  return least;
}

Time CableHistory::next_change(Time t) const {
  Time next = Time::never();
  for (const Outage& outage : outages_) next = std::min(next, outage.span.next_after(t));
  return next;
}

Time CableHistory::up_from(Time t) const {
  for (int changes = 0; changes < kMostChanges && t != Time::never(); ++changes) {
    if (!is_down(t)) return t;
    t = next_change(t);
  }
  return Time::never();
}

Time CableHistory::first_down(Time begin, Time end) const {
  for (Time t = begin; t < end; t = next_change(t)) {
    if (is_down(t)) return t;
  }
  return Time::never();
}

Time CableHistory::down_for_good(Time t) const {
  while (true) {
    const Time down = first_down(t, Time::never());
    t = up_from(down);
    if (t == Time::never()) return down;
  }
}

Time CableHistory::finish(Time begin, Time work) const {
  Time now = up_from(begin);
  while (now != Time::never()) {
    const Share left = share(now);
    const Time end = now + time_for(work, left);
    const Time change = next_change(now);
    if (end <= change) return end;
    work -= work_in(change - now, left);
    now = up_from(change);
  }
  return Time::never();
}

std::vector<std::uint32_t> Outages::cables() const {
  std::vector<std::uint32_t> all;
  for (const auto& [cable, history] : histories_) all.push_back(cable);
  std::ranges::sort(all);
  return all;
}

std::vector<std::uint32_t> Outages::down_at(Time t) const {
  std::vector<std::uint32_t> down;
  for (const auto& [cable, history] : histories_) {
    if (history.is_down(t)) down.push_back(cable);
  }
  std::ranges::sort(down);
  return down;
}

Time Outages::next_change(Time t) const {
  Time next = Time::never();
  for (const auto& [cable, history] : histories_) next = std::min(next, history.next_change(t));
  return next;
}

}  // namespace heddle::platform
