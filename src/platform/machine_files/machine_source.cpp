// Where a machine comes from: a built-in one by name, or a file of whatever kind.
#include <algorithm>
#include <filesystem>
#include <sstream>

#include "platform/embedded_machines.hpp"
#include "platform/machine_files/edge_list.hpp"
#include "platform/machine_files/machine_reader.hpp"
#include "platform/simgrid/config_settings.hpp"
#include "platform/text_file.hpp"

namespace heddle::platform {
namespace {

bool is_xml(const std::string& path, std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return path.ends_with(".xml") || (first != std::string_view::npos && text[first] == '<');
}

/// Whether a text that looks like an edge list is rather a machine without its colons.
bool begins_with_key(std::string_view text, const Settings& settings) {
  std::istringstream in{std::string(text)};
  std::string word;
  while (in >> word && word.starts_with('#')) in.ignore(INT32_MAX, '\n');
  if (word == "node" || word == "switch") return false;
  const auto& known = settings.known();
  return word == "name" || word == "about" || word == "simgrid" || word == "overrides" ||
         std::any_of(known.begin(), known.end(),
                     [&](const ParamSection* section) { return section->section() == word; });
}

[[noreturn]] void fail_unknown(const std::string& name) {
  std::vector<std::string> names;
  for (const BuiltinMachine& machine : builtin_machines()) names.emplace_back(machine.name);
  throw InputError({}, "'" + name + "' is neither a built-in machine nor a file" +
                           did_you_mean(name, names) +
                           "; `heddle platforms` lists the built-in machines");
}

/// A machine that is nothing but the file of its fabric.
MachineDescription bare_machine(const std::string& path) {
  MachineDescription machine;
  machine.name = std::filesystem::path(path).stem().string();
  machine.file = path;
  return machine;
}

MachineDescription edge_list_machine(const std::string& path, std::string_view text,
                                     Settings& settings) {
  settings.assign("topology.kind", "graph", {path});
  settings.assign("graph.file", path, {path});
  EdgeListNotes notes = read_edge_list_notes(text, {path, 1, 1});
  for (const Assignment& value : notes.settings) {
    settings.assign(value.name, value.text, value.where);
  }
  MachineDescription machine = bare_machine(path);
  machine.overrides = std::move(notes.overrides);
  return machine;
}

MachineDescription simgrid_machine(const std::string& path, std::string_view xml,
                                   Settings& settings) {
  simgrid::assign_config(xml, path, settings);
  MachineDescription machine = bare_machine(path);
  machine.simgrid = path;
  return machine;
}

}  // namespace

bool is_builtin(std::string_view name) {
  return std::ranges::any_of(embedded_machines(),
                             [&](const EmbeddedMachine& machine) { return machine.name == name; });
}

MachineDescription read_machine(const std::string& name_or_path, Settings& settings) {
  // By their bare texts: to read what all of them say of themselves takes longer than many a run.
  for (const EmbeddedMachine& machine : embedded_machines()) {
    if (machine.name != name_or_path) continue;
    return read_builtin_text(machine.text, name_or_path + " (built-in)", settings);
  }
  const bool is_input = name_or_path == "-";
  std::error_code ignored;  // Such as: no file could have so long a name.
  if (!is_input && !std::filesystem::exists(name_or_path, ignored)) fail_unknown(name_or_path);
  const TextInput input = read_text_input(name_or_path);
  const bool is_edge_list =
      looks_like_edge_list(input.text) && !begins_with_key(input.text, settings);
  if (is_input && (is_edge_list || is_xml(name_or_path, input.text))) {
    throw InputError({input.name},
                     "accepted is a machine in YAML; edge lists and SimGrid's "
                     "platforms are read from files");
  }
  if (is_xml(name_or_path, input.text)) {
    return simgrid_machine(name_or_path, input.text, settings);
  }
  require_text(input.text, input.name);
  if (is_edge_list) return edge_list_machine(name_or_path, input.text, settings);
  return read_machine_text(input.text, input.name, settings);
}

}  // namespace heddle::platform
