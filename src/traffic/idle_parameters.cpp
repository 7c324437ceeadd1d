#include "traffic/idle_parameters.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace heddle::traffic {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A parameter that some patterns alone look at.
struct OfPattern {
  std::string_view name;
  std::array<std::string_view, 2> patterns;
};

constexpr OfPattern kOfPatterns[] = {
    {"shift", {"shift"}},       {"hot_fraction", {"hotspot"}},
    {"hot_nodes", {"hotspot"}}, {"target", {"incast", "hotspot"}},
    {"fan_in", {"incast"}},     {"grid", {"tornado", "neighbours"}},
    {"file", {"file"}},         {"group", {"next-group"}},
};

bool is_of_other_pattern(std::string_view name, std::string_view pattern) {
  return std::any_of(std::begin(kOfPatterns), std::end(kOfPatterns), [&](const OfPattern& of) {
    return of.name == name && of.patterns[0] != pattern && of.patterns[1] != pattern;
  });
}

/// A file says itself what these would: all but how messages get from node to node.
bool is_said_by_file(std::string_view name) {
  return !is_one_of(name, {"pattern", "file", "from", "seed", "slowdown"});
}

}  // namespace

std::string idle_reason(const TrafficConfig& config, std::string_view name) {
  if (config.pattern == "file") return is_said_by_file(name) ? "the file says it" : "";
  if (is_of_other_pattern(name, config.pattern)) return "the pattern is " + config.pattern;
  if (name == "size" && config.has_size_file()) return "traffic.size_file says it";
  const bool open = config.loop == Loop::open;
  if (open && is_one_of(name, {"messages", "window"})) return "the loop is open";
  if (!open &&
      is_one_of(name, {"load", "spacing", "spacing_sigma", "incast", "outcast", "burst_degree",
                       "burst_size", "load_streams", "duration", "warm_up", "drain"})) {
    return "the loop is closed";
  }
  if (is_one_of(name, {"burst_degree", "burst_size"}) && config.pattern_part() == 1) {
    return "there are no incasts and outcasts";
  }
  if (name == "spacing_sigma" && config.spacing != Spacing::log_normal) {
    return "the spacing is not log-normal";
  }
  return "";
}

}  // namespace heddle::traffic
