// How wrong may be what was charged for runs that were left out.
#pragma once

#include <cstdint>

#include "host/program/sampling/cost_sample.hpp"

namespace heddle::host {

/// Of one loop. Of the runs that might be left out some are carried out by chance, each with a
/// known probability: by these, what was left out is estimated (as Horvitz and Thompson do),
/// however costs change in the course of a program.
class LoopError {
 public:
  /// How probably the next run is to be carried out: often in the beginning, seldom where there are
  /// very many.
  double probability() const;
  /// One was left out, charged with `cost`, where runs of its kind had cost this.
  void left_out(double cost, const CostSample& kind);
  /// One was carried out that would have been left out but for this probability.
  void checked(double probability, double expected, double cost);

  double charged() const { return charged_; }
  std::uint64_t checks() const { return checks_; }
  /// By which part of it the expected was more than the runs took that were carried out.
  double off() const { return measured_ > 0 ? expected_ / measured_ - 1 : 0; }
  /// What was charged may be wrong by so much, either way, with 95 %.
  double half_width() const;

 private:
  std::uint64_t due_ = 0;
  double charged_ = 0;
  double means_ = 0;       ///< What would have been charged by means.
  double deviations_ = 0;  ///< Sums of them, ...
  double widths_ = 0;      ///< ... and of half widths, of the kinds of all that were left out.
  std::uint64_t checks_ = 0;
  double expected_ = 0;
  double measured_ = 0;
  double missing_ = 0;   ///< Estimated, of means.
  double variance_ = 0;  ///< Of that.
};

}  // namespace heddle::host
