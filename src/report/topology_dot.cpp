#include "report/topology_dot.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "report/cable_groups.hpp"
#include "report/svg.hpp"

namespace heddle::report {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + "\"";
}

std::string vertex_line(const platform::Topology& topology, VertexId v) {
  return fmt::format("  {} [{}];\n", quoted(topology.name(v)),
                     topology.is_switch(v) ? "shape=box, style=filled, fillcolor=\"#34495e\", "
                                             "fontcolor=white"
                                           : "shape=circle, style=filled, fillcolor=\"#f4b942\"");
}

std::string cable_line(const platform::Platform& platform, std::uint32_t cable,
                       std::uint32_t group) {
  const platform::Topology& topology = platform.topology();
  const platform::LinkEnds ends = topology.ends(LinkId{2 * cable});
  if (ends.from == kNoVertex || ends.to == kNoVertex) return "";
  const platform::LinkParams& params = platform.cable_params(cable);
  return fmt::format(
      "  {} -- {} [color=\"{}\", tooltip={}];\n", quoted(topology.name(ends.from)),
      quoted(topology.name(ends.to)), palette(group),
      quoted(fmt::format("{}: {}, {}", topology.cable_group(cable),
                         format_bandwidth(params.bandwidth), format_time(params.latency))));
}

}  // namespace

std::string topology_dot(const platform::Platform& platform) {
  const platform::Topology& topology = platform.topology();
  const CableGroups groups = cable_groups(platform);
  std::string text = fmt::format("graph {} {{\n  label={};\n", quoted(platform.name()),
                                 quoted(topology.describe()));
  for (std::uint32_t v = 0; v < topology.vertices(); ++v) {
    text += vertex_line(topology, VertexId{v});
  }
  for (std::uint32_t cable = 0; cable < topology.cables(); ++cable) {
    text += cable_line(platform, cable, groups.of_cable[cable]);
  }
  return text + "}\n";
}

}  // namespace heddle::report
