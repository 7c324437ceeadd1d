// How evenly fixed routes load the links of a fabric, counted without simulating anything.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "platform/platform.hpp"

namespace heddle::platform {

/// The most loaded link of some traffic.
struct StaticLoad {
  std::uint64_t flows = 0;  ///< That cross the link with most of them.
  double saturation = 1;    ///< Part of what nodes can inject that all links bear, at most 1.
  /// Likewise of the links between switches alone; may be more than 1, or without end.
  double inner = std::numeric_limits<double>::infinity();
  std::uint64_t cut_off = 0;  ///< Flows without a way, which are left out.
  std::uint32_t longest = 0;  ///< Links of the longest route.
};

/// Every node sends to the one `shift` numbers behind it, modulo the nodes.
StaticLoad shift_load(const Platform& platform, std::uint32_t shift);

/// The shift whose most loaded link has most flows; of several, the first.
struct WorstShift {
  std::uint32_t shift = 0;
  StaticLoad load;
  bool all = true;  ///< All shifts were looked at; otherwise some, always the same.
};
/// Looks at all of up to `most` shifts, else at as many, powers of two among them.
WorstShift worst_shift(const Platform& platform, std::uint32_t most = 1024);

/// Every node sends equally much to each of the others. From a sample of shifts, always the same,
/// where there are more than `most`.
struct UniformLoad {
  StaticLoad load;
  bool all = true;  ///< All pairs were looked at.
};
UniformLoad uniform_load(const Platform& platform, std::uint32_t most = 2048);

}  // namespace heddle::platform
