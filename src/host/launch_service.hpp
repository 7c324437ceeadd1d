// How the ranks of a job meet without a network: a barrier, and values under names.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/simulation.hpp"
#include "core/time.hpp"
#include "host/rank.hpp"

namespace heddle::host {

/// What a job's launcher offers to its ranks. Its messages use none of the simulated network; a
/// barrier of n ranks ends ceil(log2 n) steps after the last one came.
class Exchange {
 public:
  Exchange(Job& job, Simulation& simulation, Time step)
      : job_(job), simulation_(simulation), source_(simulation.new_source()), step_(step) {}
  ~Exchange() { simulation_.cancel(release_); }

  void barrier(Rank& rank);
  /// Keeps a value of the rank under `key`, for others to see after fence().
  void put(Rank& rank, std::string key, std::string value);
  /// Shows what this rank has put, and waits as a barrier does.
  void fence(Rank& rank);
  /// What `owner` put under `key` and has shown, or nothing.
  std::optional<std::string_view> get(RankId owner, const std::string& key) const;

 private:
  using Key = std::pair<RankId, std::string>;

  void meet(Rank& rank, const char* call);
  void release();

  Job& job_;
  Simulation& simulation_;
  EventSource source_;
  Time step_;
  std::map<Key, std::string> hidden_;
  std::map<Key, std::string> shown_;
  std::uint32_t arrived_ = 0;
  std::uint64_t round_ = 0;                                   ///< Barriers that are over.
  MemberEvent<Exchange, &Exchange::release> release_{*this};  ///< Of the one that all are in.
};

}  // namespace heddle::host
