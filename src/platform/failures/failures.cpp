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

constexpr std::string_view kSpans =
    "accepted are '@1ms-2ms', '@1ms-' without end, and '@1ms-2ms/10ms' for what comes again every "
    "10ms";

/// Some of them, down from the start or for a while.
struct Chosen {
  std::vector<std::uint32_t> list;  ///< Ascending.
  std::optional<Span> span;
};

class FailureFinder {
 public:
  FailureFinder(const FabricGraph& fabric, const Settings& settings)
      : fabric_(fabric), settings_(settings), config_(settings.get(failures_table())) {}

  Failures find() {
    Failures failures;
    if (!config_.any()) return failures;
    check_fixed_ends();
    failures.down.resize(fabric_.cables());
    for (const Chosen& chosen : chosen_cables("cables", config_.cables)) take(chosen, failures);
    take_vertices(
        chosen_vertices("switches", config_.switches, fabric_.nodes(), fabric_.vertices()),
        failures);
    take_vertices(chosen_vertices("adapters", config_.adapters, 0, fabric_.nodes()), failures);
    failures.cables = static_cast<std::uint32_t>(std::ranges::count(failures.down, true));
    for (const Chosen& chosen : chosen_cables("degraded", config_.degraded)) {
      if (chosen.span) {
        for (const std::uint32_t cable : chosen.list) {
          failures.timed.push_back({cable, *chosen.span, true});
        }
      } else {
        const auto end = failures.degraded.end();
        failures.degraded.insert(end, chosen.list.begin(), chosen.list.end());
      }
    }
    std::ranges::sort(failures.degraded);
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

  /// Those that each word of the text names or has drawn.
  template <class Matches>
  std::vector<Chosen> chosen(const Choosable& all, const std::string& text,
                             const std::string& example, Matches matches) const {
    std::vector<std::uint32_t> not_drawn = all.drawn;
    RandomStream random =
        RandomStream(static_cast<std::uint64_t>(config_.seed)).split(all.parameter);
    std::vector<Chosen> result;
    for (std::string_view word : names_in(text)) {
      Chosen& some = result.emplace_back();
      if (const std::size_t at = word.rfind('@'); at != std::string_view::npos) {
        some.span = parse_span(word.substr(at + 1));
        if (!some.span) {
          fail(all.parameter, in_quotes(word.substr(at)) +
                                  " does not say from when until when: " + std::string(kSpans));
        }
        word = word.substr(0, at);
      }
      if (word.ends_with('%')) {
        some.list = drawn(all, word, not_drawn, random);
        continue;
      }
      for (std::uint32_t i = 0; i < all.count; ++i) {
        if (matches(i, std::string(word))) some.list.push_back(i);
      }
      if (some.list.empty()) {
        fail(all.parameter, std::string("no ") + all.what + " is called " + in_quotes(word) +
                                ": accepted are names and globs such as '" + example +
                                "', several with commas between, or a share such as 1%, each with "
                                "or without times such as '@1ms-2ms'");
      }
    }
    return result;
  }

  /// As many as the share of all is, rounded, but one at least if it is not zero: the first of a
  /// shuffle, so that a larger share takes the same ones and more. They are not drawn again.
  std::vector<std::uint32_t> drawn(const Choosable& all, std::string_view text,
                                   std::vector<std::uint32_t>& not_drawn,
                                   RandomStream& random) const {
    const auto share = parse_ratio(text);
    if (!share || *share < 0 || *share > 1) {
      fail(all.parameter, in_quotes(text) + " is no share: accepted is 0% to 100%");
    }
    const double exact = *share * static_cast<double>(all.drawn.size());
    auto count = static_cast<std::size_t>(std::lround(exact));
    if (count == 0 && exact > 0) count = 1;
    count = std::min(count, not_drawn.size());
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(not_drawn[i], not_drawn[i + random.below(not_drawn.size() - i)]);
    }
    const auto end = not_drawn.begin() + static_cast<std::ptrdiff_t>(count);
    std::vector<std::uint32_t> list(not_drawn.begin(), end);
    not_drawn.erase(not_drawn.begin(), end);
    std::ranges::sort(list);
    return list;
  }

