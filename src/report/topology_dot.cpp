#include "report/topology_dot.hpp"

#include <fmt/core.h>

#include "report/drawing_graph.hpp"
#include "report/drawing_looks.hpp"
#include "report/drawing_places.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

constexpr double kPointsPerInch = 72;
/// Of more lines, Graphviz takes long to lead each around the vertices in its way.
constexpr std::size_t kMostAround = 200;

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string dot_attribute(const char* name, const std::string& value) {
  return fmt::format("{}={}", name, quoted(value));
}

/// Writes the graph with every vertex pinned to its place in the SVG drawing.
class DotWriter {
 public:
  explicit DotWriter(const platform::Platform& platform)
      : platform_(platform),
        graph_(drawing_graph(platform.topology())),
        looks_(platform, graph_),
        places_(graph_, platform.topology(), HostDetail::each),
        tone_(line_tone(graph_, looks_, places_)),
        alpha_(fmt::format("{:02x}", static_cast<int>(255 * tone_.opacity))) {}

  std::string write() {
    text_ = fmt::format(
        "graph {} {{\n"
        "  // Places are those of the SVG drawing; without this line, Graphviz finds its own.\n"
        "  layout=neato; inputscale=72; splines={}; outputorder=edgesfirst; esep=\"+1\"; "
        "fontsize={};\n"
        "  fontname=\"DejaVu Sans, Helvetica, Arial, sans-serif\";\n"
        "  node [fontname=\"DejaVu Sans, Helvetica, Arial, sans-serif\", style=filled, margin=0];\n"
        "  label=<{}>;\n",
        quoted(platform_.name()), graph_.edges.size() <= kMostAround ? "true" : "line",
        svg_number(12 * word_scale(places_.width(), places_.height())), legend());
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) write_vertex(v);
    for (const DrawnEdge& edge : graph_.edges) write_edge(edge);
    for (std::size_t v = 0; v < graph_.vertices.size(); ++v) write_hosts(v);
    return text_ + "}\n";
  }

 private:
  /// A table that Graphviz sets below the drawing.
  std::string legend() const {
    std::string rows;
    for (const LegendRow& row : looks_.legend()) {
      rows += fmt::format("\n    <tr><td>{}</td><td align=\"left\">{}</td></tr>", sample(row),
                          xml_escaped(row.text));
    }
    return fmt::format(
        "<table border=\"0\" cellspacing=\"2\">\n"
        "    <tr><td colspan=\"2\"><b>{}</b></td></tr>\n"
        "    <tr><td colspan=\"2\">{}</td></tr>{}\n  </table>",
        xml_escaped(platform_.name()), xml_escaped(platform_.topology().describe()), rows);
  }

  std::string sample(const LegendRow& row) const {
    const auto letters = [](const char* colour, const char* text) {
      return fmt::format("<font color=\"{}\">{}</font>", colour, text);
    };
    switch (row.sample) {
      case Sample::node:
        return letters(kNodeColour, "\u25cf");
      case Sample::fabric_switch:
        return letters(kSwitchColour, "\u25a0");
      case Sample::shared_link:
        return letters(kLinkEdge, "\u25a1");
      case Sample::junction:
        return letters(kSwitchColour, "\u2022");
      case Sample::cable:
        return letters(looks_.all()[row.look].colour.c_str(), "\u2501\u2501");
      case Sample::none:
        break;
    }
    return "";
  }

  /// What the graph calls a vertex; links and junctions have no names among nodes and switches.
  std::string id(std::size_t v) const {
    const DrawnVertex& vertex = graph_.vertices[v];
    if (vertex.is.kind == VertexKind::junction) return fmt::format("junction {}", v);
    return vertex.is.kind == VertexKind::shared_link ? "link " + vertex.name : vertex.name;
  }

  /// Graphviz counts upwards.
  std::string pin(Point at) const {
    return dot_attribute("pos", svg_number(at.x) + "," + svg_number(places_.height() - at.y) + "!");
  }

  std::string size(double width, double height) const {
    return fmt::format("fixedsize=true, width={:.3f}, height={:.3f}", width / kPointsPerInch,
                       height / kPointsPerInch);
  }

  void write_vertex(std::size_t v) {
    const DrawnVertex& vertex = graph_.vertices[v];
    const Measures& m = places_.measures();
    const VertexLook look = look_of(vertex.is.kind);
    const bool junction = vertex.is.kind == VertexKind::junction;
    const bool named = m.switch_names && !junction;
    text_ += fmt::format(
        "  {} [shape={}, {}, fillcolor=\"{}\", color=\"{}\", fontcolor=\"{}\", fontsize=11, "
        "label={}, {}, {}];\n",
        quoted(id(v)), shape(vertex.is.kind),
        junction ? size(10, 10) : size(m.box_width, m.box_height), look.fill, look.edge,
        look.letters, quoted(named ? shortened(vertex.name, kSwitchLetters, m.switch_name) : ""),
        dot_attribute("tooltip", looks_.vertex_text(vertex)), pin(places_.vertex(v)));
  }

  static const char* shape(VertexKind kind) {
    switch (kind) {
      case VertexKind::node:
      case VertexKind::shared_link:
        return "box, style=\"filled,rounded\"";
      case VertexKind::junction:
        return "circle";
      case VertexKind::fabric_switch:
        break;
    }
    return "box";
  }

  void write_edge(const DrawnEdge& edge) {
    // The upper end first: so Graphviz's own layouts put it above as well.
    const bool upright = places_.vertex(edge.a).y <= places_.vertex(edge.b).y;
    write_line(id(upright ? edge.a : edge.b), id(upright ? edge.b : edge.a), edge.line);
  }

  void write_line(const std::string& a, const std::string& b, const Line& line) {
    const CableLook& look = looks_.of(line);
    text_ += fmt::format("  {} -- {} [color=\"{}\", penwidth={}{}, {}];\n", quoted(a), quoted(b),
                         line.cables.empty() ? "#555555" : look.colour + alpha_,
                         svg_number(tone_.scale * look.width),
                         line.cables.empty() ? ", style=dashed" : "",
                         dot_attribute("tooltip", looks_.line_text(a, b, line)));
  }

  void write_hosts(std::size_t v) {
    for (std::size_t i = 0; i < graph_.vertices[v].hosts.size(); ++i) {
      const DrawnHost& host = graph_.vertices[v].hosts[i];
      text_ += fmt::format("  {} [{}, fillcolor=\"{}\", color=\"{}\", {}, {}];\n",
                           quoted(host.name), host_shape(host), kNodeColour, kNodeEdge,
                           dot_attribute("tooltip", host.name), pin(places_.host(v, i)));
      write_line(id(v), host.name, host.line);
    }
  }

  /// Wide enough for the name, if there is room for names.
  std::string host_shape(const DrawnHost& host) const {
    const Measures& m = places_.measures();
    if (m.hosts == HostStyle::dots) return "shape=circle, label=\"\", " + size(8, 8);
    return fmt::format("shape=box, style=\"filled,rounded\", fontsize={}, label={}, {}",
                       kHostLetters - 1, quoted(shortened(host.name, kHostLetters, m.host_name)),
                       size(m.host_column - 2, 14));
  }

  const platform::Platform& platform_;
  DrawingGraph graph_;
  Looks looks_;
  Places places_;
  LineTone tone_;
  std::string alpha_;  ///< Of the lines' colours, in hexadecimal.
  std::string text_;
};

}  // namespace

std::string topology_dot(const platform::Platform& platform) {
  return DotWriter(platform).write();
}

}  // namespace heddle::report
