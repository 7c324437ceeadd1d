// Schedules of well-known communication patterns.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/params.hpp"
#include "goal/patterns/side.hpp"

namespace heddle::goal {

struct PatternConfig {
  std::int64_t ranks = 0;
  Bytes size;  ///< Of the data of one rank.
  std::int64_t root = 0;
  std::int64_t ways = 0;
  Bytes segment;
  std::int64_t iterations = 0;
  std::int64_t compute = 0;  ///< In the schedule's time unit.
  std::int64_t seed = 0;
  std::int64_t skew = 0;
  std::optional<std::int64_t> width;
  std::optional<std::int64_t> height;
  bool periodic = true;
};
/// Section "pattern".
const ParamTable<PatternConfig>& pattern_table();

/// Writes one rank's operations.
using RankProgram = std::function<void(const Side&)>;

/// One entry of the list of patterns.
struct Pattern {
  std::string_view name;
  std::string_view about;
  std::vector<std::string_view> parameters;  ///< Those it looks at, besides ranks.
  RankProgram (*make)(const PatternConfig&);
  /// At most so many operations on all ranks; a double, as it may be more than any schedule holds.
  double (*operations)(const PatternConfig&);
};

/// Every pattern there is, in the order of their names.
const std::vector<Pattern>& patterns();
/// The pattern called `name`; throws InputError for an unknown one.
const Pattern& find_pattern(std::string_view name);
/// The schedule of a pattern; throws InputError where the parameters do not go together, or ask for
/// more operations than there can be or than the machine has memory for.
Schedule generate(std::string_view name, const PatternConfig& config, const RankShare& share = {});

// The collectives, for one rank each; `bytes` is the data of one rank.
void dissemination(const Side& side, std::uint64_t bytes);
void nway_dissemination(const Side& side, std::uint64_t bytes, std::uint32_t ways,
                        std::uint64_t compute);
void binomial_bcast(const Side& side, std::uint64_t bytes, std::uint32_t root);
void binomial_reduce(const Side& side, std::uint64_t bytes, std::uint32_t root,
                     std::uint64_t compute);
void binary_bcast(const Side& side, std::uint64_t bytes, std::uint32_t root);
void binary_reduce(const Side& side, std::uint64_t bytes, std::uint32_t root,
                   std::uint64_t compute);
void linear_gather(const Side& side, std::uint64_t bytes, std::uint32_t root);
void linear_scatter(const Side& side, std::uint64_t bytes, std::uint32_t root);
void linear_barrier(const Side& side);
void recursive_doubling(const Side& side, std::uint64_t bytes, const WorkFor& work);
void rabenseifner(const Side& side, std::uint64_t bytes, const WorkFor& work);
void ring_allreduce(const Side& side, std::uint64_t bytes, const WorkFor& work);

/// Bytes that member `from` sends to member `to`.
using SizeBetween = std::function<std::uint64_t(std::uint32_t from, std::uint32_t to)>;
void linear_alltoallv(const Side& side, const SizeBetween& bytes);
void pairwise_alltoallv(const Side& side, const SizeBetween& bytes);

}  // namespace heddle::goal
