#include "platform/machine_files/edge_list.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "core/text.hpp"
#include "core/units.hpp"
#include "platform/overrides.hpp"

namespace heddle::platform {
namespace {

/// A word of the text and where it stands.
struct Token {
  std::string_view text;
  SourceLocation where;
};

constexpr const char* kAcceptedValues =
    "accepted are a bandwidth such as 10Gbps, a latency such as 5us, half or full, and "
    "flow_cap=BANDWIDTH";

constexpr std::string_view kBlanks = " \t\r";

/// The next line of `text`, without its comment and the blanks around it; consumes it.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  line = line.substr(0, line.find('#'));
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  return line.substr(0, line.find_last_not_of(kBlanks) + 1);
}

/// The words of a line, which is the `number`-th behind the one at `start`.
std::vector<Token> tokens_of(std::string_view line, std::uint32_t number,
                             const SourceLocation& start) {
  line = line.substr(0, line.find('#'));
  std::vector<Token> tokens;
  for (std::size_t at = line.find_first_not_of(kBlanks); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    tokens.push_back(
        {line.substr(at, end - at),
         {start.file, start.line + number, start.column + static_cast<std::uint32_t>(at)}});
    at = line.find_first_not_of(kBlanks, end);
  }
  return tokens;
}

/// Vertices are numbered as they are met first; renumbering puts the nodes in front at the end.
class EdgeListReader {
 public:
  explicit EdgeListReader(const SourceLocation& start) : start_(start) {}
  EdgeList read(std::string_view text);

 private:
  enum class Role : std::uint8_t { undeclared, node, switched };
  struct Vertex {
    std::string name;
    SourceLocation where;  ///< Where it is named first.
    Role role = Role::undeclared;
    std::uint32_t cables = 0;
  };
  struct RouteLine {
    std::vector<Token> path;  ///< From source to destination.
  };

  void line(const std::vector<Token>& tokens);
  void declare(const std::vector<Token>& tokens, Role role);
  void cable(const std::vector<Token>& tokens);
  void value(CableValues& values, const Token& token) const;
  void route(const std::vector<Token>& tokens);
  void group(const std::vector<Token>& tokens);
  std::uint32_t vertex(const Token& token);
  std::uint32_t known_vertex(const Token& token) const;

  bool is_node(const Vertex& vertex) const;
  bool is_node(VertexId vertex) const { return index(vertex) < list_.plan.nodes.size(); }
  void number_vertices();
  void number_cables();
  void check_connected() const;
  void add_route(const RouteLine& line);
  void check_ends(const RouteLine& line, const GraphPlan::Route& route);
  LinkId link_to(VertexId from, VertexId to, const Token& from_word, const Token& to_word) const;

