// Collectives as files have them: algorithms beside those that are built in.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "goal/schedule.hpp"

namespace heddle::goal {

enum class CollectiveKind : std::uint8_t { allreduce, allgather, reduce_scatter, alltoall };
inline constexpr CollectiveKind kCollectiveKinds[] = {
    CollectiveKind::allreduce, CollectiveKind::allgather, CollectiveKind::reduce_scatter,
    CollectiveKind::alltoall};
std::string_view name_of(CollectiveKind kind);
std::optional<CollectiveKind> collective_kind_named(std::string_view name);

/// One algorithm for so many GPUs. Messages of its schedules have channels as tags, from 0.
class CollectiveAlgorithm {
 public:
  /// More have no room beside other tags.
  static constexpr std::uint32_t kMostChannels = 256;

  /// Makes the schedule of all GPUs for a buffer of `bytes`: what each has in the end, or had at
  /// first.
  using Make = std::function<Schedule(std::uint64_t bytes)>;

  CollectiveAlgorithm(CollectiveKind kind, std::string name, std::uint32_t gpus,
                      std::uint32_t channels, Make make)
      : kind_(kind),
        name_(std::move(name)),
        gpus_(gpus),
        channels_(channels),
        make_(std::move(make)) {}

  CollectiveKind kind() const { return kind_; }
  const std::string& name() const { return name_; }
  std::uint32_t gpus() const { return gpus_; }
  std::uint32_t channels() const { return channels_; }
  /// Made once for each size; valid as long as the algorithm. Several threads may ask.
  const Schedule& schedule(std::uint64_t bytes) const;

 private:
  CollectiveKind kind_;
  std::string name_;
  std::uint32_t gpus_;
  std::uint32_t channels_;
  Make make_;
  mutable std::mutex mutex_;
  mutable std::map<std::uint64_t, Schedule> made_;
};

/// Those that are taken instead of rings where they fit. Several threads may ask.
class CollectiveAlgorithms {
 public:
  void add(std::unique_ptr<const CollectiveAlgorithm> one) { all_.push_back(std::move(one)); }
  bool empty() const { return all_.empty(); }
  /// The first for such a collective among so many GPUs, or null.
  const CollectiveAlgorithm* find(CollectiveKind kind, std::uint32_t gpus) const;
  /// Which groups were asked for in vain where there is an algorithm for others, and which
  /// algorithms nobody asked for.
  std::vector<std::string> remarks() const;

 private:
  struct Asked {
    std::mutex mutex;
    std::set<std::pair<CollectiveKind, std::uint32_t>> groups;
  };

  bool has(CollectiveKind kind) const;

  std::vector<std::unique_ptr<const CollectiveAlgorithm>> all_;
  std::unique_ptr<Asked> asked_ = std::make_unique<Asked>();
};

/// The schedule with all sizes and times multiplied by `bytes` / `of`, sizes rounded up, and tags
/// as channels: numbered from 0 in their order, of each GPU to each other for itself.
Schedule scaled(const Schedule& schedule, std::uint64_t bytes, std::uint64_t of);
/// How many channels it then has.
std::uint32_t count_channels(const Schedule& schedule);

}  // namespace heddle::goal
