// Files of rules as Open MPI reads them.
#include <fmt/core.h>

#include <algorithm>

#include "coll/rules/rules_writer.hpp"
#include "core/text.hpp"

namespace heddle::coll {
namespace {

/// The number of an algorithm; 0, which leaves the choice to the library, for one without.
int number_of(Collective collective, std::string_view algorithm) {
  const auto all = openmpi_algorithms(collective);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == algorithm) return static_cast<int>(i + 1);
  }
  return 0;
}

std::int64_t segment_in_file(const Rule& rule) {
  return rule.segment >= kWhole ? 0 : rule.segment;
}

/// Calls `use(ranks, rules)` with the rules of each size of communicators.
template <class Use>
void for_each_size(RuleList rules, Use use) {
  for (std::size_t begin = 0; begin < rules.size();) {
    std::size_t end = begin;
    while (end < rules.size() && rules[end].ranks == rules[begin].ranks) ++end;
    use(rules[begin].ranks, rules.subspan(begin, end - begin));
    begin = end;
  }
}

int count_sizes(RuleList rules) {
  int count = 0;
  for_each_size(rules, [&](std::int32_t, RuleList) { ++count; });
  return count;
}

/// Open MPI's own name of an algorithm.
std::string_view openmpi_name(Collective collective, std::string_view algorithm) {
  const int number = number_of(collective, algorithm);
  return number == 0 ? "ignore"
                     : openmpi_algorithms(collective)[static_cast<std::size_t>(number - 1)].openmpi;
}

}  // namespace

std::int64_t size_in_rules(Collective collective, int ranks, std::int64_t bytes) {
  switch (collective) {
    case Collective::allgather:
    case Collective::alltoall:
    case Collective::gather:
    case Collective::reduce_scatter_block:
    case Collective::scatter:
      return bytes * ranks;
    case Collective::alltoallv:
      return 0;
    default:
      return bytes;
  }
}

std::string classic_rules_text(Collective collective, RuleList rules, std::string_view comment) {
  std::string text;
  for_each_line(comment, [&](std::string_view line) { text += fmt::format("# {}\n", line); });
  text += "1 # collective\n";
  text += fmt::format("{} # {}\n", openmpi_number(collective).value_or(0), name_of(collective));
  text += fmt::format("{} # sizes of communicators\n", count_sizes(rules));
  for_each_size(rules, [&](std::int32_t ranks, RuleList list) {
    text += fmt::format("{} # ranks or more\n{} # rules\n", ranks, list.size());
    for (const Rule& rule : list) {
      text += fmt::format("{} {} {} {} # bytes or more: {}, fan-out, segment\n", rule.bytes,
                          number_of(collective, rule.algorithm), rule.radix, segment_in_file(rule),
                          openmpi_name(collective, rule.algorithm));
    }
  });
  return text;
}

// Of several rules that hold, Open MPI takes the first in the file: the largest sizes come first.
std::string json_rules_text(Collective collective, RuleList rules) {
  std::string sizes;
  for_each_size(rules, [&](std::int32_t ranks, RuleList list) {
    std::string lines;
    for (const Rule& rule : list) {
      const std::string line = fmt::format(
          "\n          {{\"msg_size_min\": {}, \"alg\": \"{}\", \"faninout\": {}, \"seg_size\": "
          "{}}}",
          rule.bytes, openmpi_name(collective, rule.algorithm), rule.radix, segment_in_file(rule));
      lines.insert(0, lines.empty() ? line : line + ",");
    }
    const std::string size =
        fmt::format("\n      {{\"comm_size_min\": {}, \"rules\": [{}\n      ]}}", ranks, lines);
    sizes.insert(0, sizes.empty() ? size : size + ",");
  });
  return fmt::format(
      "{{\n  \"rule_file_version\": 3,\n  \"module\": \"tuned\",\n  \"collectives\": {{\n    "
      "\"{}\": [{}\n    ]\n  }}\n}}\n",
      name_of(collective), sizes);
}

}  // namespace heddle::coll
