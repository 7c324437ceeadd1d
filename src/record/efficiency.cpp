#include "record/efficiency.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <unordered_map>

namespace heddle::record {
namespace {

/// What was numbered lately, by its number.
class Recent {
 public:
  void add(std::uint64_t number, Time value) {
    if (values_.empty()) first_ = number;
    while (first_ + values_.size() < number) values_.push_back(Time::zero());
    values_.push_back(value);
    if (values_.size() <= kMost) return;
    values_.pop_front();
    ++first_;
  }
  Time of(std::uint64_t number) const {
    const std::uint64_t at = number - first_;
    return number < first_ || at >= values_.size() ? Time::zero() : values_[at];
  }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 20;
  std::deque<Time> values_;
  std::uint64_t first_ = 0;
};

/// Where a thread was, in the time of a machine without communication, when it was somewhere in the
/// recorded one: what it did lately.
class Clock {
 public:
  /// It did something from `begin` to `end`, which `takes` its time; if not, it is at `ideal` then.
  void pass(Time begin, Time end, bool takes, Time ideal) {
    now_ = std::max(now_, ideal);
    if (takes) now_ += end - begin;
    lately_.push_back({begin, end, now_, takes});
    if (lately_.size() > kMost) lately_.pop_front();
  }
  Time at(Time recorded) const {
    const auto found = std::partition_point(lately_.begin(), lately_.end(),
                                            [&](const Did& d) { return d.end < recorded; });
    if (found == lately_.end()) return now_;
    if (found->takes) return found->ideal - std::min(found->end - recorded, found->length());
    // In the middle of a wait it is as far as before.
    return recorded >= found->end     ? found->ideal
           : found == lately_.begin() ? std::min(found->ideal, recorded)
                                      : std::prev(found)->ideal;
  }
  Time now() const { return now_; }

 private:
  static constexpr std::size_t kMost = 256;
  struct Did {
    Time begin;
    Time end;
    Time ideal;
    bool takes = false;
    Time length() const { return end - begin; }
  };
  std::deque<Did> lately_;
  Time now_;
};

bool takes_time(Activity activity) {
  return activity == Activity::compute || activity == Activity::sleep ||
         activity == Activity::storage;
}

class Player {
 public:
  explicit Player(const Recording& recorder) : computed_(recorder.ranks()) {}

  void see(const Record& r) {
    switch (r.kind) {
      case Kind::span:
        if (r.activity == Activity::compute && r.thread == 0) computed_[r.rank] += r.end - r.begin;
        return clock(r.rank, r.thread).pass(r.begin, r.end, takes_time(r.activity), Time::zero());
      case Kind::wait:
        return clock(r.rank, r.thread).pass(r.begin, r.end, false, end_of_wait(r));
      case Kind::message:
        return messages_.add(r.number, sending_of(r));
      case Kind::step:
        return steps_.add(r.step, operation_of(r));
      case Kind::call:
        return;
    }
  }

  Efficiency result(Time length) const {
    Time longest;
    Time sum;
    for (const Time computed : computed_) {
      longest = std::max(longest, computed);
      sum += computed;
    }
    Efficiency e;
    if (longest == Time::zero() || length == Time::zero()) return e;
    for (const auto& [who, clock] : clocks_) e.ideal = std::max(e.ideal, clock.now());
    e.ideal = std::clamp(e.ideal, longest, std::max(longest, length));
    const double mean = in_ps(sum) / static_cast<double>(computed_.size());
    e.parallel = mean / in_ps(length);
    e.load_balance = mean / in_ps(longest);
    e.serialisation = in_ps(longest) / in_ps(e.ideal);
    e.transfer = in_ps(e.ideal) / in_ps(length);
    e.known = true;
    return e;
  }

 private:
  static double in_ps(Time t) { return static_cast<double>(t.ps()); }
  using Place = std::pair<std::uint32_t, std::uint32_t>;
  Clock& clock(std::uint32_t rank, std::uint32_t thread) { return clocks_[{rank, thread}]; }

  Time end_of_wait(const Record& r) {
    if (r.number != 0) return messages_.of(r.number);
    if (r.cause != 0) return steps_.of(r.cause);
    return r.waker != 0 ? clock(r.rank, r.waker - 1).at(r.end) : Time::zero();
  }

  /// What both sides wait for is there when the later of them is.
  Time sending_of(const Record& m) {
    if (m.step != 0) return steps_.of(m.step);
    if (m.way == Way::answer) return messages_.of(m.cause);
    const Time sent = clock(m.rank, m.thread).at(m.begin);
    if (m.way != Way::waited_recv) return sent;
    return std::max(sent, clock(m.peer, 0).at(m.middle));
  }

  /// All that adapters do for an operation is done when it was given to them, or when what triggers
  /// it was there.
  Time operation_of(const Record& r) {
    constexpr std::uint16_t kPioPayload = 8;
    constexpr std::uint16_t kCommand = 13;
    const auto begun = [&] {
      if (r.cause == 0) return clock(r.rank, 0).at(r.middle);
      const bool command = r.what == kCommand || r.what == kPioPayload;
      return command ? std::max(clock(r.rank, 0).at(r.begin), Time::zero()) : steps_.of(r.cause);
    };
    if (r.number == 0) return begun();
    const auto [known, is_new] = operations_.try_emplace(r.number, Time::zero());
    if (is_new) {
      known->second = begun();
      order_.push_back(r.number);
      forget_old();
    }
    return known->second;
  }
  void forget_old() {
    constexpr std::size_t kMost = std::size_t{1} << 18;
    if (order_.size() <= kMost) return;
    operations_.erase(order_.front());
    order_.pop_front();
  }

  std::vector<Time> computed_;
  std::map<Place, Clock> clocks_;
  Recent messages_;
  Recent steps_;
  std::unordered_map<std::uint64_t, Time> operations_;
  std::deque<std::uint64_t> order_;
};

}  // namespace

Efficiency find_efficiency(const Recording& recorder) {
  Player player(recorder);
  recorder.for_each([&](const Record& r) { player.see(r); });
  return player.result(recorder.end());
}

}  // namespace heddle::record
