// Something that costs nothing, done again and again.
#pragma once

#include <cstdint>

#include "core/time.hpp"

namespace heddle::host {

/// Counts how often it is done in one instant: a loop that does nothing else would never end.
class IdleLoop {
 public:
  /// It may be done again so often for nothing.
  static constexpr std::uint32_t kFree = 1000;

  /// It is done at `now`: whether time should pass.
  bool repeats(Time now) {
    again_ = last_ == now ? again_ + 1 : 0;
    return again_ > kFree;
  }
  /// What came of it is over.
  void done(Time now) { last_ = now; }

 private:
  Time last_;                ///< When it was last done.
  std::uint32_t again_ = 0;  ///< How often in that instant.
};

}  // namespace heddle::host
