#include "host/rank/processor_use.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "core/log.hpp"
#include "core/units.hpp"
#include "host/rank/place_name.hpp"

namespace heddle::host {

/// Ranks that are started later share the last place.
ProcessorUse::ProcessorUse(std::uint32_t ranks, const HostParams& params, Time max_step)
    : free_(params.compute == ComputeModel::none),
      patience_(params.spin_patience / 4),
      max_step_(max_step),
      by_rank_(std::size_t{ranks} + 1) {}

Time& ProcessorUse::of(std::uint32_t rank) {
  return by_rank_[std::min<std::size_t>(rank, by_rank_.size() - 1)];
}

bool ProcessorUse::computed(const Found& found, const void* place, Time passed) {
  if (found.thread != stretch_.thread || found.events != stretch_.events) {
    of(stretch_.rank) += stretch_.time;
    stretch_ = {found.thread, found.rank, found.events, Time::zero()};
  }
  stretch_.time += passed;
  const std::uint64_t others = found.events - looks_;
  if (others != still_.events) still_ = {others, found.now, Time::zero()};
  still_.time += passed;
  if (max_step_ > Time::zero() && still_.time > max_step_) return true;
  if (is_programs(place) && stands_still(still_, found.now)) {
    tell(found.name.text(), ", at " + place_name(place), still_.time, found.now);
  }
  return false;
}

void ProcessorUse::waited(const ThreadSite& thread) {
  if (stretch_.thread == &thread) stretch_.time = Time::zero();
  still_.time = Time::zero();
}

void ProcessorUse::computed_outside(const Found& found, Time passed, Time stretch) {
  of(found.rank) += passed;
  if (stands_still({0, found.now, stretch}, found.now)) {
    tell(found.name.text(), "", stretch, found.now);
  }
}

/// Looks at the clock may let it move on, too slowly for anybody who waits.
bool ProcessorUse::stands_still(const Standstill& still, Time now) const {
  constexpr std::int64_t kSlow = 100;
  return free_ && !told_ && still.time > patience_ && (now - still.since) * kSlow < still.time;
}

void ProcessorUse::tell(const std::string& who, const std::string& place, Time computed, Time now) {
  told_ = true;
  write_stderr(fmt::format(
      "heddle: {} has computed for {} of processor time{} without a call other than looks at the "
      "clock, and simulated time stands at {}: computation takes none (host.compute=none), so a "
      "program that repeats something until the clock has moved on does not end. "
      "host.compute=measure has it take the time that it takes here; a limit on the processor time "
      "of a rank without a call ends such a run.\n",
      who, format_time(computed), place, format_time(now)));
}

ProcessorUse::Totals ProcessorUse::totals(std::uint32_t first, std::uint32_t ranks) const {
  Totals totals;
  const std::size_t end = std::min<std::size_t>(std::size_t{first} + ranks, by_rank_.size());
  for (std::size_t r = first; r < end; ++r) {
    const Time time = by_rank_[r] + (stretch_.rank == r ? stretch_.time : Time::zero());
    totals.all += time;
    totals.busiest = std::max(totals.busiest, time);
  }
  return totals;
}

}  // namespace heddle::host
