// How ranks look for something that is not there yet.
#pragma once

#include <cstdint>

#include "core/time.hpp"

namespace heddle::host {

/// What looks in vain cost one thread of a program, and when there is no point in another. It takes
/// the clock from outside.
///
/// A look in vain costs a constant. After `Effort::exact` of them in a row the thread looks only
/// once in `Effort::nap` times that, unless it is told that something has happened, and it is told
/// in time for the look that would have found it: what a loop finds, and when, does not depend on
/// it.
class PollPolicy {
 public:
  static constexpr std::uint32_t kExactLooks = 4096;
  static constexpr std::int64_t kNapLooks = 100;
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
  /// nothing is on its way.
  Step looked(Time now, const Costs& costs, bool alone);
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
  Time since_;
  Time lonely_since_;
  std::uint32_t looks_ = 0;
  std::uint32_t lonely_looks_ = 0;
  bool clock_ = false;  ///< Seen since the last look.
};

}  // namespace heddle::host
