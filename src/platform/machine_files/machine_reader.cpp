// From YAML to settings: each scalar becomes one assignment that knows its line and column.
#include "platform/machine_files/machine_reader.hpp"

#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "core/text.hpp"
#include "platform/machine_files/edge_list.hpp"
#include "platform/overrides.hpp"
#include "platform/simgrid/config_settings.hpp"
#include "platform/text_file.hpp"
#include "platform/yaml_document.hpp"

namespace heddle::platform {
namespace {

/// One entry of a YAML mapping whose key is a word.
struct Entry {
  std::string key;
  SourceLocation where;  ///< Of the key.
  YAML::Node value;
};

bool is_topology_kind(const std::string& word) {
  const std::vector<std::string> kinds = topology_kind_names();
  return std::find(kinds.begin(), kinds.end(), word) != kinds.end();
}

/// How far to the right the first line that is not blank begins, from `start` on.
std::size_t indentation(const std::string& text, std::size_t start) {
  const std::size_t begin = std::min(text.find_first_not_of(" \n", start), text.size());
  const std::size_t line = text.substr(0, begin).rfind('\n');
  return line == std::string::npos ? begin : begin - line - 1;
}

/// A built-in machine may speak of models that the caller does not know: those sections are
/// skipped.
enum class Origin { user, builtin };

class MachineReader {
 public:
  MachineReader(std::string_view text, const std::string& file, Settings& settings, Origin origin)
      : text_(text), file_(file), settings_(settings), origin_(origin) {
    machine_.file = file;
    for (const ParamSection* section : settings.known()) sections_[section->section()] = section;
  }

  MachineDescription read();

 private:
  YAML::Node document() const;
  SourceLocation at(const YAML::Node& node) const { return place_of(node.Mark(), file_); }
  std::string scalar(const YAML::Node& node, const std::string& what,
                     const std::string& accepted) const;
  std::vector<Entry> entries(const YAML::Node& map, const std::string& what,
                             const std::string& accepted) const;

  void top_level(const Entry& entry);
  void section(const ParamSection& section, const YAML::Node& map);
  void simgrid(const YAML::Node& path);
  void topology(const Entry& entry);
  const ParamSection& topology_kind(const std::vector<Entry>& entries,
                                    const SourceLocation& where) const;
  void assign(const ParamSection& section, const Entry& entry);
  std::string value_text(const YAML::Node& value, const std::string& full_name,
                         const ParamInfo& param) const;
  SourceLocation value_place(const Entry& entry) const;
  SourceLocation block_place(const std::string& value, std::size_t mark) const;
  std::string resolved(const std::string& path) const;
  void overrides(const YAML::Node& list);
  Override override_of(const YAML::Node& node) const;
  void check_complete() const;
  void obey_simgrid() const;
  void obey_edge_list();
  void check_kinds() const;

