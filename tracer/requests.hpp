// Numbers for requests, which stay the same from the call that makes a request to its completion.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "calls.hpp"

namespace heddle_trace {

struct Request {
  std::uint64_t id = 0;  ///< 0: unknown, or MPI_REQUEST_NULL.
  bool receives = false;
};

/// MPICH gives one handle to all sends that were complete at once, so a handle may stand for
/// several requests; which of them is meant does not matter then. The oldest is taken.
class Requests {
 public:
  std::uint64_t add(Word handle, bool receives) {
    open_.emplace(handle, Request{++last_, receives});
    return last_;
  }
  Request find(Word handle) const {
    const auto [begin, end] = open_.equal_range(handle);
    Request oldest;
    for (auto at = begin; at != end; ++at) {
      if (oldest.id == 0 || at->second.id < oldest.id) oldest = at->second;
    }
    return oldest;
  }
  /// Forgets what `find` gives.
  void remove(Word handle) {
    const Request oldest = find(handle);
    const auto [begin, end] = open_.equal_range(handle);
    for (auto at = begin; at != end; ++at) {
      if (at->second.id == oldest.id) {
        open_.erase(at);
        return;
      }
    }
  }

 private:
  std::unordered_multimap<Word, Request> open_;
  std::uint64_t last_ = 0;
};

}  // namespace heddle_trace
