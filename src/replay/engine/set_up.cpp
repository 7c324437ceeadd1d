// The engine before anything happens: which ranks it has, and what their operations wait for.
#include <algorithm>
#include <bit>

#include "replay/engine/replay_engine.hpp"

namespace heddle::replay {
namespace {

/// Short enough that few events cause others within the same slice.
std::int64_t slice_of(std::int64_t window) {
  return std::max<std::int64_t>(1, window / 64);
}

/// A slice is no longer, and ends where a window does: nothing of it is left to be settled.
std::int64_t grain_of(std::int64_t window) {
  return static_cast<std::int64_t>(
      std::bit_floor(static_cast<std::uint64_t>(std::max<std::int64_t>(1, window / 16))));
}

}  // namespace

ReplayEngine::ReplayEngine(const Schedule& schedule, const ReplayOptions& options, Carrier* carrier)
    : ReplayEngine(schedule, options, carrier, UnitPairs::of(schedule), 0, schedule.ranks(),
                   CostModel(options.parameters).lookahead(), false) {}

ReplayEngine::ReplayEngine(const Schedule& schedule, const ReplayOptions& options, Carrier* carrier,
                           const UnitPairs& units, std::uint32_t first, std::uint32_t last,
                           std::int64_t window, bool shared)
    : schedule_(schedule),
      options_(options),
      noise_(options.noise),
      progress_(options.progress),
      carrier_(carrier),
      over_links_(carrier != nullptr),
      recording_(options.recorder),
      config_(options.parameters.replay),
      costs_(options.parameters),
      cpus_(units.cpus),
      nics_(units.nics),
      first_(first),
      count_(last - first),
      units_(units.list()),
      units_of_(std::size_t{cpus_} * nics_, 0),
      ranks_(count_, {cpus_ + 2 * nics_, cpus_ + static_cast<std::uint32_t>(units_.size()),
                      static_cast<std::uint32_t>(units_.size())}),
      queue_(slice_of(window), shared ? grain_of(window) : BucketQueue::kLongest),
      posts_early_(units_.size() == 1 && cpus_ == 1 && !recording_),
      window_(window),
      grain_(grain_of(window)) {
  for (std::uint32_t u = 0; u < units_.size(); ++u)
    units_of_[std::size_t{units_[u].cpu} * nics_ + units_[u].nic] = u;
  find_programs();
}

void ReplayEngine::find_programs() {
  const PackedOp* end = nullptr;
  const std::uint8_t* predecessors = nullptr;  // Of the first operation.
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    const RankView rank = schedule_.rank(r);
    if (rank.size() == 0) continue;
    ops_ += rank.size();
    if (first_op_ == nullptr || rank.data() < first_op_) {
      first_op_ = rank.data();
      predecessors = rank.predecessors();
    }
    end = std::max(end, rank.data() + rank.size());
  }
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    const RankView rank = schedule_.rank(r);
    if (rank.size() != 0) state(r).first = static_cast<std::uint64_t>(rank.data() - first_op_);
  }
  const auto numbers = static_cast<std::size_t>(end - first_op_);
  count_predecessors({predecessors, numbers});
  if (cpus_ > 1) ready_.assign(numbers, 0);
  if (!noise_.silent()) noise_times_.assign(count_, 0);
}

void ReplayEngine::count_predecessors(std::span<const std::uint8_t> predecessors) {
  waiting_for_.reset(predecessors);
  if (!waiting_for_.any_waits_for_many()) return;
  for (std::uint32_t r = first_; r < first_ + count_; ++r) {
    const RankView rank = schedule_.rank(r);
    const std::vector<std::uint32_t> degrees = rank.in_degrees();
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      if (degrees[i] > WaitingCounts::kMany)
        waiting_for_.add(number_of(state(r), i), degrees[i] - WaitingCounts::kMany);
    }
  }
}

}  // namespace heddle::replay
