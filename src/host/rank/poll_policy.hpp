// How ranks look for something that is not there yet.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/time.hpp"

namespace heddle::host {

/// What looks in vain cost one thread of a program, and when there is no point in another. It takes
/// the clock from outside.
///
/// A look in vain costs a constant. After `Effort::exact` of them in a row the thread looks only
/// once in `Effort::nap` times that, unless it is told that something has happened, and it is told
/// in time for the look that would have found it: what a loop finds, and when, does not depend on
/// it. Who has looked in vain so often in all waits in this way: from then on it naps after a few
/// looks of that kind, and where everything that can end the row is told, ever longer. A loop that
/// looks at the clock, too, may be about to end by that, and does neither.
class PollPolicy {
 public:
  static constexpr std::uint32_t kExactLooks = 4096;
  static constexpr std::int64_t kNapLooks = 100;
  /// Of a thread that is known to look for long, before it naps.
  static constexpr std::uint32_t kFewLooks = 8;
  /// The part of the time waited so far that its naps grow to.
  static constexpr std::int64_t kNapShare = 2;
  /// In a row, while nothing in the whole job is on its way: enough for a program that counts them
  /// to come to its own end.
  static constexpr std::uint32_t kHopelessLooks = 200'000;
  /// A loop that looks at the clock, too, ends by it when nothing else is on its way: it then skips
  /// this part of the time that has passed so.
  static constexpr std::int64_t kClockShare = 1024;

  /// How many looks in a row are carried out one by one, and how many a nap stands for then.
  struct Effort {
    std::uint32_t exact = kExactLooks;
    std::int64_t nap = kNapLooks;
    bool all_is_told = false;  ///< Nothing but what the thread is told of can end a row of looks.
  };
  struct Costs {
    Time look;      ///< Of one look in vain.
    Time patience;  ///< For loops that look at the clock, when nothing is on its way.
    Effort effort = {};
  };
  /// What comes after a look in vain.
  struct Step {
    Time nap;               ///< Until the next look, if nothing happens before.
    bool hopeless = false;  ///< Only what happens to the thread can wake it.
  };

  /// The thread has looked in vain at `now`. `alone`: everybody in the job waits or polls, and
  /// nothing is on its way. `kind` tells looks of one kind from others.
  Step looked(Time now, const Costs& costs, bool alone, const void* kind = nullptr);
  /// The thread has looked at the clock.
  void saw_clock() { clock_ = true; }
  /// Something has happened, or the thread has done something else than to look.
  void start_anew() { looks_ = lonely_looks_ = 0; }
  /// When the present row of looks began.
  Time since() const { return since_; }

  /// The rest of a nap that began `elapsed` ago and that something has ended: until the next look
  /// of a loop that does not nap.
  static Time until_look(Time elapsed, Time cost);

 private:
  /// How often looks of a kind have been in vain, in all.
  class Known {
   public:
    bool has(const void* kind) const { return counts_[place_of(kind)] >= kExactLooks; }
    void add(const void* kind) {
      std::uint16_t& count = counts_[place_of(kind)];
      count = static_cast<std::uint16_t>(count + (count < kExactLooks ? 1 : 0));
    }

   private:
    /// Kinds are few, and what two that share a place lose is little.
    static std::size_t place_of(const void* kind) {
      return (reinterpret_cast<std::uintptr_t>(kind) >> 4) % 8;
    }
    std::array<std::uint16_t, 8> counts_{};
  };

  Known known_;
  Time since_;
  Time lonely_since_;
  std::uint32_t looks_ = 0;
  std::uint32_t lonely_looks_ = 0;
  bool clock_ = false;  ///< Seen since the last look.
};

}  // namespace heddle::host
