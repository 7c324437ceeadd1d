// When each of many members that are served at few, changing paces is through.
#pragma once

#include <cstdint>
#include <vector>

#include "core/containers/min_tree.hpp"
#include "core/time.hpp"

namespace heddle::network {

/// Clocks that run at changing paces, with members that are due when their clock has advanced by
/// what each of them needs.
///
/// Members of a clock advance in step, so the order in which they are due stays as it is when the
/// pace changes: what that costs does not depend on how many they are. A clock's reading is the
/// pace summed over time in ps, from an origin that is moved now and then to keep it exact. Of most
/// clocks it is enough to know before when nobody is due: the end at a pace somewhat greater than
/// theirs. It stays true while the pace does not exceed that, and only clocks for which that time
/// comes near are asked for the true one.
class ServiceClocks {
 public:
  using Clock = std::uint32_t;
  using Member = std::uint32_t;
  /// What is not due within the time a simulation has is due here, in ps.
  static constexpr std::int64_t kBeyond = Time::never().ps() - 1;

  /// Clocks are numbered from 0 to `clocks` - 1. Only those that have been set take up memory.
  explicit ServiceClocks(std::size_t clocks) : slot_of_(clocks, kNoSlot) {}

  /// From `now` on the clock runs at `pace`, which is not negative. At 0 it stands still: those who
  /// need more are due at kBeyond.
  void set_pace(Clock clock, double pace, Time now);
  /// Puts a member that has no clock to one whose pace has been set; it is due when the clock has
  /// advanced by `service`.
  void join(Member member, Clock clock, double service, Time now);
  /// The two together for a clock that nobody is on.
  void start(Member member, Clock clock, double pace, double service, Time now);
  /// Changes that to `service` since it joined.
  void expect(Member member, double service);
  void leave(Member member);

  /// Whether it has members.
  bool is_busy(Clock clock) const {
    return slot_of_[clock] != kNoSlot && !slots_[slot_of_[clock]].heap.empty();
  }
  bool has_clock(Member member) const {
    return member < places_.size() && places_[member].slot != kNoSlot;
  }
  /// By how much the member's clock has advanced since it joined.
  double served(Member member, Time now) const;
  /// Whether the clock will have advanced by `service` since the member joined at `now`, in whole
  /// ps.
  bool has_served(Member member, double service, Time now) const;

  /// When the first of all members is due, in ps: MinTree::kNone if there are none.
  std::int64_t next();
  /// That member, if next() has been called since the last change.
  Member next_member() const { return slots_[ends_.least_slot()].heap.front().member; }

 private:
  static constexpr std::uint32_t kNoSlot = ~std::uint32_t{0};
  struct Entry {
    double mark;           ///< The reading at which the member is due.
    std::uint64_t number;  ///< Orders equal marks: who joined first.
    Member member;
    bool operator<(const Entry& other) const {
      return mark != other.mark ? mark < other.mark : number < other.number;
    }
  };
  /// A clock that has been set, in one cache line.
  struct alignas(64) Slot {
    double pace = 0;
    double reading = 0;  ///< At `read`.
    Time read;
    std::vector<Entry> heap;    ///< Members, the least mark first.
    double most_pace = 0;       ///< Up to this pace nobody is due before the end in `ends_`.
    std::uint32_t changes = 0;  ///< Of the pace, since the origin was moved.
    bool exact = false;         ///< The end in `ends_` is that of the first member.
  };
  struct Place {
    std::uint32_t slot = kNoSlot;
    std::uint32_t index = 0;  ///< In the heap.
    double begun = 0;         ///< The clock's reading when it joined.
  };

  static double reading(const Slot& slot, Time now) {
    return slot.reading + slot.pace * static_cast<double>((now - slot.read).ps());
  }
  static Time end(const Slot& slot, double mark);
  void foresee(std::uint32_t slot);
  void expect_exactly(std::uint32_t slot);
  void move_origin(Slot& slot);
  std::uint32_t slot_for(Clock clock);
  void join_alone(Member member, std::uint32_t slot, double service, Time now);
  void put(Slot& slot, std::size_t index, const Entry& entry);
  void rise(Slot& slot, std::size_t index, const Entry& entry);
  void sink(Slot& slot, std::size_t index, const Entry& entry);
  void settle(Slot& slot, std::size_t index, const Entry& entry);

  std::vector<std::uint32_t> slot_of_;  ///< By clock.
  std::vector<Slot> slots_;
  std::vector<Place> places_;  ///< By member.
  std::uint64_t next_number_ = 0;
  MinTree ends_;  ///< By slot: a time in ps before which no member is due.
};

}  // namespace heddle::network
