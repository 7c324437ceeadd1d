// Requests: operations that calls start and others complete.
#pragma once

#include <cstdint>

#include "mpi/completion.hpp"

namespace heddle::mpi {

class Process;

/// The state behind an MPI_Request. What derives from it starts an operation and calls finish().
class Request {
 public:
  explicit Request(Process& process, bool persistent = false)
      : process_(process), persistent_(persistent), active_(!persistent) {}
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Process& process() const { return process_; }
  bool persistent() const { return persistent_; }
  /// Started, and not yet waited for with success. One that is not persistent is active from the
  /// beginning.
  bool active() const { return active_; }
  bool complete() const { return complete_; }
  const Outcome& outcome() const { return outcome_; }

  /// Starts a persistent request again.
  void start() {
    active_ = true;
    complete_ = false;
    begin();
  }
  /// The program has been told of the end.
  void deactivate() { active_ = false; }
  /// Ends the operation if it has not met its peer yet; then it finishes as cancelled.
  virtual void cancel() {}
  /// A call that completes requests hands the outcome out: the last chance to change it
  /// (generalized requests ask the program).
  virtual void deliver(Outcome&) {}
  /// Nobody needs the request any more: it is complete or inactive, and its handle is gone.
  virtual void release() { delete this; }
  /// What it waits for, completing "rank 3 waits in MPI_Wait for ...": "MPI_Irecv from 2, tag 7".
  virtual std::string describe() const = 0;

  /// The handle goes before the operation ends: it is released then.
  void orphan();

 protected:
  virtual ~Request() = default;
  /// What start() does for a kind of requests that is persistent.
  virtual void begin() {}
  /// The operation has ended; from any code.
  void finish(const Outcome& outcome);

 private:
  friend class RequestWait;
  Process& process_;
  Outcome outcome_;
  std::int64_t* waiting_ = nullptr;  ///< Counts the requests that a call waits for.
  bool persistent_;
  bool active_;
  bool complete_ = false;
  bool orphan_ = false;
};

/// Gives a request a handle; the request is released when the handle goes.
int add_request(Request& request);

}  // namespace heddle::mpi