  SourceLocation start_;
  std::unordered_map<std::string, std::uint32_t> index_;  ///< By name, in order of appearance.
  std::vector<Vertex> vertices_;
  std::vector<VertexId> final_;  ///< Number in the graph, by order of appearance.
  std::vector<RouteLine> route_lines_;
  /// The first link from one vertex to another.
  std::map<std::pair<VertexId, VertexId>, LinkId> links_;
  std::set<std::pair<VertexId, VertexId>> routed_;
  std::string group_;  ///< Of the cables that come next; empty before the first is named.
  EdgeList list_;
};

EdgeList EdgeListReader::read(std::string_view text) {
  for (std::uint32_t number = 0; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::vector<Token> tokens = tokens_of(text.substr(0, end), number, start_);
    if (!tokens.empty()) line(tokens);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  number_vertices();
  number_cables();
  check_connected();
  for (const RouteLine& route_line : route_lines_) add_route(route_line);
  return std::move(list_);
}

void EdgeListReader::line(const std::vector<Token>& tokens) {
  const std::string_view first = tokens[0].text;
  if (first == "node") return declare(tokens, Role::node);
  if (first == "switch") return declare(tokens, Role::switched);
  if (first == "route") return route(tokens);
  if (first == "group") return group(tokens);
  // What they say is no part of the graph: see read_edge_list_notes().
  if (first == "set" || first == "nodes") return;
  cable(tokens);
}

void EdgeListReader::declare(const std::vector<Token>& tokens, Role role) {
  if (tokens.size() < 2) {
    throw InputError(tokens[0].where,
                     in_quotes(tokens[0].text) + " names nothing: accepted are names behind it");
  }
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    Vertex& declared = vertices_[vertex(tokens[i])];
    if (declared.role != Role::undeclared && declared.role != role) {
      throw InputError(tokens[i].where, in_quotes(declared.name) +
                                            " is declared as a node and as a switch: accepted is "
                                            "one of the two");
    }
    declared.role = role;
  }
}

void EdgeListReader::cable(const std::vector<Token>& tokens) {
  if (tokens.size() < 2) {
    throw InputError(tokens[0].where,
                     in_quotes(tokens[0].text) +
                         " stands alone: accepted is a cable 'A B [bandwidth] [latency] [half]', "
                         "'node NAME ...', 'switch NAME ...' or 'route A B : X ...'");
  }
  const std::uint32_t a = vertex(tokens[0]);
  const std::uint32_t b = vertex(tokens[1]);
  if (a == b) {
    throw InputError(tokens[1].where, "a cable from " + in_quotes(tokens[0].text) +
                                          " to itself: accepted are two different names");
  }
  ++vertices_[a].cables;
  ++vertices_[b].cables;
  CableValues values;
  for (std::size_t i = 2; i < tokens.size(); ++i) value(values, tokens[i]);
  list_.plan.cables.push_back({VertexId{a}, VertexId{b}, Time::zero(), group_});
  list_.values.push_back(values);
}

/// Stores a value that may be given once.
template <class T>
void store(std::optional<T>& place, const T& value, const Token& token) {
  if (place) {
    throw InputError(token.where, in_quotes(token.text) +
                                      " is a second value of its kind for this cable: accepted is "
                                      "one");
  }
  place = value;
}

/// Stores it if the link parameter of that name accepts it.
template <class T>
void store_checked(std::optional<T>& place, const std::optional<T>& value, const Token& token,
                   std::string_view name, std::string_view text) {
  link_table().check(*link_table().find(name), text, token.where);
  store(place, *value, token);
}

void EdgeListReader::value(CableValues& values, const Token& token) const {
  constexpr std::string_view kCap = "flow_cap=";
  if (token.text == "half") return store(values.duplex, Duplex::half, token);
  if (token.text == "full") return store(values.duplex, Duplex::full, token);
  if (const auto time = parse_time(token.text)) {
    return store_checked(values.latency, time, token, "latency", token.text);
  }
  if (const auto bandwidth = parse_bandwidth(token.text)) {
    return store_checked(values.bandwidth, bandwidth, token, "bandwidth", token.text);
  }
  if (token.text.starts_with(kCap)) {
    const std::string_view cap = token.text.substr(kCap.size());
    return store_checked(values.flow_cap, parse_bandwidth(cap), token, "flow_cap", cap);
  }
  throw InputError(token.where,
                   in_quotes(token.text) + " is not a value of a cable: " + kAcceptedValues);
}

void EdgeListReader::route(const std::vector<Token>& tokens) {
  if (tokens.size() < 4 || tokens[3].text != ":") {
    const Token& wrong = tokens[std::min<std::size_t>(3, tokens.size() - 1)];
    throw InputError(wrong.where, in_quotes(wrong.text) +
                                      " does not make a route: accepted is 'route A B : X Y ...' "
                                      "with the vertices between A and B");
  }
  RouteLine result{{tokens[1]}};
  result.path.insert(result.path.end(), tokens.begin() + 4, tokens.end());
  result.path.push_back(tokens[2]);
  route_lines_.push_back(std::move(result));
}

void EdgeListReader::group(const std::vector<Token>& tokens) {
  if (tokens.size() < 2) {
    throw InputError(
        tokens[0].where,
        "'group' names nothing: accepted is a name behind it, such as 'group level 1'");
  }
  group_ = tokens[1].text;
  for (std::size_t i = 2; i < tokens.size(); ++i) group_ += " " + std::string(tokens[i].text);
}

std::uint32_t EdgeListReader::vertex(const Token& token) {
  if (is_edge_list_word(token.text)) {
    throw InputError(token.where, in_quotes(token.text) + " cannot be a name");
  }
  const auto [it, is_new] = index_.emplace(token.text, vertices_.size());
  if (is_new) vertices_.push_back({std::string(token.text), token.where});
  return it->second;
}

std::uint32_t EdgeListReader::known_vertex(const Token& token) const {
  if (const auto it = index_.find(std::string(token.text)); it != index_.end()) return it->second;
  std::vector<std::string> names;
  for (const Vertex& vertex : vertices_) names.push_back(vertex.name);
  throw InputError(token.where, "no vertex is called " + in_quotes(token.text) +
                                    did_you_mean(token.text, names) +
                                    ": accepted are the ends of cables");
}

bool EdgeListReader::is_node(const Vertex& vertex) const {
  if (vertex.role == Role::undeclared) return vertex.cables == 1;
  return vertex.role == Role::node;
}

void EdgeListReader::number_vertices() {
  for (const Vertex& vertex : vertices_) {
    (is_node(vertex) ? list_.plan.nodes : list_.plan.switches).push_back(vertex.name);
  }
  std::uint32_t node = 0;
  auto other = static_cast<std::uint32_t>(list_.plan.nodes.size());
  for (const Vertex& vertex : vertices_) {
    final_.push_back(VertexId{is_node(vertex) ? node++ : other++});
  }
  if (node == 0) {
    throw InputError(start_,
                     "the graph has no nodes: accepted are lines 'node NAME', or vertices "
                     "with one cable");
  }
}

void EdgeListReader::number_cables() {
  std::uint32_t link = 0;
  for (GraphPlan::Cable& cable : list_.plan.cables) {
    cable.from = final_[index(cable.from)];
    cable.to = final_[index(cable.to)];
    if (cable.group.empty()) {
      cable.group = is_node(cable.from) || is_node(cable.to) ? "access" : "trunk";
    }
    links_.emplace(std::pair(cable.from, cable.to), LinkId{link++});
    links_.emplace(std::pair(cable.to, cable.from), LinkId{link++});
  }
}

/// Finds the pieces by joining the ends of every cable, and complains of the first vertex that is
/// not in the piece of the first one.
void EdgeListReader::check_connected() const {
  std::vector<std::size_t> leader(vertices_.size());
  for (std::size_t v = 0; v < leader.size(); ++v) leader[v] = v;
  const auto leader_of = [&leader](std::size_t v) {
    while (leader[v] != v) v = leader[v] = leader[leader[v]];
    return v;
  };
  for (const GraphPlan::Cable& cable : list_.plan.cables) {
    leader[leader_of(index(cable.from))] = leader_of(index(cable.to));
  }
  for (std::size_t i = 1; i < vertices_.size(); ++i) {
    if (leader_of(index(final_[i])) == leader_of(index(final_[0]))) continue;
    throw InputError(vertices_[i].where, "no path leads from " + in_quotes(vertices_[0].name) +
                                             " to " + in_quotes(vertices_[i].name) +
                                             ": accepted is a graph in one piece");
  }
}

void EdgeListReader::add_route(const RouteLine& line) {
  GraphPlan::Route route{
      final_[known_vertex(line.path.front())], final_[known_vertex(line.path.back())], {}};
  check_ends(line, route);
  std::set<VertexId> seen = {route.from};
  VertexId at = route.from;
  for (auto word = line.path.begin() + 1; word != line.path.end(); ++word) {
    const VertexId to = final_[known_vertex(*word)];
    if (!seen.insert(to).second) {
      throw InputError(word->where, in_quotes(word->text) +
                                        " is twice on the route: accepted is a path without loops");
    }
    route.links.push_back(link_to(at, to, word[-1], *word));
    at = to;
  }
  list_.plan.routes.push_back(std::move(route));
}

void EdgeListReader::check_ends(const RouteLine& line, const GraphPlan::Route& route) {
  for (const Token& word : {line.path.front(), line.path.back()}) {
    if (is_node(final_[known_vertex(word)])) continue;
    throw InputError(word.where,
                     in_quotes(word.text) + " is a switch: accepted are routes from node to node");
  }
  if (routed_.emplace(route.from, route.to).second) return;
  throw InputError(line.path.front().where,
                   "a second route from " + in_quotes(line.path.front().text) + " to " +
                       in_quotes(line.path.back().text) + ": accepted is one");
}

LinkId EdgeListReader::link_to(VertexId from, VertexId to, const Token& from_word,
                               const Token& to_word) const {
  if (const auto it = links_.find({from, to}); it != links_.end()) return it->second;
  throw InputError(to_word.where, "no cable joins " + in_quotes(from_word.text) + " and " +
                                      in_quotes(to_word.text) +
                                      ": accepted are routes along cables");
}

/// A word NAME=VALUE.
Assignment assignment_of(const Token& token, const char* accepted) {
  const std::size_t sign = token.text.find('=');
  if (sign == std::string_view::npos || sign == 0) {
    throw InputError(token.where, in_quotes(token.text) + " sets nothing: accepted is " + accepted);
  }
  SourceLocation where = token.where;
  where.column += static_cast<std::uint32_t>(sign + 1);
  return {std::string(token.text.substr(0, sign)), std::string(token.text.substr(sign + 1)),
          token.where, where};
}

void note_settings(const std::vector<Token>& tokens, EdgeListNotes& notes) {
  constexpr const char* kAccepted = "'set NAME=VALUE', such as 'set switch.latency=50ns'";
  if (tokens.size() < 2) {
    throw InputError(tokens[0].where, std::string("'set' sets nothing: accepted is ") + kAccepted);
  }
  for (auto token = tokens.begin() + 1; token != tokens.end(); ++token) {
    Assignment value = assignment_of(*token, kAccepted);
    const std::string section = value.name.substr(0, value.name.find('.'));
    const bool fits = section == "link" || section == "switch" || section == "node" ||
                      section == "nic" || value.name == "topology.routing" ||
                      value.name == "graph.equal_paths";
    if (!fits) {
      throw InputError(token->where,
                       in_quotes(value.name) +
                           " cannot be set by an edge list: accepted are parameters of link, "
                           "switch, node and nic, topology.routing and graph.equal_paths");
    }
    notes.settings.push_back(std::move(value));
  }
}

void note_nodes(const std::vector<Token>& tokens, EdgeListNotes& notes) {
  constexpr const char* kAccepted = "'nodes LIST NAME=VALUE ...', such as 'nodes n0-n7 cores=4'";
  if (tokens.size() < 3) {
    throw InputError(tokens[0].where,
                     std::string("'nodes' changes nothing: accepted is ") + kAccepted);
  }
  Override change{Override::Target::nodes, std::string(tokens[1].text), tokens[1].where, {}};
  for (auto token = tokens.begin() + 2; token != tokens.end(); ++token) {
    change.values.push_back(assignment_of(*token, kAccepted));
  }
  check_override(change);
  notes.overrides.push_back(std::move(change));
}

}  // namespace

