#include "mpi/coll/selector.hpp"

#include <algorithm>

namespace heddle::mpi::coll {

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

Choice Selector::choose(Collective collective, const Situation& situation) const {
  const std::size_t i = index(collective);
  if (by_hand_[i]) return *by_hand_[i];
  const Rule* rule = find_rule(rules_[i], situation.ranks, situation.bytes);
  if (rule == nullptr) return {};
  return {rule->algorithm, {rule->segment, rule->radix}};
}

}  // namespace heddle::mpi::coll
