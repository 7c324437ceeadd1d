// The requests of a rank that are under way.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>

#include "traces/convert/posts.hpp"
#include "traces/trace.hpp"

namespace heddle::traces {

/// A request under way.
struct ActiveRequest {
  std::uint32_t op;    ///< That ends when the request is complete.
  std::uint32_t post;  ///< Or kNoPost.
  std::uint32_t order;
  std::uint32_t maybe_op = kNoPost;  ///< The last call that may have found it complete.
  std::uint32_t maybe_call = 0;
};

/// By their addresses, as the rank's trace has them.
class ActiveRequests {
 public:
  explicit ActiveRequests(const RankTrace& trace) : trace_(trace) {}

  /// The request, if it is under way.
  const ActiveRequest* find(std::uint64_t request) const {
    const auto found = active_.find(request);
    return found == active_.end() ? nullptr : &found->second;
  }
  void activate(std::uint64_t request, std::uint32_t op, std::uint32_t post) {
    active_[request] = {op, post, activated_++};
  }
  void erase(std::uint64_t request) { active_.erase(request); }
  /// Visits those of the call's requests that are under way; `visit` tells whether they stay.
  template <class Visitor>
  void for_call(const Call& call, Visitor visit);
  template <class Visitor>
  void for_all(Visitor visit) const {
    for (const auto& [request, active] : active_) visit(active);
  }

 private:
  using Requests = std::map<std::uint64_t, ActiveRequest>;

  const RankTrace& trace_;
  Requests active_;
  std::uint32_t activated_ = 0;
};

template <class Visitor>
void ActiveRequests::for_call(const Call& call, Visitor visit) {
  const auto handle = [&](Requests::iterator it) {
    return visit(it->second) ? std::next(it) : active_.erase(it);
  };
  if (call.list != kNoList) {
    for (const std::uint64_t request : trace_.lists[call.list]) {
      const auto it = active_.find(request);
      if (it != active_.end()) handle(it);
    }
    return;
  }
  const std::uint64_t step = trace_.request_size;
  const std::uint64_t size = std::uint64_t{call.requests} * step;
  auto it = active_.lower_bound(call.request);
  while (it != active_.end() && it->first - call.request < size) {
    it = (it->first - call.request) % step == 0 ? handle(it) : std::next(it);
  }
}

}  // namespace heddle::traces
