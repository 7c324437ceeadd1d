// Operating-system noise: moments in which a rank's processor does something else.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "core/time.hpp"

namespace heddle::platform {

enum class NoiseKind : std::uint8_t { none, trace, periodic, exponential };

struct NoiseConfig {
  NoiseKind kind = NoiseKind::none;
  std::string file;  ///< Of a trace: lines "start duration", in nanoseconds.
  Time period;       ///< Between the starts of two interruptions; the mean if exponential.
  Time duration;     ///< Of an interruption; the mean if exponential.
  std::int64_t seed = 1;
  bool coscheduled = false;  ///< All ranks are interrupted at the same moments.
};
/// Section "noise".
const ParamTable<NoiseConfig>& noise_table();

/// One interruption.
struct Interruption {
  Time start;
  Time duration;
};

/// Reads a noise trace. Throws InputError with the place of a mistake.
std::vector<Interruption> parse_noise(std::string_view text, const std::string& name);

/// A pattern of interruptions that repeats for ever; every rank stands at its own point of it,
/// which the seed decides.
class Noise {
 public:
  /// None.
  Noise() = default;
  Noise(const NoiseConfig& config, std::uint32_t ranks);
  /// The pattern `events`, in order of their starts, repeated every `length`.
  Noise(const std::vector<Interruption>& events, Time length, const NoiseConfig& config,
        std::uint32_t ranks);

  bool silent() const { return starts_.empty(); }
  /// How much longer work of `length` ps takes that `rank` begins at `start`: the rest of the
  /// interruption under way, and all that start within it.
  std::int64_t delay(std::uint32_t rank, std::int64_t start, std::int64_t length) const {
    return silent() ? 0 : compute(rank, start, length);
  }

 private:
  std::int64_t compute(std::uint32_t rank, std::int64_t start, std::int64_t length) const;
  __int128 begun_before(std::int64_t instant) const;
  std::int64_t rest_at(std::int64_t instant) const;

  std::vector<std::int64_t> starts_;
  std::vector<__int128> totals_;  ///< Time of all interruptions before this one.
  __int128 total_ = 0;
  std::int64_t length_ = 1;
  std::vector<std::int64_t> offsets_;  ///< By rank; those beyond begin again.
};

}  // namespace heddle::platform
