#include "study/best_points.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report/table.hpp"

namespace heddle::study {
namespace {

using Words = std::vector<std::string>;

/// Groups of points that differ in seeds only, the best first.
std::vector<ResultGroup> ranked(const ResultView& view, const std::vector<ResultName>& names,
                                const BestRequest& request) {
  std::vector<ResultGroup> groups = view.groups(names, request.measure, request.option);
  std::ranges::stable_sort(groups, [&](const ResultGroup& a, const ResultGroup& b) {
    const double x = a.estimate().mean;
    const double y = b.estimate().mean;
    return request.most ? x > y : x < y;
  });
  return groups;
}

/// What the table tells points by: what was asked for, then what else differs.
std::vector<ResultName> told_by(const ResultView& view, const BestRequest& request) {
  std::vector<ResultName> names = request.per;
  for (const std::string& name : view.varying()) {
    if (std::ranges::find(request.per, name, &ResultName::name) == request.per.end()) {
      names.push_back(view.find(name, ""));
    }
  }
  return names;
}

Words first_of(const Words& key, std::size_t shared) {
  return {key.begin(), key.begin() + static_cast<std::ptrdiff_t>(shared)};
}

/// How many of the other groups with the same first `shared` values cannot be told from one.
std::size_t tied_with(const ResultGroup& one, const std::vector<ResultGroup>& groups,
                      std::size_t shared) {
  const traffic::Estimate mine = one.estimate();
  const Words key = first_of(one.key, shared);
  const auto is_tied = [&](const ResultGroup& other) {
    if (&other == &one || first_of(other.key, shared) != key) return false;
    const traffic::Estimate theirs = other.estimate();
    const double both =
        (mine.known() ? mine.half_width : 0) + (theirs.known() ? theirs.half_width : 0);
    return std::abs(mine.mean - theirs.mean) <= both;
  };
  return static_cast<std::size_t>(std::ranges::count_if(groups, is_tied));
}

/// The best of one combination of what was asked for.
struct Winners {
  std::int64_t first = 0;  ///< The number of its first point in the study.
  std::vector<Words> rows = {};
};

/// Of each combination, by its values.
std::map<Words, Winners> winners_of(const std::vector<ResultGroup>& groups,
                                    const BestRequest& request) {
  const std::size_t shared = request.per.size();
  std::map<Words, Winners> all;
  for (const ResultGroup& group : groups) {
    const auto [place, is_new] =
        all.try_emplace(first_of(group.key, shared), Winners{group.first->number});
    Winners& winners = place->second;
    winners.first = std::min(winners.first, group.first->number);
    if (winners.rows.size() >= request.top) continue;
    const traffic::Estimate estimate = group.estimate();
    const std::size_t others = tied_with(group, groups, shared);
    Words& row = winners.rows.emplace_back(group.key);
    row.push_back(fmt::format("{:.6g}", estimate.mean));
    row.push_back(estimate.known() ? fmt::format("{:.2g}", estimate.half_width) : "");
    row.push_back(others == 0 ? "" : std::to_string(others));
  }
  return all;
}

report::Table empty_table(const std::vector<ResultName>& names, const ResultName& measure) {
  using report::Align;
  std::vector<report::Column> columns;
  for (const ResultName& name : names) columns.push_back({name.name});
  for (const std::string& name : {measure.name, std::string("+-"), std::string("tied")}) {
    columns.push_back({name, Align::right});
  }
  return report::Table(columns);
}

}  // namespace

std::string best_table(const ResultView& view, const BestRequest& request) {
  const std::vector<ResultName> names = told_by(view, request);
  const std::map<Words, Winners> all = winners_of(ranked(view, names, request), request);
  // Combinations stand in the order of the study.
  std::vector<std::pair<std::int64_t, const Winners*>> order;
  for (const auto& [key, winners] : all) order.emplace_back(winners.first, &winners);
  std::ranges::stable_sort(order, {}, [](const auto& one) { return one.first; });
  report::Table table = empty_table(names, request.measure);
  bool any_tied = false;
  for (const auto& [number, winners] : order) {
    for (const Words& row : winners->rows) {
      table.add(row);
      any_tied = any_tied || !row.back().empty();
    }
  }
  return table.text() +
         (any_tied ? "tied: so many others do not differ from it by more than both +-\n" : "");
}

}  // namespace heddle::study
