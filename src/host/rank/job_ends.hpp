// How the ranks of a job end.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "host/rank/crash.hpp"
#include "host/rank/rank_id.hpp"

namespace heddle::host {

class Rank;

/// Called when a rank's process has ended, before its memory goes.
using EndHook = std::function<void(Rank&)>;

/// With what status each rank of a job has ended, and what ended the run before its time, if
/// anything did.
class JobEnds {
 public:
  /// The rank that ended the job, if one did, and what is to be said of it.
  struct Abort {
    const Rank* rank = nullptr;
    const char* call = "";
    int status = 0;
    std::string problem;  ///< In words of its own, or empty.
  };

  /// There are so many ranks now.
  void expect(std::size_t ranks) { statuses_.resize(ranks); }
  /// Layers above may want to know of ends.
  void tell(EndHook hook) { hooks_.push_back(std::move(hook)); }
  /// A rank, which has this number, has ended with this status; on one of its fibers still.
  void ended(Rank& rank, RankId id, int status) {
    statuses_[index(id)] = status;
    for (const EndHook& hook : hooks_) hook(rank);
  }
  /// Exit status of a rank that has ended.
  int status(RankId id) const { return statuses_[index(id)]; }

  const Abort& abort() const { return abort_; }
  void abort(Abort abort) { abort_ = std::move(abort); }
  /// How the rank that crashed did.
  const Crash& crash() const { return crash_; }
  void crash(const Crash& crash) { crash_ = crash; }

 private:
  std::vector<int> statuses_;
  std::vector<EndHook> hooks_;
  Abort abort_;
  Crash crash_;
};

}  // namespace heddle::host
