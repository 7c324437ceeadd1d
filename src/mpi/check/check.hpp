// What a program does wrong without being stopped: --check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mpi/check/access_check.hpp"
#include "mpi/check/buffer_check.hpp"
#include "mpi/check/causality.hpp"
#include "mpi/check/collective_check.hpp"
#include "mpi/check/findings.hpp"
#include "mpi/check/message_check.hpp"

namespace heddle::mpi {

class World;

/// Looks at messages, collective calls, buffers and windows while they are used, and at what is
/// left at the end. There is none unless it is asked for.
class Check {
 public:
  BufferCheck& buffers() { return buffers_; }
  CollectiveCheck& collectives() { return collectives_; }
  MessageCheck& messages() { return messages_; }
  AccessCheck& accesses() { return accesses_; }

  /// A message sets out, or a receive is posted.
  void sends(const Message& message);
  void receives(Process& process, const MatchKey& key, const Buffer& buffer,
                const Completion& completion);
  /// What was found, and what is left in a run that has ended, by rank: "rank 3: ...".
  std::vector<std::string> findings(World& world);

 private:
  Findings found_;
  Causality causality_;
  BufferCheck buffers_{found_};
  CollectiveCheck collectives_{found_};
  MessageCheck messages_{found_, causality_, collectives_};
  AccessCheck accesses_{found_, causality_, buffers_};
};

/// Data without a type of its own, which matches any other.
bool is_untyped(const Datatype& type);
/// Whether a process has left MPI, so that what it has not freed is left for ever.
bool has_ended(const Process& process);
/// Who writes what a message brings, for BufferCheck.
std::uint64_t owner_of(const Message& message);
std::uint64_t owner_of(const Completion& completion);
std::uint64_t owner_of(std::uint32_t context, int tag);

}  // namespace heddle::mpi
