// Memory that belongs to operations under way: whether the program leaves it alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>

#include "mpi/check/byte_ranges.hpp"
#include "mpi/check/findings.hpp"

namespace heddle::mpi {

class Process;

/// Compares what buffers hold with what was left there. What an operation only reads must be the
/// same at its end; what it writes must not change but by its own writing.
class BufferCheck {
 public:
  explicit BufferCheck(Findings& findings) : findings_(findings) {}

  enum class Use : std::uint8_t { reads, writes };
  /// An operation that has memory; who it is, for its own writing.
  struct Owner {
    std::uint64_t number = 0;
    std::string what = {};  ///< "a send to 3, tag 7, MPI_COMM_WORLD, 8 bytes".
    bool receives = false;  ///< It is a receive: others may be given the same memory.
  };

  /// From now on the memory belongs to the operation.
  void begin(Process& process, const Owner& owner, const ByteRanges& bytes, Use use);
  /// The program has it back: all that the operation had.
  void end(Process& process, std::uint64_t owner);
  /// The operation is over, and nobody has asked for its end.
  void forget(Process& process, std::uint64_t owner);

  /// The operation is going to write to its memory, and has done so.
  void look(Process& process, std::uint64_t owner);
  void renew(Process& process, std::uint64_t owner);
  /// The same, for as long as this lives.
  class Writing {
   public:
    Writing(BufferCheck* check, Process& process, std::uint64_t owner)
        : check_(check), process_(process), owner_(owner) {
      if (check_ != nullptr) check_->look(process_, owner_);
    }
    ~Writing() {
      if (check_ != nullptr) check_->renew(process_, owner_);
    }
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    BufferCheck* check_;
    Process& process_;
    std::uint64_t owner_;
  };

 private:
  struct Held {
    Owner owner;
    ByteRanges bytes;
    Use use = Use::reads;
    std::optional<std::uint64_t> contents;
  };
  using OfProcess = std::multimap<std::uint64_t, Held>;  ///< By owner.
  void compare(const Process& process, const Held& held);
  void complain_of_overlap(const Process& process, const Held& held);

  Findings& findings_;
  std::unordered_map<std::uint32_t, OfProcess> held_;
};

}  // namespace heddle::mpi
