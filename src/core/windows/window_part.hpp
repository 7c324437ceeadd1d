// One part of a simulation that several threads share.
#pragma once

#include <cstdint>

#include "core/windows/numbering.hpp"

namespace heddle {

/// Window by window of time: begin() or advance(), then settle() with the numbers of what that
/// caused.
class WindowPart {
 public:
  virtual ~WindowPart() = default;

  /// What happens before time begins: the first window.
  virtual void begin() = 0;
  /// Takes in what other parts have for this one; then everything that happens from `start` on, in
  /// a window that ends at `limit` at the latest. Nothing is left before `start`.
  virtual void advance(Time start, Time limit) = 0;
  /// Gives what was caused its numbers, and closes what it has for others. When next there is
  /// something to do, here or where that goes to; or Time::never().
  virtual Time settle(Numbers& numbers) = 0;
  /// What happened in the last window; closed.
  virtual const EventLog& log() const = 0;

  /// The simulated time.
  virtual Time now() const = 0;
  /// How much has happened: what windows are measured by.
  virtual std::uint64_t happened() const = 0;
};

}  // namespace heddle
