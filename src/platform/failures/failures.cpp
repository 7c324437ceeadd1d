#include "platform/failures/failures.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/random.hpp"
#include "core/text.hpp"
#include "core/units.hpp"
#include "platform/node_names.hpp"

namespace heddle::platform {
namespace {

/// Things of a fabric that users choose some of, by number.
struct Choosable {
  const char* parameter;             ///< Of the section.
  const char* what;                  ///< For errors: "cable".
  std::vector<std::uint32_t> drawn;  ///< Those that a share is drawn from.
  std::uint32_t count = 0;           ///< All of them.
};

std::vector<std::string_view> names_in(std::string_view list) {
  std::vector<std::string_view> words;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view word = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
    word = word.substr(0, word.find_last_not_of(' ') + 1);
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

class FailureFinder {
 public:
  FailureFinder(const FabricGraph& fabric, const Settings& settings)
      : fabric_(fabric), settings_(settings), config_(settings.get(failures_table())) {}

  Failures find() {
    Failures failures;
    if (!config_.any()) return failures;
    check_fixed_ends();
    failures.down.resize(fabric_.cables());
    for (const std::uint32_t cable : chosen_cables("cables", config_.cables)) {
      failures.down[cable] = true;
    }
    take_vertices(
        chosen_vertices("switches", config_.switches, fabric_.nodes(), fabric_.vertices()),
        failures);
    take_vertices(chosen_vertices("adapters", config_.adapters, 0, fabric_.nodes()), failures);
    failures.cables = static_cast<std::uint32_t>(std::ranges::count(failures.down, true));
    failures.degraded = chosen_cables("degraded", config_.degraded);
    return failures;
  }

 private:
  void check_fixed_ends() const {
    for (std::uint32_t link = 0; link < fabric_.links(); link += 2) {
      const LinkEnds ends = fabric_.ends(LinkId{link});
      if (ends.from != kNoVertex && ends.to != kNoVertex) continue;
      throw InputError(settings_.where_last(failures_table(), {}),
                       "links of this machine belong to routes and join no two vertices: accepted "
                       "are failures of machines whose cables have two ends");
    }
  }

  [[noreturn]] void fail(const char* parameter, const std::string& problem) const {
    throw InputError(settings_.where("failures." + std::string(parameter)), problem);
  }

  /// Those that the text names or has drawn, ascending.
  template <class Matches>
  std::vector<std::uint32_t> chosen(const Choosable& all, const std::string& text,
                                    const std::string& example, Matches matches) const {
    if (text.ends_with('%')) return drawn(all, text);
    std::vector<bool> taken(all.count);
    for (const std::string_view word : names_in(text)) {
      bool any = false;
      for (std::uint32_t i = 0; i < all.count; ++i) {
        if (!matches(i, std::string(word))) continue;
        taken[i] = any = true;
      }
      if (!any) {
        fail(all.parameter, std::string("no ") + all.what + " is called " + in_quotes(word) +
                                ": accepted are names and globs such as '" + example +
                                "', several with commas between, or a share such as 1%");
      }
    }
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < all.count; ++i) {
      if (taken[i]) list.push_back(i);
    }
    return list;
  }

  /// As many as the share is, rounded, but one at least if it is not zero: the first of a shuffle,
  /// so that a larger share takes the same ones and more.
  std::vector<std::uint32_t> drawn(const Choosable& all, const std::string& text) const {
    const auto share = parse_ratio(text);
    if (!share || *share < 0 || *share > 1) {
      fail(all.parameter, in_quotes(text) + " is no share: accepted is 0% to 100%");
    }
    std::vector<std::uint32_t> order = all.drawn;
    const double exact = *share * static_cast<double>(order.size());
    auto count = static_cast<std::size_t>(std::lround(exact));
    if (count == 0 && exact > 0) count = 1;
    RandomStream random =
        RandomStream(static_cast<std::uint64_t>(config_.seed)).split(all.parameter);
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(order[i], order[i + random.below(order.size() - i)]);
    }
    order.resize(count);
    std::ranges::sort(order);
    return order;
  }

  std::vector<std::uint32_t> chosen_cables(const char* parameter, const std::string& text) const {
    if (text.empty()) return {};
    Choosable all{parameter, "cable", {}, fabric_.cables()};
    for (std::uint32_t cable = 0; cable < fabric_.cables(); ++cable) {
      const LinkEnds ends = fabric_.ends(LinkId{2 * cable});
      // A node's own cables go with its adapter; in a fabric without switches all are such.
      const bool between = fabric_.is_switch(ends.from) && fabric_.is_switch(ends.to);
      if (between || fabric_.switches() == 0) all.drawn.push_back(cable);
    }
    return chosen(all, text, fabric_.cables() > 0 ? fabric_.link_name(LinkId{0}) : "a->b",
                  [this](std::uint32_t cable, const std::string& word) {
                    return names_cable(fabric_, cable, word);
                  });
  }

  std::vector<std::uint32_t> chosen_vertices(const char* parameter, const std::string& text,
                                             std::uint32_t first, std::uint32_t end) const {
    if (text.empty()) return {};
    Choosable all{parameter, first == 0 ? "node" : "switch", {}, end - first};
    all.drawn.resize(all.count);
    std::iota(all.drawn.begin(), all.drawn.end(), 0U);
    const std::string example = all.count == 0 ? "s0" : fabric_.name(VertexId{first});
    std::vector<std::uint32_t> list =
        chosen(all, text, example, [&](std::uint32_t i, const std::string& word) {
          return matches_glob(word, fabric_.name(VertexId{first + i}));
        });
    for (std::uint32_t& vertex : list) vertex += first;
    return list;
  }

  void take_vertices(const std::vector<std::uint32_t>& vertices, Failures& failures) const {
    if (vertices.empty()) return;
    std::vector<bool> dead(fabric_.vertices());
    for (const std::uint32_t v : vertices) dead[v] = true;
    for (std::uint32_t cable = 0; cable < fabric_.cables(); ++cable) {
      const LinkEnds ends = fabric_.ends(LinkId{2 * cable});
      if (dead[index(ends.from)] || dead[index(ends.to)]) failures.down[cable] = true;
    }
  }

  const FabricGraph& fabric_;
  const Settings& settings_;
  FailuresConfig config_;
};

}  // namespace

const ParamTable<FailuresConfig>& failures_table() {
  static const auto table = [] {
    ParamTable<FailuresConfig> t("failures", "what does not work from the start");
    t.add("cables", &FailuresConfig::cables, "", {},
          "cables that are down: names and globs with commas between, or a share such as 1% of "
          "those between switches, drawn at random");
    t.add("switches", &FailuresConfig::switches, "", {},
          "switches that are down, with all their cables: names and globs, or a share");
    t.add("adapters", &FailuresConfig::adapters, "", {},
          "nodes whose adapters are down: names and globs, or a share");
    t.add("degraded", &FailuresConfig::degraded, "", {},
          "cables that are slow: names and globs, or a share of those between switches");
    t.add("degraded_bandwidth", &FailuresConfig::degraded_bandwidth, "25%", {"0.1%", "100%"},
          "what is left of the bandwidth of slow cables");
    t.add("seed", &FailuresConfig::seed, "1", {"0", "1000000000"},
          "seed of what is drawn at random");
    return t;
  }();
  return table;
}

Failures find_failures(const FabricGraph& fabric, const Settings& settings) {
  return FailureFinder(fabric, settings).find();
}

}  // namespace heddle::platform
