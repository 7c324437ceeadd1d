// The records of commands, by their numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/containers/index_pool.hpp"
#include "portals/command.hpp"

namespace heddle::portals {

class Commands {
 public:
  /// A new record for a command of `process`.
  std::uint32_t add(Process& process, CommandKind kind);
  /// The same for a parcel; its process may have ended, and be null.
  std::uint32_t add_parcel(Process* process);
  Command& operator[](std::uint32_t number) { return records_[number]; }
  const Command& operator[](std::uint32_t number) const { return records_[number]; }

  /// Counts the command among those of its process that are under way, or no longer.
  void link(std::uint32_t number);
  void unlink(std::uint32_t number);
  /// The number may be used again.
  void discard(std::uint32_t number);

  std::size_t in_use() const { return records_.in_use(); }
  IndexPool<Command>& records() { return records_; }

 private:
  IndexPool<Command> records_;
};

}  // namespace heddle::portals
