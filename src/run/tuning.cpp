#include "run/tuning.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "coll/rules/rules_writer.hpp"
#include "coll/rules/selector.hpp"
#include "core/units.hpp"

namespace heddle::run {
namespace {

using coll::Collective;
using coll::kWhole;

/// What Open MPI refuses for any other number of ranks.
constexpr std::string_view kOnlyOfTwo = "two_procs";

/// An algorithm for which there is more to choose. (Open MPI's trees called knomial have the
/// fan-out of a variable of their own, whatever rules say.)
struct Tunable {
  Collective collective;
  std::string_view algorithm;
  bool segments;
  bool radices;
};
constexpr std::array kTunables = {
    Tunable{Collective::bcast, "chain", true, true},
    Tunable{Collective::bcast, "pipeline", true, false},
    Tunable{Collective::bcast, "split_bintree", true, false},
    Tunable{Collective::bcast, "binary", true, false},
    Tunable{Collective::bcast, "binomial_tree", true, false},
    Tunable{Collective::bcast, "knomial", true, false},
    Tunable{Collective::reduce, "chain", true, true},
    Tunable{Collective::reduce, "pipeline", true, false},
    Tunable{Collective::reduce, "binary", true, false},
    Tunable{Collective::reduce, "binomial", true, false},
    Tunable{Collective::reduce, "in_order_binary", true, false},
    Tunable{Collective::reduce, "knomial", true, false},
    Tunable{Collective::allreduce, "ring_segmented", true, false},
    Tunable{Collective::allreduce, "knomial", true, true},
    Tunable{Collective::allreduce, "recursive_multiplying", false, true},
    Tunable{Collective::alltoall, "k_bruck", false, true},
};

const Tunable* find_tunable(Collective collective, std::string_view algorithm) {
  for (const Tunable& one : kTunables) {
    if (one.collective == collective && one.algorithm == algorithm) return &one;
  }
  return nullptr;
}

std::vector<std::int64_t> segments_for(const CollectiveCase& operation,
                                       const TuningChoices& choices) {
  std::vector<std::int64_t> segments = {kWhole};
  for (const Bytes segment : choices.segments) {
    if (segment < operation.bytes) segments.push_back(segment.count());
  }
  return segments;
}

std::vector<int> radices_for(const CollectiveCase& operation, const TuningChoices& choices) {
  std::vector<int> radices;
  for (const int radix : choices.radices) {
    if (radix < static_cast<int>(operation.ranks)) radices.push_back(radix);
  }
  if (radices.empty()) radices.push_back(0);
  return radices;
}

void add_all(std::vector<Candidate>& list, const CollectiveCase& operation,
             const TuningChoices& choices, const Candidate& plain) {
  const Tunable* tunable = find_tunable(operation.collective, plain.algorithm);
  const auto segments = tunable != nullptr && tunable->segments ? segments_for(operation, choices)
                                                                : std::vector<std::int64_t>{kWhole};
  const auto radices = tunable != nullptr && tunable->radices ? radices_for(operation, choices)
                                                              : std::vector<int>{0};
  for (const std::int64_t segment : segments) {
    for (const int radix : radices) {
      list.push_back({plain.algorithm, segment, radix, plain.openmpi});
    }
  }
}

/// Rules hold for more ranks, too, up to the next that were tried.
void leave_three_alone(std::vector<coll::Rule>& rules) {
  const bool for_two =
      std::ranges::any_of(rules, [](const coll::Rule& one) { return one.algorithm == kOnlyOfTwo; });
  if (for_two && rules.back().ranks == 2) rules.push_back({3, 0, {}, kWhole, 0});
}

}  // namespace

std::string Candidate::text() const {
  std::string text(openmpi.empty() ? algorithm : openmpi);
  if (radix > 0) text += fmt::format(", fan-out {}", radix);
  if (segment < kWhole) text += fmt::format(", {}", format_bytes(Bytes(segment)));
  return text;
}

std::vector<Candidate> candidates(const CollectiveCase& operation, const TuningChoices& choices) {
  std::vector<Candidate> list;
  const auto numbered = coll::openmpi_algorithms(operation.collective, choices.version);
  for (const coll::NumberedAlgorithm& one : numbered) {
    if (one.name == kOnlyOfTwo && operation.ranks != 2) continue;
    add_all(list, operation, choices, {one.name, kWhole, 0, one.openmpi});
  }
  if (choices.only_openmpi) return list;
  for (const coll::AlgorithmEntry& one : coll::algorithms_of(operation.collective)) {
    const bool known = std::any_of(numbered.begin(), numbered.end(),
                                   [&](const auto& other) { return other.name == one.name; });
    if (!known) add_all(list, operation, choices, {one.name});
  }
  return list;
}

void assign(Settings& settings, Collective collective, const Candidate& candidate) {
  if (candidate.algorithm.empty()) return;
  const std::string name(coll::name_of(collective));
  settings.assign("mpi.coll." + name, candidate.algorithm, {});
  settings.assign("mpi.coll.segment", std::to_string(candidate.segment), {});
  settings.assign("mpi.coll.radix", std::to_string(candidate.radix), {});
}

const TunedCase::Timed* TunedCase::best(bool only_openmpi) const {
  const Timed* best = nullptr;
  for (const Timed& one : timed) {
    if (!one.time || (only_openmpi && one.candidate.openmpi.empty())) continue;
    if (best == nullptr || *one.time < *best->time) best = &one;
  }
  return best;
}

std::vector<coll::Rule> rules_of(const std::vector<TunedCase>& cases) {
  std::vector<coll::Rule> rules;
  for (const TunedCase& one : cases) {
    const TunedCase::Timed* best = one.best(true);
    const Candidate choice = best == nullptr ? Candidate{} : best->candidate;
    const auto ranks = static_cast<std::int32_t>(one.operation.ranks);
    if (ranks > 3) leave_three_alone(rules);
    const bool first = rules.empty() || rules.back().ranks != ranks;
    const bool same = !first && rules.back().algorithm == choice.algorithm &&
                      rules.back().segment == choice.segment && rules.back().radix == choice.radix;
    if (same) continue;
    const std::int64_t size =
        coll::size_in_rules(one.operation.collective, ranks, one.operation.bytes.count());
    rules.push_back({ranks, first ? 0 : size, choice.algorithm, choice.segment, choice.radix});
  }
  leave_three_alone(rules);
  return rules;
}

}  // namespace heddle::run
