// What runs of a loop cost, and whether the next need be carried out to know it.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "host/program/sampling/code_state.hpp"

namespace heddle::host {

/// How exact costs have to be known.
struct LoopLimits {
  std::uint32_t first = 5;  ///< Runs that are carried out at least.
  double error = 0.03;      ///< The standard error of their mean may be such a part of it.
  double least = 0;         ///< What costs less is always carried out.
};

/// Numbers that were added, as mean and spread.
class MeanCost {
 public:
  void add(double cost);
  std::uint64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Of one number.
  double deviation() const;
  /// The standard error of the mean.
  double error() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
};

/// Of all threads that come to one loop. Runs are of one kind until their costs turn out to differ:
/// then they are told apart by whatever divides them best, the rank or the number in a register at
/// the loop's beginning (such as a count of rounds). Costs for which nothing does so are left as
/// they are: such a loop does not repeat.
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
  /// What one costs that is left out; nothing: it is to be carried out.
  std::optional<double> known(const Run& run) const;
  /// The standard error of that.
  double error(const Run& run) const;
  /// Costs of this kind are others than before.
  void forget(const Run& run) { kinds_.erase(kind(run)); }
  /// One that was known was carried out all the same: whether it cost about what was expected.
  bool confirms(const Run& run, double cost) const;

  enum class State : std::uint8_t { open, too_short, irregular };
  State state() const { return state_; }

 private:
  /// The rank, or a register by its number above that; none: all are one kind.
  static constexpr std::size_t kRank = CodeState::kNumbers;
  static constexpr std::size_t kOne = kRank + 1;
  struct Seen {
    Run run;
    double cost;
  };
  static std::uint64_t value(const Run& run, std::size_t by);
  bool is_exact(const MeanCost& mean) const;
  void judge();
  /// What of the spread of all is left within kinds, if they are told apart so; 1 where that says
  /// nothing, since nearly each is alone.
  double left_by(std::size_t by) const;
  void divide();

  LoopLimits limits_;
  State state_ = State::open;
  std::size_t by_ = kOne;
  std::map<std::uint64_t, MeanCost> kinds_;
  std::vector<Seen> seen_;  ///< The first, until it is known what they are.
  bool settled_ = false;
};

}  // namespace heddle::host
