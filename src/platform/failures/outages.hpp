// Cables that fail, or are slow, while a simulation runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/time.hpp"

namespace heddle::platform {

/// From when until when something is so, once or again and again.
struct Span {
  Time from;
  Time to = Time::never();
  Time period = Time::zero();  ///< Until it comes again; zero: it does not.

  bool covers(Time t) const;
  /// The first instant after `t` at which it begins or ends; never() if there is none.
  Time next_after(Time t) const;
};

/// "1ms-2ms", "1ms-" without end, "1ms-2ms/10ms" for one that comes again every 10 ms; nothing if
/// it is not that, ends before it begins, or would begin again before it has ended.
std::optional<Span> parse_span(std::string_view text);

/// What becomes of one cable.
class CableHistory {
 public:
  /// In millionths of its bandwidth.
  using Share = std::int64_t;
  static constexpr Share kWhole = 1'000'000;

  /// Its bandwidth is `share` of what it should be for a while; zero: it is down.
  void add(const Span& span, Share share) { outages_.push_back({span, share}); }
  /// What it has now: the least of all that hold.
  Share share(Time t) const;
  bool is_down(Time t) const { return share(t) == 0; }
  /// The first instant after `t` at which something begins or ends; never() if there is none.
  Time next_change(Time t) const;
  /// The first instant from `t` on when it is not down; never() if it stays down.
  Time up_from(Time t) const;
  /// The first instant from `begin` until before `end` when it is down; never() if it is up.
  Time first_down(Time begin, Time end) const;
  /// From when on it stays down; only for one that does so after `t`.
  Time down_for_good(Time t) const;
  /// When something is through that begins at `begin` and takes `work` on a whole cable: it rests
  /// while the cable is down and is slower while it is slow. never() if the cable stays down.
  Time finish(Time begin, Time work) const;

 private:
  struct Outage {
    Span span;
    Share share;
  };
  std::vector<Outage> outages_;
};

/// All cables of a fabric that do not stay as they are.
class Outages {
 public:
  CableHistory& add(std::uint32_t cable) { return histories_[cable]; }
  bool any() const { return !histories_.empty(); }
  /// Null for a cable that stays as it is.
  const CableHistory* of(std::uint32_t cable) const {
    const auto found = histories_.find(cable);
    return found == histories_.end() ? nullptr : &found->second;
  }
  /// Those that are down, ascending.
  std::vector<std::uint32_t> down_at(Time t) const;
  /// All that do not stay as they are, ascending.
  std::vector<std::uint32_t> cables() const;
  /// The first instant after `t` at which something changes; never() if there is none.
  Time next_change(Time t) const;

 private:
  std::unordered_map<std::uint32_t, CableHistory> histories_;  ///< By cable.
};

}  // namespace heddle::platform
