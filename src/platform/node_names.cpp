#include "platform/node_names.hpp"

#include <charconv>

#include "core/text.hpp"

namespace heddle::platform {
namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// "0-3" in numbers.
struct Range {
  std::uint64_t first;
  std::uint64_t last;
};

std::optional<Range> range_of(std::string_view part) {
  const std::size_t dash = part.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto first = number_in(part.substr(0, dash));
  const auto last = number_in(part.substr(dash + 1));
  if (!first || !last || *first > *last) return std::nullopt;
  return Range{*first, *last};
}

/// Collects the nodes of one part of a list after the other.
class Selection {
 public:
  Selection(const Topology& topology, const SourceLocation& where)
      : topology_(topology), where_(where) {}

  void add(std::string_view part) {
    if (const auto node = find_node(topology_, part)) {
      nodes.push_back(*node);
    } else if (const auto range = range_of(part)) {
      add_range(*range, part);
    } else {
      add_glob(part);
    }
  }

  std::vector<NodeId> nodes;

 private:
  /// Ends at the first number that is no node's, however far the range goes.
  void add_range(const Range& range, std::string_view part) {
    for (std::uint64_t n = range.first; n <= range.last; ++n) {
      const auto node = find_node(topology_, std::to_string(n));
      if (!node) fail("no node '" + std::to_string(n) + "' of '" + std::string(part) + "'");
      nodes.push_back(*node);
    }
  }

  void add_glob(std::string_view part) {
    const std::size_t before = nodes.size();
    for (std::uint32_t n = 0; n < topology_.nodes(); ++n) {
      if (matches_glob(part, node_name(topology_, NodeId{n})) ||
          matches_glob(part, host_name(topology_, NodeId{n}))) {
        nodes.push_back(NodeId{n});
      }
    }
    if (nodes.size() == before) fail("no node matches '" + std::string(part) + "'");
  }

  [[noreturn]] void fail(const std::string& problem) const {
    throw InputError(where_, problem + ": accepted are names such as '" +
                                 node_name(topology_, NodeId{0}) + "', globs on them, numbers to " +
                                 std::to_string(topology_.nodes() - 1) +
                                 " where no name is meant, and ranges such as 0-3, with commas "
                                 "between");
  }

  const Topology& topology_;
  const SourceLocation& where_;
};

/// The pattern with "n7" for each "n007" in it.
std::string without_zeros(std::string_view pattern) {
  std::string result;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    result += pattern[i];
    const bool begins = i == 0 || pattern[i - 1] == '>' || pattern[i - 1] == '-';
    if (pattern[i] != 'n' || !begins) continue;
    while (i + 2 < pattern.size() && pattern[i + 1] == '0' && is_digit(pattern[i + 2])) ++i;
  }
  return result;
}

}  // namespace

std::optional<NodeId> find_node(const Topology& topology, std::string_view text) {
  if (const auto vertex = topology.find(text)) {
    if (topology.is_switch(*vertex)) return std::nullopt;
    return NodeId{static_cast<std::uint32_t>(*vertex)};
  }
  const auto number = number_in(text);
  if (!number || *number >= topology.nodes()) return std::nullopt;
  return NodeId{static_cast<std::uint32_t>(*number)};
}

std::string node_name(const Topology& topology, NodeId node) {
  return topology.name(VertexId{static_cast<std::uint32_t>(node)});
}

std::vector<NodeId> select_nodes(const Topology& topology, std::string_view list,
                                 const SourceLocation& where) {
  Selection selection(topology, where);
  for (const std::string_view part : split(list, ',')) selection.add(trimmed(part));
  return std::move(selection.nodes);
}

std::string host_name(const Topology& topology, NodeId node) {
  const std::string number = std::to_string(index(node));
  std::string name = node_name(topology, node);
  if (name != "n" + number) return name;
  const std::size_t digits = std::to_string(topology.nodes() - 1).size();
  return "n" + std::string(digits - number.size(), '0') + number;
}

bool names_cable(const FabricGraph& fabric, std::uint32_t cable, const std::string& pattern) {
  std::string plain = without_zeros(pattern);
  if (const std::size_t arrow = plain.find("<->"); arrow != std::string::npos) {
    plain.erase(arrow, 1);
  }
  for (const LinkId link : {LinkId{2 * cable}, LinkId{2 * cable + 1}}) {
    const std::string name = fabric.link_name(link);
    if (matches_glob(pattern, name) || matches_glob(plain, name)) return true;
  }
  return false;
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
