#include "platform/machine_files/machine_writer.hpp"

#include <algorithm>
#include <filesystem>

namespace heddle::platform {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

bool is_plain(const std::string& text) {
  static constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._+/%-";
  return !text.empty() && text.find_first_not_of(kSafe) == std::string::npos && text[0] != '-' &&
         text[0] != '%' && text != "null" && text != "Null" && text != "NULL";
}

std::string escaped(char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  if (c == '\n') return "\\n";
  if (c == '\t') return "\\t";
  if (c == '"' || c == '\\') return {'\\', c};
  if (!is_control(c)) return {c};
  const auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
}

/// `text` as a YAML scalar on one line.
std::string scalar(const std::string& text) {
  if (is_plain(text)) return text;
  std::string result = "\"";
  for (const char c : text) result += escaped(c);
  return result + "\"";
}

/// Whether a block ("|") keeps the text as it is.
bool fits_block(const std::string& text) {
  const bool printable = std::all_of(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\t' || !is_control(c); });
  return printable && text.find('\n') != std::string::npos && text.find_first_not_of(" \t\n") == 0;
}

/// What tells a reader whether a block ends in no, one or several line ends.
std::string block_header(const std::string& text) {
  if (!text.ends_with('\n')) return "|-";
  return text.ends_with("\n\n") ? "|+" : "|";
}

/// `text` as a YAML scalar, over several lines of the given indentation where it has several.
std::string block_or_scalar(const std::string& text, const std::string& indent) {
  if (!fits_block(text)) return scalar(text);
  std::string result = block_header(text);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    result += "\n" + (line.empty() ? "" : indent + line);
    at = end + 1;
  }
  return result;
}

/// A path that means the same file from everywhere.
std::string absolute(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::string lines_of(const ParamSection& section, const Settings& settings) {
  std::string text;
  const auto values = section.effective(settings);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto& [name, value] = values[i];
    const bool is_path = names_file(section.params()[i], value);
    text += "  " + name + ": " + block_or_scalar(is_path ? absolute(value) : value, "    ") + "\n";
  }
  return text;
}

std::string override_text(const Override& change) {
  static constexpr const char* kTargets[] = {"links", "group", "nodes"};
  std::string text = std::string("  - ") + kTargets[static_cast<std::size_t>(change.target)] +
                     ": " + scalar(change.pattern) + "\n";
  for (const Assignment& value : change.values) {
    text += "    " + value.name + ": " + scalar(value.text) + "\n";
  }
  return text;
}

bool is_kind(const std::vector<std::string>& kinds, const std::string& section) {
  return std::find(kinds.begin(), kinds.end(), section) != kinds.end();
}

/// The sections of the fabric, which a SimGrid platform stands for.
bool is_fabric(const std::string& section) {
  return section == "topology" || section == "link" || section == "switch" || section == "node";
}

}  // namespace

std::string ConfigWriter::lines(const ParamSection& section, const Settings& settings) {
  if (settings.has_any(section)) return lines_of(section, settings);
  const auto [known, is_new] = untouched_.try_emplace(&section);
  if (is_new) known->second = lines_of(section, settings);
  return known->second;
}

std::string ConfigWriter::section_text(const ParamSection& section, const Settings& settings) {
  const std::string text = lines(section, settings);
  return text.empty() ? "" : section.section() + ":\n" + text;
}

/// The general parameters of the topology, then those of its kind.
std::string ConfigWriter::topology_text(const Settings& settings) {
  const std::string kind = settings.get(topology_table()).kind;
  std::string text = section_text(topology_table(), settings);
  for (const ParamSection* section : settings.known()) {
    if (section->section() == kind) text += lines(*section, settings);
  }
  return text;
}

std::string ConfigWriter::text(const MachineDescription& machine, const Settings& settings) {
  std::string text = "name: " + scalar(machine.name) + "\n";
  if (!machine.about.empty()) text += "about: " + scalar(machine.about) + "\n";
  const bool simgrid = !machine.simgrid.empty();
  const std::vector<std::string> kinds = topology_kind_names();
  text +=
      simgrid ? "simgrid: " + scalar(absolute(machine.simgrid)) + "\n" : topology_text(settings);
  for (const ParamSection* section : settings.known()) {
    const std::string& name = section->section();
    if (name == "topology" || is_kind(kinds, name) || (simgrid && is_fabric(name))) continue;
    text += section_text(*section, settings);
  }
  if (!machine.overrides.empty()) text += "overrides:\n";
  for (const Override& change : machine.overrides) text += override_text(change);
  return text;
}

std::string effective_config(const MachineDescription& machine, const Settings& settings) {
  return ConfigWriter().text(machine, settings);
}

}  // namespace heddle::platform