LinkParams CableValues::on(LinkParams params) const {
  params.bandwidth = bandwidth.value_or(params.bandwidth);
  params.flow_cap = flow_cap.value_or(params.flow_cap);
  params.latency = latency.value_or(params.latency);
  params.duplex = duplex.value_or(params.duplex);
  return params;
}

bool looks_like_edge_list(std::string_view text) {
  std::string_view line;
  while (line.empty() && !text.empty()) line = take_line(text);
  if (line.starts_with("route ")) return true;
  // What begins with one of these is a list, a mapping in braces, a text in quotes, ...
  if (line.empty() || std::string_view("{[%-?\"'&!|>").find(line[0]) != std::string_view::npos) {
    return false;
  }
  return line.find(':') == std::string_view::npos &&
         line.find_first_of(kBlanks) != std::string_view::npos;
}

bool is_edge_list_word(std::string_view text) {
  static constexpr std::string_view kWords[] = {"node", "switch", "route", "group",
                                                "set",  "nodes",  ":"};
  return std::ranges::find(kWords, text) != std::end(kWords);
}

EdgeListNotes read_edge_list_notes(std::string_view text, const SourceLocation& start) {
  EdgeListNotes notes;
  for (std::uint32_t number = 0; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    // Of long lists only the few lines that matter are taken apart.
    const std::size_t first = line.find_first_not_of(kBlanks);
    if (first == std::string_view::npos || (line[first] != 's' && line[first] != 'n')) continue;
    const std::vector<Token> tokens = tokens_of(line, number, start);
    if (tokens.empty()) continue;
    if (tokens[0].text == "set") note_settings(tokens, notes);
    if (tokens[0].text == "nodes") note_nodes(tokens, notes);
  }
  return notes;
}

EdgeList read_edge_list(std::string_view text, const SourceLocation& start) {
  return EdgeListReader(start).read(text);
}

std::unique_ptr<Graph> graph_of(EdgeList list, const LinkParams& link) {
  for (std::size_t c = 0; c < list.values.size(); ++c) {
    list.plan.cables[c].latency = list.values[c].on(link).latency;
  }
  return std::make_unique<Graph>(std::move(list.plan));
}

}  // namespace heddle::platform
