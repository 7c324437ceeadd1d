// What code decides, again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "host/rank/code/number_index.hpp"
#include "host/rank/code/thought.hpp"

namespace heddle::host {

/// Two numbers that were compared, or one with zero.
struct Comparison {
  Thought a;
  Thought b;
  bool earlier = false;  ///< Before the walk began: what these are is not known.
};

/// The places where code goes one way or the other, and by what.
class Decisions {
 public:
  void clear() { at_.clear(); }
  bool any() const { return at_.size() > 0; }
  /// At this place; false: there are too many.
  bool note(std::uint64_t place, bool which, const Comparison& by);
  /// Whether each is taken both ways, or always the same by what is always the same.
  bool fixed() const;
  /// Whether each is always taken in the same way, some by what is always the same and the others
  /// by numbers that come to an end of that in tens of seconds, or never. That takes so many
  /// rounds.
  bool end_far_away(std::uint32_t rounds) const;
  /// How often that was decided, of all that is always decided in the same way, which was least
  /// often; if all is taken both ways, `otherwise`. Inner loops have an end and are gone round more
  /// often than the whole, whose rounds these are.
  std::uint32_t rounds(std::uint32_t otherwise) const;

 private:
  struct Decision {
    std::uint64_t made_of;
    std::int64_t distance;  ///< Of the numbers that were compared last, ...
    std::int64_t step;      ///< ... and what it has changed by.
    std::uint32_t times;
    bool which;
    bool both_ways;
    bool varies;
  };
  static bool ends_far_away(const Decision& decision);

  static constexpr std::size_t kPlaces = 256;
  NumberIndex<kPlaces> at_;
  std::array<Decision, kPlaces> decisions_;
};

}  // namespace heddle::host
