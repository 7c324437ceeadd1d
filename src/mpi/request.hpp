// Requests: operations that calls start and others complete.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "mpi/completion.hpp"
#include "mpi/handle.hpp"
#include "mpi/process.hpp"

namespace heddle::mpi {

/// The state behind an MPI_Request. What derives from it starts an operation and calls finish().
class Request {
 public:
  explicit Request(Process& process, bool persistent = false)
      : process_(&process), persistent_(persistent), active_(!persistent) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Process& process() const { return *process_; }
  bool persistent() const { return persistent_; }
  /// Started, and not yet waited for with success. One that is not persistent is active from the
  /// beginning.
  bool active() const { return active_; }
  bool complete() const { return complete_; }
  /// Its handle has gone before its end.
  bool orphaned() const { return orphan_; }
  const Outcome& outcome() const { return outcome_; }

  /// Whether it is a message between two ranks, at whose end nothing but the program is told.
  virtual bool is_message() const { return false; }
  /// Who is told of the end of that message; else null.
  virtual Completion* told() { return nullptr; }

  /// Starts a persistent request, on the rank's own fiber.
  void start() {
    active_ = true;
    complete_ = false;
    begin();
  }
  /// The program has been told of the end.
  void deactivate() { active_ = false; }
  /// Ends the operation if it has not met its peer yet; it is complete then, as cancelled.
  virtual void cancel() {}
  /// A call that completes requests hands the outcome out: the last chance to change it
  /// (generalized requests ask the program).
  virtual void deliver(Outcome&) {}
  /// Nobody needs the request any more: it is complete or inactive, and its handle is gone.
  virtual void release() { delete this; }
  /// What it is, completing "rank 3 waits in MPI_Wait for ...": "MPI_Irecv from 2, tag 7, ...".
  virtual std::string describe() const = 0;
  /// The process whose turn it is, if it is known.
  virtual std::optional<std::uint32_t> peer() const { return std::nullopt; }

  /// The handle goes: the request is released, now or when the operation has ended.
  void orphan();
  /// A call waits for this request: `*left` is counted down when it is complete, and the process
  /// notified at zero. Null: no longer.
  void set_waiting(std::int64_t* left) { waiting_ = left; }

 protected:
  virtual ~Request() = default;
  /// What start() does for a kind of requests that is persistent.
  virtual void begin() {}
  /// The operation has ended; from any code. The request may be gone afterwards.
  void finish(const Outcome& outcome);
  /// For records that are used again.
  void reset(Process& process, bool persistent) {
    process_ = &process;
    outcome_ = {};
    waiting_ = nullptr;
    persistent_ = persistent;
    active_ = !persistent;
    complete_ = orphan_ = false;
  }

 private:
  Process* process_;
  Outcome outcome_;
  std::int64_t* waiting_ = nullptr;
  bool persistent_;
  bool active_;
  bool complete_ = false;
  bool orphan_ = false;
};

/// Part of a process: its requests by handle.
struct Requests final : Part {
  explicit Requests(Process&) {}
  HandleTable<Request*, ObjectKind::request> table;
};

/// Gives a request of a pool a handle; the request is released when the handle goes.
inline int add_request(Request& request) {
  return request.process().part<Requests>().table.add(&request);
}

struct ReleaseRequest {
  void operator()(Request* request) const { request->release(); }
};
/// A request without a handle; gone unless it gets one.
template <class Kind>
using NewRequest = std::unique_ptr<Kind, ReleaseRequest>;
template <class Kind, class... Arguments>
NewRequest<Kind> make_request(Arguments&&... arguments) {
  return NewRequest<Kind>(new Kind(std::forward<Arguments>(arguments)...));
}
/// Gives it a handle, to which it belongs from now on.
template <class Kind>
Kind& add_request(NewRequest<Kind> request, int* handle) {
  *handle = add_request(*request);
  return *request.release();
}
[[noreturn]] void no_such_request(int handle);
/// The request of a handle; throws MPI_ERR_REQUEST. Null for MPI_REQUEST_NULL.
inline Request* find_request(Process& process, int handle) {
  if (handle == MPI_REQUEST_NULL) return nullptr;
  if (Request** found = process.part<Requests>().table.find(handle)) return *found;
  no_such_request(handle);
}

}  // namespace heddle::mpi
