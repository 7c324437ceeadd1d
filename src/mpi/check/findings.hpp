// What checks have found.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace heddle::mpi {

/// Sentences about ranks, each once, by rank.
class Findings {
 public:
  /// Completes "rank 3: ...".
  void add(std::uint32_t rank, std::string text) {
    if (all_.size() < kMost) all_.emplace(rank, std::move(text));
  }
  const std::set<std::pair<std::uint32_t, std::string>>& all() const { return all_; }

 private:
  static constexpr std::size_t kMost = 100'000;
  std::set<std::pair<std::uint32_t, std::string>> all_;
};

}  // namespace heddle::mpi
