#include "trace/summary.hpp"

#include <algorithm>

namespace heddle::trace {

Time ActivityTotals::mean() const {
  if (count == 0) return Time::zero();
  return Time::ps(rounded_quotient(busy.ps(), static_cast<__int128>(count)));
}

void Summary::add(const Row& row) {
  ActivityTotals& totals = totals_[static_cast<std::size_t>(row.activity)];
  const Time duration = row.end - row.start;
  ++totals.count;
  totals.failed += row.failed ? 1 : 0;
  totals.bytes += row.size;
  totals.busy += duration;
  totals.longest = std::max(totals.longest, duration);
  ++rows_;
  first_ = std::min(first_, row.start);
  last_ = std::max(last_, row.end);
}

}  // namespace heddle::trace
