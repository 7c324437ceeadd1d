// Reads what --fidelity says.
#include <fmt/core.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/units.hpp"
#include "mpi/transport/fidelity.hpp"

namespace heddle::mpi {
namespace {

constexpr const char* kAccepted =
    "accepted are rules such as '0:hybrid/queue, 2ms:portals/packet' and "
    "'nodes[0-3]:portals/packet, "
    "*:hybrid/queue', levels alone, for programs that switch, or 'auto: portals/packet, "
    "hybrid/queue'";

class FidelityText {
 public:
  FidelityText(const std::string& text, const std::vector<std::string>& networks,
               const std::string& option)
      : text_(text), networks_(networks), option_(option) {}

  FidelityPlan read() {
    std::string rest = trimmed(text_);
    if (rest.starts_with("auto")) rest = automatic(rest);
    for (const std::string& item : items(rest)) add(item);
    if (plan_.levels.empty()) fail("there is no level");
    if (plan_.automatic > 0 && plan_.levels.size() != 2) {
      fail("auto takes two levels, the fine one and the coarse one");
    }
    check_times();
    // What holds for all nodes comes before what holds for some.
    std::stable_partition(plan_.rules.begin(), plan_.rules.end(),
                          [](const FidelityPlan::Rule& r) { return r.nodes.empty(); });
    return std::move(plan_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError({option_}, fmt::format("'{}': {}: {}", text_, what, kAccepted));
  }

  /// The first level is that of the beginning, so times that go back mean something else.
  void check_times() const {
    if (!std::ranges::is_sorted(plan_.rules, {}, &FidelityPlan::Rule::from)) {
      fail("the times are not in their order");
    }
  }

  static std::string trimmed(const std::string& text) {
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin == std::string::npos) return "";
    return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
  }

  /// Separated by commas, but for those between brackets.
  static std::vector<std::string> items(const std::string& text) {
    std::vector<std::string> list(1);
    int depth = 0;
    for (const char c : text) {
      depth += (c == '[') - (c == ']');
      if (c == ',' && depth == 0) {
        list.emplace_back();
      } else {
        list.back() += c;
      }
    }
    for (std::string& item : list) item = trimmed(item);
    return list;
  }

  /// "auto: ..." or "auto(3): ..."; answers what follows.
  std::string automatic(const std::string& text) {
    constexpr std::uint32_t kRounds = 3;
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) fail("auto says no levels");
    const std::string head = trimmed(text.substr(4, colon - 4));
    plan_.automatic = kRounds;
    if (!head.empty()) {
      if (head.front() != '(' || head.back() != ')') fail("'" + head + "' is no number of rounds");
      const auto rounds = parse_count(head.substr(1, head.size() - 2));
      if (!rounds || *rounds < 1 || *rounds > 1'000'000) {
        fail("'" + head + "' is no number of rounds");
      }
      plan_.automatic = static_cast<std::uint32_t>(*rounds);
    }
    return text.substr(colon + 1);
  }

  void add(const std::string& item) {
    const std::size_t colon = item.rfind(':');
    const std::uint32_t level = level_named(trimmed(item.substr(colon + 1)));
    if (colon == std::string::npos) return;
    if (plan_.automatic > 0) fail("auto takes levels alone");
    FidelityPlan::Rule rule;
    rule.level = level;
    const std::string when = trimmed(item.substr(0, colon));
    if (when.starts_with("nodes[") && when.ends_with(']')) {
      add_nodes(rule, when.substr(6, when.size() - 7));
    } else if (when != "*") {
      const auto time = when == "0" ? std::optional(Time::zero()) : parse_time(when);
      if (!time || *time < Time::zero()) fail("'" + when + "' is no time and names no nodes");
      rule.from = *time;
    }
    plan_.rules.push_back(std::move(rule));
  }

  void add_nodes(FidelityPlan::Rule& rule, const std::string& list) const {
    for (const std::string& part : items(list)) {
      const std::size_t dash = part.find('-');
      const auto first = parse_count(part.substr(0, dash));
      const auto last = dash == std::string::npos ? first : parse_count(part.substr(dash + 1));
      constexpr std::int64_t kMost = 1 << 24;
      if (!first || !last || *first < 0 || *last < *first || *last >= kMost) {
        fail("'" + part + "' are no nodes");
      }
      for (std::int64_t n = *first; n <= *last; ++n) {
        rule.nodes.push_back(NodeId{static_cast<std::uint32_t>(n)});
      }
    }
    std::ranges::sort(rule.nodes);
  }

  std::uint32_t level_named(const std::string& name) {
    const std::size_t slash = name.find('/');
    if (slash == std::string::npos) fail("'" + name + "' is no level");
    const FidelityLevel level{trimmed(name.substr(0, slash)), trimmed(name.substr(slash + 1))};
    if (level.transport != "hybrid" && level.transport != "portals") {
      fail("'" + level.transport + "' is no transport");
    }
    if (std::ranges::find(networks_, level.network) == networks_.end()) {
      fail("'" + level.network + "' is no network (they are " + joined(networks_) + ")");
    }
    const auto found = std::ranges::find(plan_.levels, level);
    if (found != plan_.levels.end()) {
      return static_cast<std::uint32_t>(found - plan_.levels.begin());
    }
    plan_.levels.push_back(level);
    return static_cast<std::uint32_t>(plan_.levels.size() - 1);
  }

  const std::string& text_;
  const std::vector<std::string>& networks_;
  const std::string& option_;
  FidelityPlan plan_;
};

}  // namespace

FidelityPlan parse_fidelity(const std::string& text, const std::vector<std::string>& networks,
                            const std::string& option) {
  return FidelityText(text, networks, option).read();
}

}  // namespace heddle::mpi
