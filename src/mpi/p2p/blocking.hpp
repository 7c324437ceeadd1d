// Calls that wait for messages, and what a process that waits can say of it: for reports of
// deadlocks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "mpi/p2p/point_request.hpp"

namespace heddle::mpi {

/// One message that a process waits for.
class OneMessage final : public Blocked {
 public:
  /// It waits for `next` afterwards, if that is not null.
  OneMessage(Signal& signal, const PointCall& call, bool sends, const Signal* next)
      : signal_(signal), next_(next), call_(call), sends_(sends) {}
  std::string text() const override;
  std::optional<std::uint32_t> peer() const override;
  bool awaits(std::vector<Completion*>& list) const override;

 private:
  Signal& signal_;
  const Signal* next_;
  const PointCall& call_;
  bool sends_;
};

// The next three are a part of the call that they are made by: the processor guesses wrong where a
// function returns to that was called before its rank waited, and takes longer for that than for
// the function.

/// Waits for one operation of a call of the running rank, which waits for `next` afterwards.
[[gnu::always_inline]] inline void wait(Process& process, Signal& signal, const PointCall& call,
                                        bool sends, const Signal* next = nullptr) {
  // What is told from then on depends on who waits.
  if (!signal.done()) process.await_turn();
  if (!signal.done()) {
    signal.expect();
    const Process::LastWait last(process);
    process.wait_until([&] { return signal.done(); }, OneMessage(signal, call, sends, next));
  } else {
    process.settle();
  }
  engine_of(process).observers().tell([&](MessageObserver& one) { one.sees_end(process, signal); });
}
/// Waits until `enough` of the requests (null ones and inactive ones do not count) are complete; at
/// once if fewer are not.
void wait(Process& process, std::span<Request* const> requests, std::int64_t enough);

/// Bytes of a message that nobody copies aside again: what MPI_Send does.
[[gnu::always_inline]] inline void blocking_send(Process& process, const PointCall& call,
                                                 SendMode mode) {
  Signal signal(process);
  engine_of(process).send(process, call.communicator->channel(Traffic::point_to_point), call.peer,
                          call.tag, call.buffer(), mode, signal, SendCall::blocking);
  wait(process, signal, call, true);
}

[[gnu::always_inline]] inline Outcome blocking_receive(Process& process, const PointCall& call) {
  Signal signal(process);
  engine_of(process).receive(process, call.communicator->channel(Traffic::point_to_point),
                             call.peer, call.tag, call.buffer(), signal);
  wait(process, signal, call, false);
  return signal.outcome();
}

}  // namespace heddle::mpi
