#include "goal/custom/collective_algorithm.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

#include "goal/schedule_builder.hpp"

namespace heddle::goal {
namespace {

constexpr std::string_view kNames[] = {"allreduce", "allgather", "reduce_scatter", "alltoall"};

/// Tags of messages as numbers from 0, in their order, of each GPU to each other for itself.
class Channels {
 public:
  explicit Channels(const Schedule& schedule) {
    for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
      const RankView rank = schedule.rank(r);
      for (std::uint32_t i = 0; i < rank.size(); ++i) {
        const PackedOp& op = rank.packed(i);
        if (op.kind() != OpKind::calc) ways_[way(op.kind(), r, op.peer)].emplace(op.tag, 0);
      }
    }
    for (auto& [way, channels] : ways_) {
      std::uint32_t number = 0;
      for (auto& [tag, channel] : channels) channel = number++;
      count_ = std::max(count_, number);
    }
  }
  std::uint32_t of(std::uint32_t rank, const Op& op) const {
    return ways_.at(way(op.kind, rank, op.peer)).at(op.tag);
  }
  /// The most that there are from one GPU to another.
  std::uint32_t count() const { return count_; }

 private:
  using Way = std::pair<std::uint32_t, std::uint32_t>;  ///< From whom, to whom.
  static Way way(OpKind kind, std::uint32_t rank, std::uint32_t peer) {
    return kind == OpKind::send ? Way{rank, peer} : Way{peer, rank};
  }

  std::map<Way, std::map<std::uint32_t, std::uint32_t>> ways_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::string_view name_of(CollectiveKind kind) {
  return kNames[static_cast<std::size_t>(kind)];
}

std::optional<CollectiveKind> collective_kind_named(std::string_view name) {
  for (const CollectiveKind kind : kCollectiveKinds) {
    if (name_of(kind) == name) return kind;
  }
  return std::nullopt;
}

const Schedule& CollectiveAlgorithm::schedule(std::uint64_t bytes) const {
  const std::lock_guard lock(mutex_);
  const auto known = made_.find(bytes);
  return known != made_.end() ? known->second : made_.emplace(bytes, make_(bytes)).first->second;
}

const CollectiveAlgorithm* CollectiveAlgorithms::find(CollectiveKind kind,
                                                      std::uint32_t gpus) const {
  if (!has(kind)) return nullptr;
  {
    const std::lock_guard lock(asked_->mutex);
    asked_->groups.emplace(kind, gpus);
  }
  const auto found = std::ranges::find_if(
      all_, [&](const auto& one) { return one->kind() == kind && one->gpus() == gpus; });
  return found == all_.end() ? nullptr : found->get();
}

bool CollectiveAlgorithms::has(CollectiveKind kind) const {
  return std::ranges::any_of(all_, [&](const auto& one) { return one->kind() == kind; });
}

std::vector<std::string> CollectiveAlgorithms::remarks() const {
  std::vector<std::string> remarks;
  for (const auto& one : all_) {
    bool fits = false;
    for (const auto& [kind, gpus] : asked_->groups) {
      if (kind != one->kind()) continue;
      fits = fits || gpus == one->gpus();
      if (gpus == one->gpus()) continue;
      remarks.push_back(
          fmt::format("each {} of {} GPUs is carried out as if there were no file: "
                      "'{}' is for {}",
                      name_of(kind), gpus, one->name(), one->gpus()));
    }
    if (fits) continue;
    remarks.push_back(fmt::format("'{}' is not used: there is no {} of {} GPUs", one->name(),
                                  name_of(one->kind()), one->gpus()));
  }
  return remarks;
}

Schedule scaled(const Schedule& schedule, std::uint64_t bytes, std::uint64_t of) {
  const Channels channels(schedule);
  const long double factor = static_cast<long double>(bytes) / static_cast<long double>(of);
  ScheduleBuilder out(schedule.ranks(), schedule.source());
  for (std::uint32_t r = 0; r < schedule.ranks(); ++r) {
    out.begin_rank(r);
    const RankView rank = schedule.rank(r);
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      Op op = rank.op(i);
      const long double value = static_cast<long double>(op.value) * factor;
      op.value = static_cast<std::uint64_t>(op.kind == OpKind::calc ? std::round(value)
                                                                    : std::ceil(value));
      if (op.kind != OpKind::calc) op.tag = channels.of(r, op);
      out.add(op);
    }
    for (std::uint32_t i = 0; i < rank.size(); ++i) {
      for (const Edge edge : rank.successors(i)) {
        if (edge.from_start) {
          out.requires_start(edge.target, i);
        } else {
          out.requires_end(edge.target, i);
        }
      }
    }
    out.end_rank();
  }
  return out.finish();
}

std::uint32_t count_channels(const Schedule& schedule) {
  return Channels(schedule).count();
}

}  // namespace heddle::goal
