// The memory that calls have used before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "traces/trace.hpp"

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

/// Bytes of the buffers that a collective call pins; nothing of one that the rank does not use.
struct PinnedBuffers {
  std::optional<std::uint64_t> sent;
  std::optional<std::uint64_t> received;
};
PinnedBuffers pinned_by(const RankTrace& trace, const Call& call);

}  // namespace heddle::traces
