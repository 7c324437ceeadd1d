// Whose a thread is, and where it runs.
#pragma once

#include <cstdint>

#include "core/fiber.hpp"
#include "host/rank/job_site.hpp"
#include "host/rank/rank_site.hpp"
#include "record/recording.hpp"

namespace heddle::host {

/// A thread of a rank without what it does: what its parts know of it.
class ThreadSite {
 public:
  ThreadSite(RankSite& rank, std::uint32_t number) : rank_(rank), number_(number) {}
  ThreadSite(const ThreadSite&) = delete;
  ThreadSite& operator=(const ThreadSite&) = delete;

  Rank& rank() const { return rank_.self(); }
  RankSite& rank_site() const { return rank_; }
  JobSite& job_site() const { return rank_.job_site(); }
  std::uint32_t number() const { return number_; }  ///< Among those of its rank.
  Fiber& fiber() const { return *fiber_; }
  Time now() const { return fiber_->scheduler().simulation().now(); }
  /// What a recording knows it by.
  record::RankThread lane() const { return {job_site().recorded_as(rank_.id()), number_}; }

 protected:
  ~ThreadSite() = default;
  void run_on(Fiber& fiber) { fiber_ = &fiber; }

 private:
  RankSite& rank_;
  Fiber* fiber_ = nullptr;
  std::uint32_t number_;
};

}  // namespace heddle::host
