// Which of the ways that a routing draws the packets of a flow take.
#pragma once

#include <cstdint>
#include <memory>

#include "core/time.hpp"

namespace heddle::network {

/// What became of a packet that went by a way.
enum class PathFate : std::uint8_t {
  good,
  marked,   ///< It was marked for congestion,
  trimmed,  ///< cut,
  lost,     ///< or not heard of in time.
};

/// The ways of one flow, by numbers. Equal numbers are the same way.
class PathChooser {
 public:
  virtual ~PathChooser() = default;
  /// That of a packet that leaves now.
  virtual std::uint32_t next() = 0;
  /// A packet that went by `path` has arrived or not, as its source hears at `now`.
  virtual void heard(std::uint32_t /*path*/, PathFate, Time /*now*/) {}
};

/// Makes those of a network; outlives them. Several threads may use it.
class PathChoice {
 public:
  virtual ~PathChoice() = default;
  /// Of a flow whose random numbers follow from `seed`.
  virtual std::unique_ptr<PathChooser> new_flow(std::uint64_t seed) const = 0;
};

}  // namespace heddle::network