  std::string text_;
  std::string file_;
  Settings& settings_;
  Origin origin_;
  std::map<std::string, const ParamSection*> sections_;
  std::map<std::string, SourceLocation> assigned_;  ///< Parameters this file has given so far.
  std::map<std::string, SourceLocation> top_keys_;
  MachineDescription machine_;
};

YAML::Node MachineReader::document() const {
  YAML::Node root =
      load_yaml(text_, file_, "machine", "a mapping such as 'topology: {kind: fat-tree}'");
  if (root.IsMap()) return root;
  throw InputError(
      {file_, 1, 1},
      "not a machine: accepted is a YAML mapping such as 'topology: {kind: fat-tree}'; an edge "
      "list "
      "with a line 'A B [bandwidth] [latency]' per cable, which 'topology: {kind: graph, file: "
      "FILE}' names, too; or a SimGrid platform in XML");
}

std::string MachineReader::scalar(const YAML::Node& node, const std::string& what,
                                  const std::string& accepted) const {
  if (node.IsScalar()) {
    const std::string& text = node.Scalar();
    if (first_not_text(text) == std::string::npos) return text;
    throw InputError(at(node), what + " has a control character: accepted is text without any");
  }
  throw InputError(at(node), what + " is " + token_of(node) + ": accepted is " + accepted);
}

std::vector<Entry> MachineReader::entries(const YAML::Node& map, const std::string& what,
                                          const std::string& accepted) const {
  if (!map.IsMap()) {
    throw InputError(at(map), what + " is " + token_of(map) + ": accepted is " + accepted);
  }
  std::vector<Entry> list;
  std::map<std::string, SourceLocation> seen;
  for (const auto& item : map) {
    const Entry entry{scalar(item.first, "a key of " + what, "a word"), at(item.first),
                      item.second};
    const auto [first, is_new] = seen.emplace(entry.key, entry.where);
    if (!is_new) {
      throw InputError(entry.where,
                       in_quotes(entry.key) + " is given twice: first at " + first->second.str());
    }
    list.push_back(entry);
  }
  return list;
}

MachineDescription MachineReader::read() {
  const YAML::Node root = document();
  for (const Entry& entry : entries(root, "the machine", "a mapping")) {
    top_level(entry);
    top_keys_.emplace(entry.key, entry.where);
  }
  check_complete();
  obey_simgrid();
  obey_edge_list();
  if (machine_.name.empty()) machine_.name = std::filesystem::path(file_).stem().string();
  return std::move(machine_);
}

void MachineReader::top_level(const Entry& entry) {
  if (entry.key == "name") {
    machine_.name = scalar(entry.value, "name", "text");
  } else if (entry.key == "about") {
    machine_.about = scalar(entry.value, "about", "text");
  } else if (entry.key == "simgrid") {
    simgrid(entry.value);
  } else if (entry.key == "topology") {
    topology(entry);
  } else if (entry.key == "overrides") {
    overrides(entry.value);
  } else if (const auto it = sections_.find(entry.key); it != sections_.end()) {
    section(*it->second, entry.value);
  } else if (origin_ == Origin::user) {
    std::vector<std::string> keys = {"name", "about", "simgrid", "overrides"};
    for (const auto& [name, known] : sections_) keys.push_back(name);
    throw InputError(entry.where, "unknown key " + in_quotes(entry.key) +
                                      did_you_mean(entry.key, keys) + ": accepted are " +
                                      joined(keys));
  }
}

/// A machine has either a topology or a SimGrid platform, which leaves nothing for the sections of
/// the fabric to say.
void MachineReader::check_complete() const {
  check_kinds();
  if (!top_keys_.contains("simgrid")) {
    if (top_keys_.contains("topology")) return;
    throw InputError({file_, 1, 1},
                     "the machine has no topology: accepted is, for example, topology: {kind: "
                     "fat-tree, arity: 8, levels: 2}");
  }
  for (const char* key : {"topology", "link", "switch", "node"}) {
    if (const auto it = top_keys_.find(key); it != top_keys_.end()) {
      throw InputError(
          it->second, in_quotes(key) +
                          " cannot stand beside 'simgrid', whose file says "
                          "it: accepted are overrides such as [{links: \"*\", bandwidth: 10Gbps}]");
    }
  }
}

/// What the platform's own file says of parameters. One that is not there is told of by whoever
/// builds the machine.
void MachineReader::obey_simgrid() const {
  std::error_code ignored;
  if (machine_.simgrid.empty() || !std::filesystem::exists(machine_.simgrid, ignored)) return;
  const std::string xml = read_text_file(machine_.simgrid, machine_.simgrid_where);
  simgrid::assign_config(xml, machine_.simgrid, settings_);
}

/// What the list of a graph says besides its cables, where the machine says nothing else. A file
/// that is not there is told of by whoever builds the machine.
void MachineReader::obey_edge_list() {
  std::string text = settings_.text("graph.edges");
  SourceLocation start = settings_.where("graph.edges");
  const std::string file = settings_.text("graph.file");
  std::error_code ignored;
  if (!file.empty() && std::filesystem::exists(file, ignored)) {
    text = read_text_file(file, settings_.where("graph.file"));
    start = {file, 1, 1};
  }
  EdgeListNotes notes = read_edge_list_notes(text, start);
  for (const Assignment& value : notes.settings) {
    if (!assigned_.contains(value.name)) settings_.assign(value.name, value.text, value.where);
  }
  machine_.overrides.insert(machine_.overrides.begin(), notes.overrides.begin(),
                            notes.overrides.end());
}

/// The parameters of another kind of topology would have no effect.
void MachineReader::check_kinds() const {
  const std::string own = settings_.get(topology_table()).kind;
  for (const std::string& kind : topology_kind_names()) {
    const auto it = top_keys_.find(kind);
    if (it == top_keys_.end() || kind == own) continue;
    throw InputError(it->second,
                     fmt::format("'{}' has no effect, the topology is {}: accepted is topology: "
                                 "{{kind: {}}}",
                                 kind, own, kind));
  }
}

void MachineReader::section(const ParamSection& section, const YAML::Node& map) {
  for (const Entry& entry : entries(map, section.section(), "a mapping of its parameters")) {
    assign(section, entry);
  }
}

void MachineReader::simgrid(const YAML::Node& path) {
  const std::string accepted = "the path of a SimGrid platform";
  const std::string text = scalar(path, "simgrid", accepted);
  if (text.empty()) throw InputError(at(path), "simgrid is '': accepted is " + accepted);
  machine_.simgrid = resolved(text);
  machine_.simgrid_where = at(path);
}

void MachineReader::topology(const Entry& entry) {
  const ParamSection& general = topology_table();
  const std::vector<Entry> list = entries(entry.value, "topology", "a mapping with a kind");
  const ParamSection& kind = topology_kind(list, entry.where);
  for (const Entry& item : list) {
    if (item.key != "kind" && item.key != "routing" && !kind.find(item.key)) {
      std::vector<std::string> names = kind.names();
      names.insert(names.begin(), {"kind", "routing"});
      throw InputError(item.where, "unknown parameter " + in_quotes(item.key) + " of topology " +
                                       kind.section() + did_you_mean(item.key, names) +
                                       ": accepted are " + joined(names));
    }
    assign(kind.find(item.key) ? kind : general, item);
  }
}

const ParamSection& MachineReader::topology_kind(const std::vector<Entry>& entries,
                                                 const SourceLocation& where) const {
  const std::vector<std::string> kinds = topology_kind_names();
  for (const Entry& entry : entries) {
    if (entry.key != "kind") continue;
    const std::string kind = scalar(entry.value, "kind", "one of " + joined(kinds));
    const auto it = sections_.find(kind);
    if (is_topology_kind(kind) && it != sections_.end()) return *it->second;
    if (kind == "simgrid") {
      throw InputError(where,
                       "'simgrid' is no topology kind: accepted is 'simgrid: FILE' in the place of "
                       "topology");
    }
    throw InputError(at(entry.value), "unknown topology kind " + in_quotes(kind) +
                                          did_you_mean(kind, kinds) + ": accepted are " +
                                          joined(kinds));
  }
  throw InputError(where, "topology has no kind: accepted are " + joined(kinds));
}

void MachineReader::assign(const ParamSection& section, const Entry& entry) {
  const auto i = section.find(entry.key);
  if (!i) {
    throw InputError(entry.where, "unknown parameter " + in_quotes(entry.key) + " of " +
                                      section.section() + did_you_mean(entry.key, section.names()) +
                                      ": accepted are " + joined(section.names()));
  }
  const std::string full_name = section.section() + "." + entry.key;
  const auto [first, is_new] = assigned_.emplace(full_name, entry.where);
  if (!is_new) {
    throw InputError(entry.where,
                     in_quotes(full_name) + " is given twice: first at " + first->second.str());
  }
  const ParamInfo& param = section.params()[*i];
  std::string value = value_text(entry.value, full_name, param);
  if (names_file(param, value)) value = resolved(value);
  settings_.assign(full_name, value, value_place(entry));
}

/// A list of numbers may be a YAML list as well as one word.
std::string MachineReader::value_text(const YAML::Node& value, const std::string& full_name,
                                      const ParamInfo& param) const {
  if (param.type != "list" || !value.IsSequence()) return scalar(value, full_name, param.accepted);
  std::vector<std::string> items;
  for (const YAML::Node& item : value) {
    items.push_back(scalar(item, "an item of " + full_name, "a whole number"));
  }
  return joined(items, ",");
}

/// Where the text of a value begins. What has several lines in quotes has other lines than the
/// file: they count from the value's place on.
SourceLocation MachineReader::value_place(const Entry& entry) const {
  SourceLocation where = at(entry.value);
  if (!entry.value.IsScalar()) return where;
  const auto mark = static_cast<std::size_t>(std::max(0, entry.value.Mark().pos));
  if (mark < text_.size() && text_[mark] == '|') return block_place(entry.value.Scalar(), mark);
  if (entry.value.Scalar().find('\n') == std::string::npos) return where;
  return {where.str() + ": " + entry.key, 1, 1};
}

/// Where the text of a block begins, whose '|' is at `mark`: on the next line, as far to the right
/// as the block is indented.
SourceLocation MachineReader::block_place(const std::string& value, std::size_t mark) const {
  const std::size_t header_end = std::min(text_.find('\n', mark), text_.size());
  const auto lines =
      std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(mark), '\n');
  const std::size_t in_file = indentation(text_, header_end);
  const std::size_t in_value = indentation(value, 0);
  return {file_, static_cast<std::uint32_t>(lines + 2),
          static_cast<std::uint32_t>(in_file - std::min(in_file, in_value) + 1)};
}

std::string MachineReader::resolved(const std::string& path) const {
  return (std::filesystem::path(file_).parent_path() / path).lexically_normal().string();
}

void MachineReader::overrides(const YAML::Node& list) {
  if (!list.IsSequence()) {
    throw InputError(at(list), "overrides is " + token_of(list) +
                                   ": accepted is a list of mappings with links, group or nodes");
  }
  for (const YAML::Node& node : list) machine_.overrides.push_back(override_of(node));
}

Override MachineReader::override_of(const YAML::Node& node) const {
  static const std::map<std::string, Override::Target> kTargets = {
      {"links", Override::Target::links},
      {"group", Override::Target::group},
      {"nodes", Override::Target::nodes}};
  const std::string accepted = "a mapping with one of links, group or nodes, and parameters";
  Override result;
  bool has_target = false;
  for (const Entry& entry : entries(node, "the override", accepted)) {
    const auto target = kTargets.find(entry.key);
    const std::string text = scalar(entry.value, entry.key, "text");
    if (target == kTargets.end()) {
      result.values.push_back({entry.key, text, entry.where, at(entry.value)});
      continue;
    }
    if (has_target) {
      throw InputError(entry.where,
                       in_quotes(entry.key) + " is a second target: accepted is " + accepted);
    }
    has_target = true;
    result.target = target->second;
    result.pattern = text;
    result.where = at(entry.value);
  }
  if (!has_target) {
    throw InputError(at(node), "the override has no target: accepted is " + accepted);
  }
  if (result.values.empty()) {
    throw InputError(at(node), "the override changes nothing: accepted is " + accepted);
  }
  check_override(result);
  return result;
}

}  // namespace

MachineDescription read_machine_text(std::string_view text, const std::string& file_name,
                                     Settings& settings) {
  return MachineReader(text, file_name, settings, Origin::user).read();
}

MachineDescription read_builtin_text(std::string_view text, const std::string& name,
                                     Settings& settings) {
  return MachineReader(text, name, settings, Origin::builtin).read();
}

}  // namespace heddle::platform
