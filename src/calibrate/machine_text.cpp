#include "calibrate/machine_text.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "core/text.hpp"

namespace heddle::calibrate {
namespace {

/// "topology" and "nodes" of "single-switch.nodes": parameters of its kind stand beside it.
std::pair<std::string, std::string> place_of(const std::string& parameter) {
  const std::size_t dot = parameter.find('.');
  std::string section = parameter.substr(0, dot);
  const auto kinds = platform::topology_kind_names();
  if (std::ranges::find(kinds, section) != kinds.end()) section = "topology";
  return {section, parameter.substr(dot + 1)};
}

/// Those that were found and nothing else, section by section.
std::string short_text(const Calibration& found) {
  std::vector<std::string> sections;
  for (const FittedValue& value : found.values) {
    const std::string section = place_of(value.parameter).first;
    if (std::ranges::find(sections, section) == sections.end()) sections.push_back(section);
  }
  std::string text = "name: " + found.description.name + "\n";
  for (const std::string& section : sections) {
    text += section + ":\n";
    for (const FittedValue& value : found.values) {
      const auto [of, name] = place_of(value.parameter);
      const bool plain = value.value.find_first_of(":#") == std::string::npos;
      const char* quote = plain ? "" : "\"";
      if (of == section) text += fmt::format("  {}: {}{}{}\n", name, quote, value.value, quote);
    }
  }
  return text;
}

std::string remarks_of(const Calibration& found, const std::string& section,
                       const std::string& name) {
  std::string text;
  for (const FittedValue& value : found.values) {
    if (place_of(value.parameter) != std::pair(section, name)) continue;
    for (const std::string& remark : value.remarks) text += "  # " + remark + "\n";
  }
  return text;
}

}  // namespace

std::string machine_text(const Calibration& found, bool machine_given,
                         const std::vector<std::string>& origin) {
  std::string text;
  for (const std::string& line : origin) text += "# " + line + "\n";
  const std::string values = machine_given
                                 ? platform::effective_config(found.description, found.settings)
                                 : short_text(found);
  std::string section;
  for_each_line(values, [&](std::string_view line) {
    const std::size_t colon = line.find(':');
    const bool inside = line.starts_with("  ") && !line.starts_with("   ");
    if (!line.starts_with(' ')) section = std::string(line.substr(0, colon));
    if (inside && colon != line.npos) {
      text += remarks_of(found, section, std::string(trimmed(line.substr(0, colon))));
    }
    text += std::string(line) + "\n";
  });
  return text;
}

}  // namespace heddle::calibrate
