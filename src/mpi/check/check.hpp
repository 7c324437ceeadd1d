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
#include "mpi/message_observer.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

/// Part of the world: looks at messages, collective calls, buffers and windows while they are used,
/// and at what is left at the end. There is none unless it is asked for.
class Check final : public Part, private MessageObserver {
 public:
  /// Observes from now on.
  explicit Check(World& world);
  BufferCheck& buffers() { return buffers_; }
  CollectiveCheck& collectives() { return collectives_; }
  /// What was found, and what is left in a run that has ended, by rank: "rank 3: ...".
  std::vector<std::string> findings();

 private:
  void sends(const Message& message, SendCall call) override;
  void receives(Process& process, const MatchKey& key, const Buffer& buffer,
                const Completion& completion) override;
  void probed(const Message& message) override { messages_.probed(message); }
  void cancelled(Process& process, const Completion& completion) override;
  void meets(Message& message, const Buffer& buffer, const Completion& completion) override;
  void writes(Process& process, const Message& message) override;
  void wrote(Process& process, const Message& message) override;
  void delivered(const Message& message) override { messages_.delivered(message); }
  void sees_end(Process& process, const Completion& completion) override;
  void lends(Process& process, const Completion& completion, const Lent& lent) override;
  void has_back(Process& process, const Completion& completion) override;
  void forgets(Process& process, const Completion& completion) override;

  World& world_;
  Findings found_;
  Causality causality_;
  BufferCheck buffers_{found_};
  CollectiveCheck collectives_{found_};
  MessageCheck messages_{found_, causality_, collectives_};
  AccessCheck accesses_{found_, causality_, buffers_};
};

/// That of a process's world, or null.
inline Check* check_of(const Process& process) {
  return process.world().find_part<Check>();
}
/// Data without a type of its own, which matches any other.
bool is_untyped(const Datatype& type);
/// Whether a process has left MPI, so that what it has not freed is left for ever.
bool has_ended(const Process& process);
/// Who writes what a message brings, for BufferCheck.
std::uint64_t owner_of(const Message& message);
std::uint64_t owner_of(const Completion& completion);
std::uint64_t owner_of(std::uint32_t context, int tag);

}  // namespace heddle::mpi
