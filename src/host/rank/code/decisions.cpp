#include "host/rank/code/decisions.hpp"

#include <algorithm>

#include "host/rank/registers.hpp"

namespace heddle::host {

bool Decisions::note(std::uint64_t place, bool which, const Comparison& by) {
  const std::uint64_t made_of = mixed(mixed(1, by.a.made_of()), by.b.made_of());
  const auto distance = static_cast<std::int64_t>(by.b.value - by.a.value);
  const std::size_t before = at_.size();
  const std::size_t number = at_.of(place);
  if (number == kPlaces) return false;
  Decision& decision = decisions_[number];
  if (number == before) {
    decision = {made_of, distance, 0, 1, which, false, false};
    return true;
  }
  ++decision.times;
  decision.both_ways = decision.both_ways || decision.which != which;
  decision.varies = decision.varies || decision.made_of != made_of;
  // As the processor subtracts: numbers may be any.
  decision.step = static_cast<std::int64_t>(static_cast<std::uint64_t>(decision.distance) -
                                            static_cast<std::uint64_t>(distance));
  decision.distance = distance;
  return true;
}

bool Decisions::fixed() const {
  const auto end = decisions_.begin() + static_cast<std::ptrdiff_t>(at_.size());
  return std::all_of(decisions_.begin(), end, [](const Decision& decision) {
    return decision.both_ways || (decision.times > 1 && !decision.varies);
  });
}

bool Decisions::ends_far_away(const Decision& decision) {
  // Looks that take so long that nobody waits for their end: tens of seconds.
  constexpr std::int64_t kForEver = 10'000'000'000;
  if (decision.step == 0) return false;
  // By minus one, the least number of all has no quotient.
  const std::int64_t left =
      decision.step == -1
          ? static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(decision.distance))
          : decision.distance / decision.step;
  // One that goes away from what it is compared with comes back to it at the end of numbers.
  return left <= -kForEver || left >= kForEver;
}

std::uint32_t Decisions::rounds(std::uint32_t otherwise) const {
  std::uint32_t least = 0;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Decision& decision = decisions_[i];
    if (!decision.both_ways && (least == 0 || decision.times < least)) least = decision.times;
  }
  return least == 0 ? otherwise : least;
}

bool Decisions::end_far_away(std::uint32_t rounds) const {
  bool looks = false;
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Decision& decision = decisions_[i];
    if (decision.both_ways) return false;
    if (!decision.varies) {
      looks = true;
    } else if (decision.times < rounds || !ends_far_away(decision)) {
      return false;
    }
  }
  return looks;
}

}  // namespace heddle::host
