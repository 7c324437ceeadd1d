#include "cli/topo_report.hpp"

#include <fmt/format.h>

#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::cli {
namespace {

using platform::Platform;
using report::Align;
using report::put;

constexpr std::size_t kMostGroups = 24;  ///< Rows of the table of cables.

std::string cables_text(const report::CableGroups& cables) {
  report::Table table({{"cables"},
                       {"count", Align::right},
                       {"bandwidth", Align::right},
                       {"latency", Align::right}});
  const std::size_t shown = std::min(cables.groups.size(), kMostGroups);
  for (std::size_t i = 0; i < shown; ++i) {
    const report::CableGroup& group = cables.groups[i];
    table.add(
        {group.name, std::to_string(group.cables), group.bandwidth_text(), group.latency_text()});
  }
  std::string text = table.text();
  if (shown < cables.groups.size()) {
    text +=
        fmt::format("... and {} more groups (--json has them all)\n", cables.groups.size() - shown);
  }
  return text;
}

std::string node_name(const Platform& platform, const platform::Endpoint& endpoint) {
  return platform.topology().name(static_cast<VertexId>(endpoint.node));
}

std::string route_text(const Platform& platform, const report::Route& route) {
  report::Table table({{"link"},
                       {"bandwidth", Align::right},
                       {"per message", Align::right},
                       {"latency", Align::right}});
  for (const LinkId id : route.links) {
    const platform::Link& link = platform.link(id);
    table.add({platform.link_name(id), format_bandwidth(link.bandwidth),
               format_bandwidth(tighter(link.bandwidth, link.flow_cap)),
               format_time(link.latency)});
  }
  table.add({fmt::format("total of {}", route.links.size()), "", format_bandwidth(route.bandwidth),
             format_time(route.latency)});
  return fmt::format("route from {} to {}\n{}", node_name(platform, route.source),
                     node_name(platform, route.destination), table.text(2));
}

report::Json json_of(const report::CableGroup& group) {
  report::Json json = {{"group", group.name}, {"cables", group.cables}};
  put(json, "min_bandwidth", group.min_bandwidth);
  put(json, "max_bandwidth", group.max_bandwidth);
  put(json, "min_latency", group.min_latency);
  put(json, "max_latency", group.max_latency);
  return json;
}

report::Json json_of(const Platform& platform, LinkId id) {
  const platform::Link& link = platform.link(id);
  report::Json json = {{"link", platform.link_name(id)}, {"id", index(id)}};
  put(json, "bandwidth", link.bandwidth);
  put(json, "message_bandwidth", tighter(link.bandwidth, link.flow_cap));
  put(json, "latency", link.latency);
  return json;
}

report::Json json_of(const Platform& platform, const report::Route& route,
                     std::optional<Bytes> size) {
  report::Json json = {{"source", node_name(platform, route.source)},
                       {"destination", node_name(platform, route.destination)},
                       {"links", report::Json::array()}};
  for (const LinkId link : route.links) json["links"].push_back(json_of(platform, link));
  put(json, "latency", route.latency);
  put(json, "bandwidth", route.bandwidth);
  if (size) {
    put(json, "size", *size);
    put(json, "idle_time", route.idle_time(platform, *size));
  }
  return json;
}

}  // namespace

TopoReport describe_fabric(const Machine& machine) {
  return {&machine, report::cable_groups(*machine.platform), std::nullopt, std::nullopt};
}

std::string text_of(const TopoReport& report) {
  const Platform& platform = *report.machine->platform;
  std::string text = fmt::format("{}: {}\n", platform.name(), platform.topology().describe());
  if (!report.machine->description.about.empty()) {
    text += report.machine->description.about + "\n";
  }
  text += "\n" + cables_text(report.cables);
  if (report.route) text += "\n" + route_text(platform, *report.route);
  if (report.route && report.size) {
    text += fmt::format("  {} on an idle machine: {}\n", format_bytes(*report.size),
                        format_time(report.route->idle_time(platform, *report.size)));
  }
  return text;
}

report::Json json_of(const TopoReport& report) {
  const Platform& platform = *report.machine->platform;
  report::Json document = report::new_document("heddle.topo/1");
  document["platform"] = platform.name();
  document["about"] = report.machine->description.about;
  document["topology"] = platform.topology().describe();
  document["nodes"] = platform.nodes();
  document["switches"] = platform.topology().switches();
  document["cables"] = platform.topology().cables();
  document["cable_groups"] = report::Json::array();
  for (const report::CableGroup& group : report.cables.groups) {
    document["cable_groups"].push_back(json_of(group));
  }
  if (report.route) document["route"] = json_of(platform, *report.route, report.size);
  return document;
}

}  // namespace heddle::cli
