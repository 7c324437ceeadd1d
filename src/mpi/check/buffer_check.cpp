#include "mpi/check/buffer_check.hpp"

#include <fmt/core.h>

#include "mpi/process.hpp"

namespace heddle::mpi {

void BufferCheck::begin(Process& process, const Owner& owner, const ByteRanges& bytes, Use use) {
  if (bytes.empty()) return;
  Held held{owner, bytes, use, contents(process.memory(), bytes)};
  complain_of_overlap(process, held);
  held_[process.id()].emplace(owner.number, std::move(held));
}

/// Two operations at the same memory, at least one of which writes. Receives that nobody looks at
/// share memory in many programs: that is let pass.
void BufferCheck::complain_of_overlap(const Process& process, const Held& held) {
  for (const auto& [number, other] : held_[process.id()]) {
    if (number == held.owner.number) continue;
    if (held.use == Use::reads && other.use == Use::reads) continue;
    if (held.owner.receives && other.owner.receives) continue;
    if (!held.bytes.overlaps(other.bytes)) continue;
    findings_.add(process.id(), fmt::format("gave the buffer of {} to {} before it was complete",
                                            other.owner.what, held.owner.what));
  }
}

void BufferCheck::compare(const Process& process, const Held& held) {
  if (!held.contents || contents(process.memory(), held.bytes) == held.contents) return;
  findings_.add(process.id(),
                fmt::format("changed the buffer of {} before it was complete", held.owner.what));
}

void BufferCheck::look(Process& process, std::uint64_t owner) {
  const auto [begin, end] = held_[process.id()].equal_range(owner);
  for (auto one = begin; one != end; ++one) compare(process, one->second);
}

void BufferCheck::renew(Process& process, std::uint64_t owner) {
  const auto [begin, end] = held_[process.id()].equal_range(owner);
  for (auto one = begin; one != end; ++one) {
    Held& held = one->second;
    if (held.use == Use::writes) held.contents = contents(process.memory(), held.bytes);
  }
}

void BufferCheck::forget(Process& process, std::uint64_t owner) {
  held_[process.id()].erase(owner);
}

void BufferCheck::end(Process& process, std::uint64_t owner) {
  look(process, owner);
  forget(process, owner);
}

}  // namespace heddle::mpi
