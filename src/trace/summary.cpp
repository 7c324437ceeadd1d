#include "trace/summary.hpp"

#include <algorithm>
#include <limits>

namespace heddle::trace {
namespace {

/// What does not fit is the largest number there is.
void add_bytes(ActivityTotals& totals, Bytes bytes) {
  std::int64_t total = 0;
  if (__builtin_add_overflow(totals.bytes.count(), bytes.count(), &total)) {
    total = std::numeric_limits<std::int64_t>::max();
    totals.more_bytes = true;
  }
  totals.bytes = Bytes(total);
}

}  // namespace

Time ActivityTotals::mean() const {
  if (count == 0) return Time::zero();
  return Time::ps(rounded_quotient(busy.ps(), static_cast<__int128>(count)));
}

void Summary::add(const Row& row) {
  ActivityTotals& totals = totals_[static_cast<std::size_t>(row.activity)];
  const Time duration = row.end - row.start;
  ++totals.count;
  totals.failed += row.failed ? 1 : 0;
  add_bytes(totals, row.size);
  totals.busy += duration;
  totals.longest = std::max(totals.longest, duration);
  ++rows_;
  first_ = std::min(first_, row.start);
  last_ = std::max(last_, row.end);
}

}  // namespace heddle::trace
