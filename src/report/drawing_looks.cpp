#include "report/drawing_looks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "core/units.hpp"
#include "report/cable_groups.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

using platform::LinkParams;
using platform::Platform;

constexpr std::size_t kMostLooks = 8;         ///< More cannot be told apart.
constexpr std::size_t kMostWithLatency = 5;   ///< More would be colourful and tell little.
constexpr double kUsualWidth = 1.3;           ///< Of the line of a cable.
constexpr std::size_t kMostCablesListed = 4;  ///< In one tooltip.

/// What one message or all of them get; unlimited ranks highest.
Bandwidth capacity(const LinkParams& cable) {
  return tighter(cable.bandwidth, cable.flow_cap);
}

/// What cables of one look have in common: fewer parameters, fewer looks.
enum class Common { all, bandwidth, group };
using LookKey = std::tuple<std::string, LinkParams>;

LookKey key_of(const Platform& platform, std::uint32_t cable, Common common) {
  LinkParams params = platform.cable(cable);
  if (common != Common::all) params.latency = Time::zero();
  if (common == Common::group) params = LinkParams{};
  return {platform.topology().cable_group(cable), params};
}

/// Cables of one look, and the range of their parameters.
struct CableClass {
  std::string group;
  std::uint32_t cables = 0;
  LinkParams low;
  LinkParams high;
};

void widen(CableClass& which, const LinkParams& cable) {
  if (which.cables++ == 0) which.low = which.high = cable;
  if (tighter(capacity(cable), capacity(which.low)) != capacity(which.low)) {
    which.low.bandwidth = cable.bandwidth;
    which.low.flow_cap = cable.flow_cap;
  }
  if (tighter(capacity(cable), capacity(which.high)) != capacity(cable)) {
    which.high.bandwidth = cable.bandwidth;
    which.high.flow_cap = cable.flow_cap;
  }
  which.low.latency = std::min(which.low.latency, cable.latency);
  which.high.latency = std::max(which.high.latency, cable.latency);
}

struct CableClasses {
  std::vector<CableClass> classes;
  std::vector<std::uint32_t> of_cable;
};

CableClasses classify(const Platform& platform, Common common) {
  CableClasses result;
  std::map<LookKey, std::uint32_t> numbers;
  for (std::uint32_t cable = 0; cable < platform.topology().cables(); ++cable) {
    const LookKey key = key_of(platform, cable, common);
    const auto number = static_cast<std::uint32_t>(result.classes.size());
    const auto [it, is_new] = numbers.try_emplace(key, number);
    if (is_new) result.classes.push_back({std::get<std::string>(key), 0, {}, {}});
    widen(result.classes[it->second], platform.cable(cable));
    result.of_cable.push_back(it->second);
  }
  return result;
}

/// As fine as can be told apart.
CableClasses classify(const Platform& platform) {
  CableClasses classes = classify(platform, Common::all);
  if (classes.classes.size() <= kMostWithLatency) return classes;
  classes = classify(platform, Common::bandwidth);
  return classes.classes.size() <= kMostLooks ? classes : classify(platform, Common::group);
}

/// For each class, whether it is the most frequent one of its group.
std::vector<bool> usual_classes(const std::vector<CableClass>& classes) {
  std::map<std::string, std::uint32_t> most;
  for (const CableClass& c : classes) most[c.group] = std::max(most[c.group], c.cables);
  std::vector<bool> usual;
  for (const CableClass& c : classes) {
    usual.push_back(c.cables == most[c.group]);
    if (usual.back()) most[c.group] = UINT32_MAX;  // One is enough.
  }
  return usual;
}

/// The nodes' usual cables are grey: they are many and tell little. Other groups' usual cables come
/// first in the palette, exceptions next.
std::vector<std::string> colours_of(const std::vector<CableClass>& classes) {
  const std::vector<bool> usual = usual_classes(classes);
  std::vector<std::string> colours(classes.size());
  std::size_t next = 0;
  for (const bool now : {true, false}) {
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (usual[i] != now) continue;
      colours[i] = now && classes[i].group == "access" ? kAccessColour : palette(next++);
    }
  }
  return colours;
}

std::string bandwidth_text(const LinkParams& cable) {
  if (!cable.bandwidth.is_unlimited() || cable.flow_cap.is_unlimited()) {
    return format_bandwidth(cable.bandwidth);
  }
  return format_bandwidth(cable.flow_cap) + " for each message";
}

std::string counted(std::size_t n, const char* one, const char* several) {
  return fmt::format("{} {}", n, n == 1 ? one : several);
}

std::string class_text(const CableClass& which) {
  return fmt::format("{}: {}, {}, {}", which.group, counted(which.cables, "cable", "cables"),
                     range_text(bandwidth_text(which.low), bandwidth_text(which.high)),
                     range_text(format_time(which.low.latency), format_time(which.high.latency)));
}

/// The capacity that most cables have.
Bandwidth usual_capacity(const std::vector<CableClass>& classes) {
  const auto most =
      std::max_element(classes.begin(), classes.end(),
                       [](const auto& a, const auto& b) { return a.cables < b.cables; });
  return capacity(most->low);
}

