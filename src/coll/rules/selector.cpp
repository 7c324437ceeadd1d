#include "coll/rules/selector.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "coll/algorithms/run.hpp"
#include "coll/rules/rules_writer.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "platform/text_file.hpp"

namespace heddle::coll {

const Rule* find_rule(RuleList rules, int ranks, std::int64_t bytes) {
  const auto past_ranks = std::upper_bound(rules.begin(), rules.end(), ranks,
                                           [](int n, const Rule& rule) { return n < rule.ranks; });
  if (past_ranks == rules.begin()) return nullptr;
  const int group = std::prev(past_ranks)->ranks;
  const auto first = std::lower_bound(rules.begin(), past_ranks, group,
                                      [](const Rule& rule, int n) { return rule.ranks < n; });
  const auto past_bytes = std::upper_bound(
      first, past_ranks, bytes, [](std::int64_t n, const Rule& rule) { return n < rule.bytes; });
  return past_bytes == first ? nullptr : &*std::prev(past_bytes);
}

namespace {

/// Calls `use(list)` with the algorithms of a collective.
template <class Use>
auto with_algorithms(Collective collective, const Use& use) {
  switch (collective) {
    case Collective::barrier:
      return use(barrier_algorithms());
    case Collective::bcast:
      return use(bcast_algorithms());
    case Collective::gather:
      return use(gather_algorithms());
    case Collective::gatherv:
      return use(gatherv_algorithms());
    case Collective::scatter:
      return use(scatter_algorithms());
    case Collective::scatterv:
      return use(scatterv_algorithms());
    case Collective::allgather:
    case Collective::allgatherv:
      return use(allgather_algorithms());
    case Collective::alltoall:
      return use(alltoall_algorithms());
    case Collective::alltoallv:
    case Collective::alltoallw:
      return use(alltoallv_algorithms());
    case Collective::reduce:
      return use(reduce_algorithms());
    case Collective::allreduce:
      return use(allreduce_algorithms());
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return use(reduce_scatter_algorithms());
    case Collective::scan:
    case Collective::exscan:
      return use(scan_algorithms());
    default:
      return use(neighbour_algorithms());
  }
}

std::string_view named_or_refused(Collective collective, const std::string& name) {
  if (const auto found = algorithm_named(collective, name)) return *found;
  std::vector<std::string> names = {CollConfig::kAuto};
  for (const AlgorithmEntry& one : algorithms_of(collective)) names.emplace_back(one.name);
  throw InputError(
      {}, fmt::format("mpi.coll.{} = {}: there is no such algorithm{}; accepted are {}",
                      name_of(collective), name, did_you_mean(name, names), joined(names)));
}

std::int64_t measured(const CollectiveRules& rules, const Situation& situation) {
  return rules.measure == Measure::total ? situation.bytes * situation.ranks : situation.bytes;
}

}  // namespace

std::vector<AlgorithmEntry> algorithms_of(Collective collective) {
  return with_algorithms(collective, [](const auto& all) {
    std::vector<AlgorithmEntry> entries;
    for (const auto& one : all) entries.push_back({one.name, one.about, one.otherwise});
    return entries;
  });
}

std::optional<std::string_view> algorithm_named(Collective collective, std::string_view name) {
  return with_algorithms(collective, [&](const auto& all) -> std::optional<std::string_view> {
    if (const auto* found = find_algorithm(all, name)) return found->name;
    return std::nullopt;
  });
}

Selector::Selector(const CollConfig& config)
    : tuning_{config.segment.count(), static_cast<int>(config.radix)} {
  for (std::size_t i = 0; i < kCollectives; ++i) {
    const std::string& name = config.*kAlgorithmMembers[i];
    if (!name.empty() && name != CollConfig::kAuto) {
      by_hand_[i] = Choice{named_or_refused(static_cast<Collective>(i), name), {}, tuning_};
    }
  }
  if (!config.rules.empty()) {
    file_ = read_named_by("mpi.rules", [&] {
      return RulesFile(config.rules, platform::read_text_file(config.rules), config.rules_version);
    });
  }
  for (const Library& library : libraries()) {
    if (library.name != (config.selector.empty() ? "openmpi" : config.selector)) continue;
    rules_ = lists_of(library.rules);
    rules_of_nodes_ = lists_of(library.rules_of_nodes);
    knows_nodes_ = !library.rules_of_nodes.empty();
  }
}

Selector::Lists Selector::lists_of(std::span<const CollectiveRules> rules) {
  Lists lists{};
  for (const CollectiveRules& one : rules) lists[index(one.collective)] = &one;
  return lists;
}

Choice Selector::choose(Collective collective, const Situation& situation,
                        const Places& places) const {
  const std::size_t i = index(collective);
  if (by_hand_[i]) return *by_hand_[i];
  const Rule* rule = file_.find(collective, situation.ranks,
                                size_in_rules(collective, situation.ranks, situation.bytes));
  if (rule == nullptr || rule->algorithm.empty()) {
    const CollectiveRules* list = rules_[i];
    if (knows_nodes_ && rules_of_nodes_[i] != nullptr && situation.ranks > 1) {
      const int nodes = places.nodes().groups();
      if (nodes > 1 && nodes < situation.ranks) list = rules_of_nodes_[i];
    }
    if (list == nullptr) return {{}, {}, tuning_};
    const bool in_order = !situation.commutative && !list->in_order.empty();
    rule = find_rule(in_order ? list->in_order : list->rules, situation.ranks,
                     measured(*list, situation));
    if (rule == nullptr) return {{}, {}, tuning_};
  }
  Tuning tuning{rule->segment, rule->radix};
  if (tuning_.segment > 0) tuning.segment = tuning_.segment;
  if (tuning_.radix > 0) tuning.radix = tuning_.radix;
  return {rule->algorithm, rule->otherwise, tuning};
}

}  // namespace heddle::coll
