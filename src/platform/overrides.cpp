#include "platform/overrides.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <set>

namespace heddle::platform {
namespace {

template <class Config>
void apply(const ParamTable<Config>& table, Config& config, const Assignment& value) {
  if (const auto i = table.find(value.name)) table.set(config, *i, value.text, value.where);
}

/// The sections whose parameters an override of this target may name.
std::vector<const ParamSection*> sections_of(Override::Target target) {
  if (target == Override::Target::nodes) return {&node_table(), &nic_table()};
  return {&link_table()};
}

void check_value(Override::Target target, const Assignment& value) {
  std::vector<std::string> names;
  for (const ParamSection* section : sections_of(target)) {
    if (const auto i = section->find(value.name)) {
      return section->check(*i, value.text, value.where);
    }
    for (const std::string& name : section->names()) names.push_back(name);
  }
  const std::string what = target == Override::Target::nodes ? "nodes" : "links";
  throw InputError(value.name_where, "unknown parameter '" + value.name + "' in an override for " +
                                         what + did_you_mean(value.name, names) +
                                         ": accepted are " + joined(names));
}

void override_cable(Platform& platform, std::uint32_t cable, const Override& change) {
  LinkParams params = platform.cable_params(cable);
  for (const Assignment& value : change.values) apply(link_table(), params, value);
  platform.set_cable(cable, params);
}

void override_node(Platform& platform, NodeId node, const Override& change) {
  NodeParams params = platform.node(node);
  NicParams nic = platform.nic(node);
  for (const Assignment& value : change.values) {
    apply(node_table(), params, value);
    apply(nic_table(), nic, value);
  }
  platform.set_node(node, params);
  platform.set_nic(node, nic);
}

/// "a, b, c, ...": the first few of them.
std::string some_of(const std::set<std::string>& words) {
  constexpr std::size_t kEnough = 12;
  std::vector<std::string> list;
  for (const std::string& word : words) {
    if (list.size() == kEnough) break;
    list.push_back(word);
  }
  return joined(list) + (words.size() > kEnough ? ", ..." : "");
}

void override_links(Platform& platform, const Override& change) {
  const Topology& topology = platform.topology();
  bool any = false;
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    if (!matches_glob(change.pattern, topology.link_name(LinkId{2 * cable})) &&
        !matches_glob(change.pattern, topology.link_name(LinkId{2 * cable + 1}))) {
      continue;
    }
    override_cable(platform, cable, change);
    any = true;
  }
  if (any) return;
  const std::string example =
      topology.cables() > 0 ? " such as '" + topology.link_name(LinkId{0}) + "'" : "";
  throw InputError(change.where, "no link matches '" + change.pattern +
                                     "': accepted is a glob on the names of links" + example);
}

void override_group(Platform& platform, const Override& change) {
  const Topology& topology = platform.topology();
  std::set<std::string> groups;
  bool any = false;
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    const std::string group = topology.cable_group(cable);
    groups.insert(group);
    if (!matches_glob(change.pattern, group)) continue;
    override_cable(platform, cable, change);
    any = true;
  }
  if (any) return;
  throw InputError(change.where, "no group of links matches '" + change.pattern +
                                     "': accepted is a glob on " + some_of(groups));
}

/// The end of "0-3", in numbers, or nothing if the text is not one or two numbers.
struct NodeRange {
  std::uint64_t first;
  std::uint64_t last;
};

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<NodeRange> node_range(std::string_view part) {
  const std::size_t dash = part.find('-');
  const auto first = whole_number(part.substr(0, dash));
  if (dash == std::string_view::npos) {
    return first ? std::optional(NodeRange{*first, *first}) : std::nullopt;
  }
  const auto last = whole_number(part.substr(dash + 1));
  return first && last ? std::optional(NodeRange{*first, *last}) : std::nullopt;
}

std::string node_count(const Platform& platform) {
  return "accepted are numbers from 0 to " + std::to_string(platform.nodes() - 1) +
         ", ranges such as 0-3, and globs on names such as '" +
         platform.topology().name(VertexId{0}) + "', with commas between";
}

void override_range(Platform& platform, const NodeRange& range, std::string_view part,
                    const Override& change) {
  if (range.first > range.last || range.last >= platform.nodes()) {
    throw InputError(change.where, "no nodes '" + std::string(part) + "': " + node_count(platform));
  }
  for (std::uint64_t n = range.first; n <= range.last; ++n) {
    override_node(platform, NodeId{static_cast<std::uint32_t>(n)}, change);
  }
}

void override_named_nodes(Platform& platform, std::string_view part, const Override& change) {
  bool any = false;
  for (std::uint32_t n = 0; n < platform.nodes(); ++n) {
    if (!matches_glob(part, platform.topology().name(VertexId{n}))) continue;
    override_node(platform, NodeId{n}, change);
    any = true;
  }
  if (any) return;
  throw InputError(change.where,
                   "no node matches '" + std::string(part) + "': " + node_count(platform));
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

void override_nodes(Platform& platform, const Override& change) {
  for (std::string_view rest = change.pattern;;) {
    const std::size_t comma = rest.find(',');
    const std::string_view part = trimmed(rest.substr(0, comma));
    if (const auto range = node_range(part)) {
      override_range(platform, *range, part, change);
    } else {
      override_named_nodes(platform, part, change);
    }
    if (comma == std::string_view::npos) return;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace

void check_override(const Override& change) {
  for (const Assignment& value : change.values) check_value(change.target, value);
}

void apply_overrides(Platform& platform, const std::vector<Override>& changes) {
  for (const Override& change : changes) {
    switch (change.target) {
      case Override::Target::links:
        override_links(platform, change);
        break;
      case Override::Target::group:
        override_group(platform, change);
        break;
      case Override::Target::nodes:
        override_nodes(platform, change);
        break;
    }
  }
}

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // The last '*' met, and where its match began.
  std::size_t star_text = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_text = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++star_text;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace heddle::platform
