#include "mpi/p2p/blocking.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include "mpi/call_log.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

std::optional<std::uint32_t> process_of(const PointCall& call) {
  if (call.peer < 0) return std::nullopt;
  return call.communicator->peers().process(call.peer);
}

/// One message that a process waits for.
class OneMessage final : public Blocked {
 public:
  OneMessage(const Process& process, const PointCall& call, bool sends)
      : process_(process), call_(call), sends_(sends) {}
  std::string text() const override {
    return fmt::format("waits in {} {}", process_.call, describe(call_, sends_));
  }
  std::optional<std::uint32_t> peer() const override { return process_of(call_); }

 private:
  const Process& process_;
  const PointCall& call_;
  bool sends_;
};

/// Requests that a process waits for.
class SomeRequests final : public Blocked {
 public:
  SomeRequests(const Process& process, std::span<Request* const> requests)
      : process_(process), requests_(requests) {}
  std::string text() const override {
    std::int64_t open = 0;
    for (const Request* request : requests_) open += is_open(request);
    const std::string more = open > 1 ? fmt::format(" and {} more", open - 1) : "";
    return fmt::format("waits in {} for {}{}", process_.call, first()->describe(), more);
  }
  std::optional<std::uint32_t> peer() const override { return first()->peer(); }

 private:
  static bool is_open(const Request* request) {
    return request != nullptr && request->active() && !request->complete();
  }
  const Request* first() const {
    for (const Request* request : requests_) {
      if (is_open(request)) return request;
    }
    return requests_.front();
  }
  const Process& process_;
  std::span<Request* const> requests_;
};

}  // namespace

void wait(Process& process, Signal& signal, const PointCall& call, bool sends) {
  if (!signal.done()) {
    signal.expect();
    process.wait_until([&] { return signal.done(); }, OneMessage(process, call, sends));
  } else {
    process.settle();
  }
  if (CallLog* log = process.world().call_log()) log->sees_end(process, signal);
}

void wait(Process& process, std::span<Request* const> requests, std::int64_t enough) {
  std::int64_t left = 0;
  for (const Request* request : requests) {
    if (request == nullptr || !request->active()) continue;
    if (request->complete()) {
      --enough;
    } else {
      ++left;
    }
  }
  left = std::min(left, enough);
  if (left > 0) {
    Process::Awaited awaited(process, left);
    for (Request* request : requests) {
      if (request != nullptr && request->active() && !request->complete())
        request->set_waiting(&awaited.left());
    }
    process.wait_until([&] { return awaited.left() <= 0; }, SomeRequests(process, requests));
    for (Request* request : requests) {
      if (request != nullptr) request->set_waiting(nullptr);
    }
  } else {
    process.settle();
  }
}

void blocking_send(Process& process, const PointCall& call, SendMode mode) {
  Signal signal(process);
  process.world().engine().send(process, call.communicator->channel(Traffic::point_to_point),
                                call.peer, call.tag, call.buffer(), mode, signal,
                                SendCall::blocking);
  wait(process, signal, call, true);
}

Outcome blocking_receive(Process& process, const PointCall& call) {
  Signal signal(process);
  process.world().engine().receive(process, call.communicator->channel(Traffic::point_to_point),
                                   call.peer, call.tag, call.buffer(), signal);
  wait(process, signal, call, false);
  return signal.outcome();
}

std::optional<std::uint32_t> PointRequest::peer() const {
  return process_of(call_);
}

}  // namespace heddle::mpi
