// What runs of a loop cost, and whether the next need be carried out to know it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "host/program/sampling/code_state.hpp"
#include "host/program/sampling/cost_sample.hpp"
#include "host/program/sampling/loop_limits.hpp"

namespace heddle::host {

/// Of all threads that come to one loop. Runs are of one kind until their costs turn out to differ:
/// then they are told apart by whatever divides them best, the rank or the number in a register at
/// the loop's beginning (such as a count of rounds). Costs whose mean is not known well enough
/// after many runs, and which nothing divides, are left as they are: such a loop does not repeat.
class LoopCosts {
 public:
  explicit LoopCosts(const LoopLimits& limits) : limits_(limits) {}

  /// A run, or what would be one.
  struct Run {
    std::uint32_t rank = 0;
    std::array<std::uint64_t, CodeState::kNumbers> numbers{};
  };
  /// Of what kind a run is; kinds may become other ones with each that is added.
  std::uint64_t kind(const Run& run) const;
  void add(const Run& run, double cost);
  /// What those of its kind cost, if one may be left out; null: it is to be carried out.
  const CostSample* known(const Run& run) const;
  /// Costs of this kind are others than before.
  void forget(const Run& run) { kinds_.erase(kind(run)); }
  /// One that was known was carried out all the same: whether it cost about what was expected.
  bool confirms(const Run& run, double cost) const;

  enum class State : std::uint8_t { open, too_short, irregular };
  State state() const { return state_; }

 private:
  /// The rank, or a register by its number above that; none: all are one kind.
  static constexpr std::size_t kRank = 0;
  static constexpr std::size_t kOne = CodeState::kNumbers + 1;
  struct Seen {
    Run run;
    double cost;
  };
  static std::uint64_t value(const Run& run, std::size_t by);
  bool is_exact(const CostSample& kind) const;
  void judge();
  /// What of the variance of all is left within kinds, if they are told apart so: about 1 where
  /// that has nothing to do with it; 1 where it says nothing, since nearly each is alone.
  double left_by(std::size_t by) const;
  void divide();

  LoopLimits limits_;
  State state_ = State::open;
  std::size_t by_ = kOne;
  std::map<std::uint64_t, CostSample> kinds_;
  std::vector<Seen> seen_;  ///< The first, until it is known what they are.
  bool settled_ = false;
};

}  // namespace heddle::host
