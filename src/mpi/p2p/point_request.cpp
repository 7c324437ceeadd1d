#include "mpi/p2p/point_request.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/call_log.hpp"
#include "mpi/check/check.hpp"
#include "mpi/engine/bsend_buffer.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {

std::string describe(const PointCall& call, bool sends) {
  const std::string peer = call.peer == MPI_ANY_SOURCE ? "any rank" : std::to_string(call.peer);
  const std::string tag = call.tag == MPI_ANY_TAG ? "any tag" : fmt::format("tag {}", call.tag);
  return fmt::format("{} {}, {}, {}, {} bytes", sends ? "to" : "from", peer, tag,
                     call.communicator->label(), bytes(call.buffer()));
}

PointRequest& PointRequests::take(Process& process, PointCall&& call, PointRequest::Kind kind,
                                  SendMode mode, bool persistent) {
  PointRequest* request = nullptr;
  if (free_.empty()) {
    request = &records_.emplace_back(process);
  } else {
    request = free_.back();
    free_.pop_back();
  }
  request->prepare(process, std::move(call), kind, mode, persistent);
  return *request;
}

void PointRequest::begin() {
  Engine& engine = process().world().engine();
  const Channel channel = call_.communicator->channel(Traffic::point_to_point);
  if (Check* check = process().world().check(); check != nullptr && call_.peer != MPI_PROC_NULL) {
    const bool receives = kind_ == Kind::receive;
    check->buffers().begin(process(), {owner_of(*this), describe(), receives},
                           ByteRanges(call_.buffer()),
                           receives ? BufferCheck::Use::writes : BufferCheck::Use::reads);
  }
  if (kind_ == Kind::send) {
    if (persistent()) reserve_space(process(), call_, mode_);
    // The completion may come before the handle is known.
    send_ = engine.send(process(), channel, call_.peer, call_.tag, call_.buffer(), mode_, *this);
  } else {
    receive_ = engine.receive(process(), channel, call_.peer, call_.tag, call_.buffer(), *this);
  }
}

void PointRequest::begin_extracted(Message& message) {
  process().world().engine().receive_extracted(message, call_.buffer(), *this);
}

void PointRequest::completed(const Outcome& outcome) {
  finish(outcome);
}

void PointRequest::cancel() {
  Engine& engine = process().world().engine();
  const bool taken_back = kind_ == Kind::send ? engine.cancel(send_) : engine.cancel(receive_);
  if (!taken_back) return;
  Outcome outcome;
  outcome.cancelled = true;
  finish(outcome);
}

void PointRequest::deliver(Outcome&) {
  if (CallLog* log = process().world().call_log()) log->sees_end(process(), *this);
  if (Check* check = process().world().check()) {
    check->messages().sees_end(process(), *this);
    check->buffers().end(process(), owner_of(*this));
  }
}

void PointRequest::release() {
  if (Check* check = process().world().check()) check->buffers().forget(process(), owner_of(*this));
  call_.communicator = nullptr;
  call_.type = nullptr;
  process().world().point_requests().give_back(*this);
}

std::string PointRequest::describe() const {
  return fmt::format("{} {}", kind_ == Kind::send ? "a send" : "a receive",
                     mpi::describe(call_, kind_ == Kind::send));
}

}  // namespace heddle::mpi