  std::vector<Chosen> chosen_cables(const char* parameter, const std::string& text) const {
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

  std::vector<Chosen> chosen_vertices(const char* parameter, const std::string& text,
                                      std::uint32_t first, std::uint32_t end) const {
    if (text.empty()) return {};
    Choosable all{parameter, first == 0 ? "node" : "switch", {}, end - first};
    all.drawn.resize(all.count);
    std::iota(all.drawn.begin(), all.drawn.end(), 0U);
    const std::string example = all.count == 0 ? "s0" : fabric_.name(VertexId{first});
    std::vector<Chosen> words =
        chosen(all, text, example, [&](std::uint32_t i, const std::string& word) {
          return matches_glob(word, fabric_.name(VertexId{first + i}));
        });
    for (Chosen& word : words) {
      for (std::uint32_t& vertex : word.list) vertex += first;
    }
    return words;
  }

  /// Cables that are down.
  static void take(const Chosen& cables, Failures& failures) {
    for (const std::uint32_t cable : cables.list) {
      if (cables.span) {
        failures.timed.push_back({cable, *cables.span});
      } else {
        failures.down[cable] = true;
      }
    }
  }

  /// A vertex takes all its cables with it.
  void take_vertices(const std::vector<Chosen>& words, Failures& failures) const {
    for (const Chosen& word : words) {
      std::vector<bool> dead(fabric_.vertices());
      for (const std::uint32_t v : word.list) dead[v] = true;
      Chosen cables{{}, word.span};
      for (std::uint32_t cable = 0; cable < fabric_.cables(); ++cable) {
        const LinkEnds ends = fabric_.ends(LinkId{2 * cable});
        if (dead[index(ends.from)] || dead[index(ends.to)]) cables.list.push_back(cable);
      }
      take(cables, failures);
    }
  }

  const FabricGraph& fabric_;
  const Settings& settings_;
  FailuresConfig config_;
};

}  // namespace

const ParamTable<FailuresConfig>& failures_table() {
  static const auto table = [] {
    ParamTable<FailuresConfig> t("failures", "what does not work, from the start or for a while");
    t.add("cables", &FailuresConfig::cables, "", {},
          "cables that are down: names, globs and shares such as 1% of those between switches, "
          "which are drawn at random, with commas between; each from the start, or with times such "
          "as @1ms-2ms, @1ms- or, for what comes again every 10ms, @1ms-2ms/10ms");
    t.add("switches", &FailuresConfig::switches, "", {},
          "switches that are down, with all their cables: likewise");
    t.add("adapters", &FailuresConfig::adapters, "", {}, "nodes whose adapters are down: likewise");
    t.add("degraded", &FailuresConfig::degraded, "", {}, "cables that are slow: likewise");
    t.add("degraded_bandwidth", &FailuresConfig::degraded_bandwidth, "25%", {"0.1%", "100%"},
          "what is left of the bandwidth of slow cables");
    t.add("seed", &FailuresConfig::seed, "1", {"0", "1000000000"},
          "seed of what is drawn at random");
    t.add_choice(
        "under_way", &FailuresConfig::under_way, "lost",
        {{"lost", UnderWay::lost}, {"held", UnderWay::held}},
        "what becomes of messages on a cable that fails, or led to one that is down: lost, "
        "or held until it works again");
    t.add_choice("rerouting", &FailuresConfig::rerouting, "both",
                 {{"none", Rerouting::none},
                  {"local", Rerouting::local},
                  {"tables", Rerouting::tables},
                  {"both", Rerouting::both}},
                 "how routes follow failures during a run: a switch takes another minimal link "
                 "(local), all switches get new tables (tables), or first the one and then the "
                 "other");
    t.add("detection", &FailuresConfig::detection, "10us", {"", "1000s"},
          "until the ends of a cable know that it is down, or works again");
    t.add("sweep", &FailuresConfig::sweep, "1ms", {"", "1000s"},
          "from then on until all switches have new tables");
    t.add("resend_after", &FailuresConfig::resend_after, "100us", {"", "1000s"},
          "until a message that was lost is sent again, unless adapters see to that themselves");
    t.add("resends", &FailuresConfig::resends, "7", {"0", "1000000"},
          "how often; after that the run ends");
    return t;
  }();
  return table;
}

void assign_lasting_failures(Settings& settings, const std::string& cables,
                             const SourceLocation& where, Origin origin) {
  if (cables.find('@') != std::string::npos) {
    throw InputError(where,
                     in_quotes(cables) +
                         " has times, and what is compared does not run: accepted are names, "
                         "globs and shares without '@'");
  }
  settings.assign("failures.cables", cables, where, origin);
}

Failures find_failures(const FabricGraph& fabric, const Settings& settings) {
  return FailureFinder(fabric, settings).find();
}

}  // namespace heddle::platform
