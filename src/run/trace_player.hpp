// Ranks that do what a trace says.
#pragma once

#include "host/memory/guarded_memory.hpp"
#include "host/rank/job.hpp"
#include "traces/trace.hpp"

namespace heddle::run {

/// A program whose ranks make the calls of a trace, and compute in between as long as it says.
/// Messages must carry no data, for there is none.
class TracePlayer final : public host::Program {
 public:
  /// The trace must outlive the player. Throws InputError for one that has communicators of its
  /// own.
  explicit TracePlayer(const traces::Trace& trace);
  int run(host::Rank& rank) override;
  AddressSpace& memory(host::Rank&) override { return memory_; }

 private:
  const traces::Trace& trace_;
  host::GuardedMemory memory_;
};

}  // namespace heddle::run
