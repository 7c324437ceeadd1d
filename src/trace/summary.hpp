// What a trace amounts to, per kind of activity.
#pragma once

#include <array>
#include <cstdint>

#include "core/quantity.hpp"
#include "core/time.hpp"
#include "trace/activity.hpp"
#include "trace/row.hpp"

namespace heddle::trace {

/// All activities of one kind.
struct ActivityTotals {
  std::uint64_t count = 0;
  std::uint64_t failed = 0;  ///< Of them.
  Bytes bytes;
  bool more_bytes = false;  ///< They are more than can be counted.
  Time busy;                ///< The sum of their durations, which may overlap.
  Time longest;

  /// Of one of them; zero if there are none.
  Time mean() const;
};

/// Adds up rows; keeps none.
class Summary {
 public:
  void add(const Row& row);
  const ActivityTotals& of(nic::Activity activity) const {
    return totals_[static_cast<std::size_t>(activity)];
  }
  std::uint64_t rows() const { return rows_; }
  /// From the first start to the last end; zero without rows.
  Time first() const { return rows_ == 0 ? Time::zero() : first_; }
  Time last() const { return last_; }

 private:
  std::array<ActivityTotals, kActivities> totals_;
  std::uint64_t rows_ = 0;
  Time first_ = Time::never();
  Time last_;
};

}  // namespace heddle::trace
