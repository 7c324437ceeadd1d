// How the ranks of a job meet without a network: a barrier, and values under names.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/fiber.hpp"
#include "core/ids.hpp"
#include "core/simulation.hpp"
#include "core/time.hpp"
#include "host/rank/rank_id.hpp"

namespace heddle::host {

/// Those who meet.
class Members {
 public:
  virtual std::uint32_t size() const = 0;
  /// Has a member wait until it is rung.
  virtual void wait(RankId member, const WaitReason& reason) = 0;
  virtual void ring_all() = 0;

 protected:
  ~Members() = default;
};

/// What a job's launcher offers to its ranks, as heddle.h and PMI show it. Its messages use none of
/// the simulated network; a barrier of n ranks ends ceil(log2 n) steps after the last one came.
class LaunchService {
 public:
  LaunchService(Members& members, Simulation& simulation, Time step)
      : members_(members), simulation_(simulation), source_(simulation.new_source()), step_(step) {}
  ~LaunchService() { simulation_.cancel(release_); }

  /// `call` is what the program calls it, for reports of deadlocks.
  void barrier(RankId rank, const char* call);
  /// Keeps a value of the rank under `key`, for others to see after show().
  void put(RankId rank, std::string key, std::string value);
  /// Shows what this rank has put.
  void show(RankId rank);
  /// What `owner` put under `key` and has shown, or nothing.
  std::optional<std::string_view> get(RankId owner, const std::string& key) const;
  /// What the rank that was the last to show one has under `key`, or nothing.
  std::optional<std::string_view> find(const std::string& key) const;
  /// Forgets what is under `key`, whoever put it; false if there is nothing.
  bool remove(const std::string& key);

 private:
  struct Key {
    RankId owner;
    std::string name;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const {
      constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;
      return std::hash<std::string>()(key.name) ^ ((index(key.owner) + 1) * kOdd);
    }
  };
  using Put = std::pair<std::string, std::string>;

  void release();

  Members& members_;
  Simulation& simulation_;
  EventSource source_;
  Time step_;
  std::unordered_map<std::uint32_t, std::vector<Put>> hidden_;  ///< By rank, in order.
  std::unordered_map<Key, std::string, KeyHash> shown_;
  std::unordered_map<std::string, RankId> owner_;  ///< Who was the last to show each name.
  std::uint32_t arrived_ = 0;
  std::uint64_t round_ = 0;                                             ///< Barriers that are over.
  MemberEvent<LaunchService, &LaunchService::release> release_{*this};  ///< Of the one under way.
};

}  // namespace heddle::host
