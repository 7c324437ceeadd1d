#include "study/measures.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <regex>

#include "core/text.hpp"

namespace heddle::study {
namespace {

/// Units of exact figures, whose rounded forms have names without.
constexpr std::array kUnits = {"_ps", "_bytes", "_bps"};

bool has_exact_form(const Json& object, const std::string& name) {
  for (const char* unit : kUnits) {
    if (object.contains(name + unit)) return true;
  }
  return false;
}

bool is_left_out(const std::string& path) {
  static const std::set<std::string> names = {
      "schema",  "heddle",     "configuration", "again",    "wall_seconds", "simulator",
      "traffic", "parameters", "seed",          "schedule", "program_hash", "schedule_hash",
      "program", "platform",   "network",       "load"};
  return names.contains(path);
}

void add_members(Json& measures, const Json& object, const std::string& prefix) {
  for (const auto& [name, value] : object.items()) {
    const std::string path = prefix + name;
    if (is_left_out(path) || has_exact_form(object, name)) continue;
    if (value.is_object()) {
      add_members(measures, value, path + ".");
    } else if (value.is_array()) {
      const bool only_run = path == "runs" && value.size() == 1;
      if (only_run) add_members(measures, value.front(), "");
    } else if (!value.is_null()) {
      measures[path] = value;
    }
  }
}

/// The number that the pattern's first group finds in the first line that has one, or null.
Json number_in(const std::string& output, const std::regex& pattern) {
  Json found;
  for_each_line(output, [&](std::string_view line) {
    std::cmatch match;
    const bool fits = std::regex_search(line.data(), line.data() + line.size(), match, pattern);
    if (!found.is_null() || !fits) return;
    double value = 0;
    const auto [end, error] = std::from_chars(match[1].first, match[1].second, value);
    if (error != std::errc() || end != match[1].second) return;
    found = value;
    constexpr double kExact = 1LL << 53;
    const bool whole = value == std::floor(value) && std::abs(value) < kExact;
    if (whole) found = static_cast<std::int64_t>(value);
  });
  return found;
}

}  // namespace

Json measures_in(const Json& document) {
  Json measures = Json::object();
  add_members(measures, document, "");
  return measures;
}

void add_measures(Json& result, const std::vector<Measure>& measures, const std::string& output) {
  for (const Measure& measure : measures) {
    result[measure.name] = number_in(output, std::regex(measure.pattern.text));
  }
}

}  // namespace heddle::study
