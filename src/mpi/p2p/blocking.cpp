#include "mpi/p2p/blocking.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <optional>

namespace heddle::mpi {
namespace {

std::optional<std::uint32_t> process_of(const PointCall& call) {
  if (call.peer < 0) return std::nullopt;
  return call.communicator->peers().process(call.peer);
}

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
  bool awaits(std::vector<Completion*>& list) const override {
    for (Request* request : requests_) {
      if (!is_open(request)) continue;
      Completion* const told = request->told();
      if (told == nullptr) return false;
      list.push_back(told);
    }
    return true;
  }

 private:
  static bool is_open(const Request* request) {
    return request != nullptr && request->active() && !request->complete();
  }
  /// That is open; or any, if none is left.
  const Request* first() const {
    const Request* any = nullptr;
    for (const Request* request : requests_) {
      if (is_open(request)) return request;
      if (request != nullptr) any = request;
    }
    return any;
  }
  const Process& process_;
  std::span<Request* const> requests_;
};

/// Whether none of them has anything to do at its end but to hand over a message.
bool only_messages(std::span<Request* const> requests) {
  return std::ranges::all_of(
      requests, [](const Request* request) { return request == nullptr || request->is_message(); });
}

}  // namespace

std::string OneMessage::text() const {
  return fmt::format("waits in {} {}", signal_.process().call, describe(call_, sends_));
}

std::optional<std::uint32_t> OneMessage::peer() const {
  return process_of(call_);
}

bool OneMessage::awaits(std::vector<Completion*>& list) const {
  if (next_ != nullptr && !next_->done()) return false;
  if (!signal_.done()) list.push_back(&signal_);
  return true;
}

void wait(Process& process, std::span<Request* const> requests, std::int64_t enough) {
  process.await_turn();
  std::int64_t left = 0;
  for (const Request* request : requests) {
    if (request == nullptr || !request->active()) continue;
    if (request->complete()) {
      --enough;
    } else {
      ++left;
    }
  }
  const bool all = left <= enough;
  left = std::min(left, enough);
  if (left > 0) {
    Process::Awaited awaited(process, left);
    // Whoever waits for some of them looks at the others afterwards.
    std::optional<Process::LastWait> last;
    if (all && only_messages(requests)) last.emplace(process);
    for (Request* request : requests) {
      if (request != nullptr && request->active() && !request->complete()) {
        request->set_waiting(&awaited.left());
      }
    }
    process.wait_until([&] { return awaited.left() <= 0; }, SomeRequests(process, requests));
    for (Request* request : requests) {
      if (request != nullptr) request->set_waiting(nullptr);
    }
  } else {
    process.settle();
  }
}

std::optional<std::uint32_t> PointRequest::peer() const {
  return process_of(call_);
}

}  // namespace heddle::mpi
