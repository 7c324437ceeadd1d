#include "run/left_out.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/units.hpp"

namespace heddle::run {
namespace {

constexpr Time kSeen = Time::ms(50);      ///< Ten looks, or more.
constexpr Time kBeginning = Time::ms(1);  ///< Of a rank.
constexpr std::int64_t kShare = 10;       ///< One part of so many of the simulated time,
constexpr std::int64_t kOfAll = 5;        ///< and of the run's processor time.
constexpr std::int64_t kDeclared = 10;    ///< So many times less is little that was declared.

/// What a rank takes here that counts, or zero.
Time of_a_rank(const Computation& c) {
  if (c.here.busiest >= kSeen) return c.here.busiest;
  const Time mean = c.here.all / std::max<std::int64_t>(c.ranks, 1);
  return c.here.all >= kSeen && mean >= kBeginning ? mean : Time::zero();
}

/// Two digits: times here are sampled.
std::string about(Time time) {
  const double s = time.seconds();
  if (s >= 1) return fmt::format("{:.1f} s", s);
  return fmt::format("{:.0f} ms", s * 1e3);
}

}  // namespace

bool is_left_out(const Computation& c) {
  return c.model == host::ComputeModel::none && c.here.all > c.charged * kDeclared &&
         c.here.all > c.spent / kOfAll && of_a_rank(c) > c.simulated / kShare;
}

std::string left_out_line(const Computation& c, std::string_view advice) {
  return fmt::format("computation of about {} of processor time here, as it is free: {}",
                     about(c.here.all), advice);
}

std::string left_out_sentence(const Computation& c, std::string_view advice) {
  return fmt::format(
      "Computation is left out: ranks took about {} of processor time here, which takes no "
      "simulated time, so what follows is about the rest alone; {}.",
      about(c.here.all), advice);
}

}  // namespace heddle::run
