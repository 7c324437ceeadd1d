// The memory that calls have used before.
#pragma once

#include <cstdint>
#include <map>

namespace heddle::traces {

/// A set of bytes, kept as intervals that do not touch.
class PinnedMemory {
 public:
  /// Adds `size` bytes from `begin` on and tells how many of them are new.
  std::uint64_t add(std::uint64_t begin, std::uint64_t size);
  std::size_t intervals() const { return ends_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> ends_;  ///< By begin.
};

}  // namespace heddle::traces
