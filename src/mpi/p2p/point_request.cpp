#include "mpi/p2p/point_request.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/engine/bsend_buffer.hpp"

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

void reserve_space(Process& process, const PointCall& call, SendMode mode) {
  if (mode == SendMode::buffered && call.peer != MPI_PROC_NULL) {
    process.part<BsendBuffer>().reserve(bytes(call.buffer()));
  }
}

void PointRequest::begin() {
  Engine& engine = engine_of(process());
  const Channel channel = call_.communicator->channel(Traffic::point_to_point);
  if (call_.peer != MPI_PROC_NULL) {
    engine.observers().tell([&](MessageObserver& one) {
      one.lends(process(), *this, {call_.buffer(), kind_ == Kind::receive, *this});
    });
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
  engine_of(process()).receive_extracted(message, call_.buffer(), *this);
}

void PointRequest::completed(const Outcome& outcome) {
  finish(outcome);
}

void PointRequest::cancel() {
  Engine& engine = engine_of(process());
  const bool taken_back = kind_ == Kind::send ? engine.cancel(send_) : engine.cancel(receive_);
  if (!taken_back) return;
  Outcome outcome;
  outcome.cancelled = true;
  finish(outcome);
}

void PointRequest::deliver(Outcome&) {
  engine_of(process()).observers().tell([&](MessageObserver& one) {
    one.sees_end(process(), *this);
    one.has_back(process(), *this);
  });
}

void PointRequest::release() {
  engine_of(process()).observers().tell(
      [&](MessageObserver& one) { one.forgets(process(), *this); });
  call_.communicator = nullptr;
  call_.type = nullptr;
  process().world().part<PointRequests>().give_back(*this);
}

std::string PointRequest::describe() const {
  return fmt::format("{} {}", kind_ == Kind::send ? "a send" : "a receive",
                     mpi::describe(call_, kind_ == Kind::send));
}

}  // namespace heddle::mpi