double width_of(const CableClass& which, Bandwidth usual) {
  const Bandwidth own = capacity(which.low);
  if (own != capacity(which.high)) return kUsualWidth;  // A range is as wide as it is narrow.
  if (own.is_unlimited() || usual.is_unlimited()) return own == usual ? kUsualWidth : 4;
  const double ratio =
      static_cast<double>(own.bits_per_second()) / static_cast<double>(usual.bits_per_second());
  return std::clamp(kUsualWidth * std::sqrt(ratio), 0.7, 4.0);
}

}  // namespace

VertexLook look_of(VertexKind kind) {
  switch (kind) {
    case VertexKind::node:
      return {kNodeColour, kNodeEdge, "#222222"};
    case VertexKind::shared_link:
      return {kLinkColour, kLinkEdge, "#222222"};
    case VertexKind::fabric_switch:
    case VertexKind::junction:
      break;
  }
  return {kSwitchColour, "white", "white"};
}

Looks::Looks(const Platform& platform, const DrawingGraph& graph) : platform_(platform) {
  make_looks();
  make_legend(graph);
}

void Looks::make_looks() {
  CableClasses classes = classify(platform_);
  of_cable_ = std::move(classes.of_cable);
  const std::vector<std::string> colours = colours_of(classes.classes);
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const CableClass& c = classes.classes[i];
    looks_.push_back({colours[i], width_of(c, usual_capacity(classes.classes)), class_text(c)});
  }
  if (looks_.empty()) looks_.push_back({kAccessColour, kUsualWidth, {}});
}

void Looks::make_legend(const DrawingGraph& graph) {
  const platform::Topology& topology = platform_.topology();
  legend_.push_back({Sample::node, counted(topology.nodes(), "node", "nodes")});
  if (topology.switches() > 0) {
    legend_.push_back({Sample::fabric_switch, counted(topology.switches(), "switch", "switches")});
  }
  if (const std::size_t n = graph.count(VertexKind::shared_link)) {
    legend_.push_back({Sample::shared_link, counted(n, "shared link", "shared links")});
  }
  if (const std::size_t n = graph.count(VertexKind::junction)) {
    legend_.push_back({Sample::junction, counted(n, "place", "places") + " where links meet"});
  }
  for (std::size_t i = 0; i < looks_.size() && topology.cables() > 0; ++i) {
    if (i == kMostLooks && i + 1 < looks_.size()) {
      legend_.push_back({Sample::none, fmt::format("and {} more groups", looks_.size() - i)});
      break;
    }
    legend_.push_back({Sample::cable, looks_[i].text, i});
  }
  if (graph.left_out > 0) {
    legend_.push_back({Sample::none, "not drawn: " + counted(graph.left_out, "link", "links") +
                                         " on none of the routes followed"});
  }
}

std::string Looks::cable_text(std::uint32_t cable) const {
  const LinkParams& params = platform_.cable(cable);
  return fmt::format("{}, {}", bandwidth_text(params), format_time(params.latency));
}

std::string Looks::line_text(const std::string& a, const std::string& b, const Line& line) const {
  const platform::Topology& topology = platform_.topology();
  std::string text =
      fmt::format("{} - {}{}", a, b, line.parallel > 1 ? fmt::format(" x{}", line.parallel) : "");
  if (line.cables.empty()) return text;
  const bool has_ends = topology.ends(LinkId{2 * line.cables.front()}).from != kNoVertex;
  if (has_ends) return text + ": " + cable_text(line.cables.front());
  for (std::size_t i = 0; i < std::min(line.cables.size(), kMostCablesListed); ++i) {
    text += fmt::format("{} {}, {}", i == 0 ? ":" : ";", cable_name(topology, line.cables[i]),
                        cable_text(line.cables[i]));
  }
  return line.cables.size() > kMostCablesListed ? text + "; ..." : text;
}

std::string Looks::vertex_text(const DrawnVertex& vertex) const {
  if (vertex.is.kind == VertexKind::shared_link) {
    return fmt::format("{}: {}", vertex.name, cable_text(vertex.is.cable));
  }
  return fmt::format(
      "{}{}", vertex.name.empty() ? "" : vertex.name + ": ",
      counted(vertex.neighbours.size() + vertex.hosts.size(), "neighbour", "neighbours"));
}

double word_scale(double width, double height) {
  return std::clamp(std::max(width / 1200, height / 1000), 1.0, 3.0);
}

LineTone line_tone(const DrawingGraph& graph, const Looks& looks, const Places& places) {
  double ink = 0;
  for (const DrawnEdge& edge : graph.edges) {
    const double dx = places.vertex(edge.a).x - places.vertex(edge.b).x;
    const double dy = places.vertex(edge.a).y - places.vertex(edge.b).y;
    ink += looks.of(edge.line).width * std::sqrt(dx * dx + dy * dy);
  }
  // Lines may cover about a sixth of the page.
  const double room = places.width() * places.height() / 6 / std::max(ink, 1.0);
  return {std::clamp(room, 0.35, 1.0),
          std::clamp(std::sqrt(room), 1.0, word_scale(places.width(), places.height()))};
}

}  // namespace heddle::report
