#include "report/topo/topo_report.hpp"

#include <fmt/core.h>

#include <limits>

#include "core/units.hpp"
#include "report/table.hpp"

namespace heddle::report {
namespace {

using platform::Platform;

constexpr std::size_t kMostGroups = 24;  ///< Rows of the table of cables.

std::string hops_text(std::uint32_t hops) {
  return hops == 1 ? "1 link" : fmt::format("{} links", hops);
}

std::string mean_text(const platform::HopCounts& hops) {
  if (hops.pairs == 0) return "none: a single node";
  return fmt::format("{:.4g} links{}", hops.mean(), hops.exact ? "" : " (of a sample of pairs)");
}

std::string bisection_text(const platform::Metrics& metrics) {
  if (!metrics.bisection) return metrics.no_bisection;
  const platform::Bisection& bisection = *metrics.bisection;
  return fmt::format("{}{} over {} cable{}", bisection.exact ? "" : "at most ",
                     format_bandwidth(bisection.bandwidth), bisection.cables,
                     bisection.cables == 1 ? "" : "s");
}

std::string figures_text(const Platform& platform, const platform::Metrics& metrics) {
  const bool exact = metrics.hops.exact;
  Table table({{"figure"}, {"value"}});
  table.add({"nodes", std::to_string(platform.nodes())});
  table.add(
      {"switches", fmt::format("{}, radix {}", platform.topology().switches(), metrics.radix)});
  table.add({"diameter", fmt::format("{}{} between nodes, {}{} between switches",
                                     exact ? "" : "at least ", hops_text(metrics.hops.most),
                                     metrics.switch_diameter_exact ? "" : "at least ",
                                     metrics.switch_diameter)});
  table.add({"mean hops", mean_text(metrics.hops)});
  if (metrics.hops.cut_off > 0) {
    table.add({"without route", fmt::format("{} of {} pairs of nodes", metrics.hops.cut_off,
                                            metrics.hops.cut_off + metrics.hops.pairs)});
  }
  table.add({"bisection", bisection_text(metrics)});
  return table.text();
}

std::string cables_text(const std::vector<platform::CableCount>& cables) {
  Table table({{"cables"},
               {"count", Align::right},
               {"bandwidth", Align::right},
               {"per message", Align::right},
               {"latency", Align::right},
               {"duplex"}});
  const std::size_t shown = std::min(cables.size(), kMostGroups);
  for (std::size_t i = 0; i < shown; ++i) {
    const platform::LinkParams& params = cables[i].params;
    table.add(
        {cables[i].group, std::to_string(cables[i].cables), format_bandwidth(params.bandwidth),
         format_bandwidth(tighter(params.bandwidth, params.flow_cap)), format_time(params.latency),
         params.duplex == platform::Duplex::full ? "full" : "half"});
  }
  std::string text = table.text();
  if (shown < cables.size()) {
    text +=
        fmt::format("... and {} more (the results as JSON have them all)\n", cables.size() - shown);
  }
  return text;
}

std::string node_name(const Platform& platform, const platform::Endpoint& endpoint) {
  return platform.topology().name(static_cast<VertexId>(endpoint.node));
}

std::string route_text(const Platform& platform, const run::Route& route) {
  Table table({{"link"},
               {"bandwidth", Align::right},
               {"per message", Align::right},
               {"latency", Align::right}});
  for (std::size_t i = 0; i < route.links.size(); ++i) {
    const platform::Link& link = platform.links()[route.links[i]];
    table.add({platform.links().name(route.links[i]), format_bandwidth(link.bandwidth),
               format_bandwidth(tighter(link.bandwidth, link.flow_cap)),
               format_time(route.latencies[i])});
  }
  table.add({fmt::format("total of {}", route.links.size()), "", format_bandwidth(route.bandwidth),
             format_time(route.latency)});
  return fmt::format("route from {} to {}\n{}", node_name(platform, route.source),
                     node_name(platform, route.destination), table.text(2));
}

/// Each part with its exact picoseconds, so that readers can add them up.
std::string message_text(const Platform& platform, const run::Route& route,
                         const run::IdleMessage& message) {
  Table table({{"part"}, {"time", Align::right}, {"time_ps", Align::right}});
  const auto add = [&table](const std::string& part, Time time) {
    table.add({part, format_time(time), std::to_string(time.ps())});
  };
  if (message.send_overhead != Time::zero()) add("send overhead", message.send_overhead);
  add("latency of " + hops_text(static_cast<std::uint32_t>(route.links.size())), message.latency);
  add(fmt::format("{} at {}", format_bytes(message.size), format_bandwidth(route.bandwidth)),
      message.serialisation);
  if (message.receive_overhead != Time::zero()) add("receive overhead", message.receive_overhead);
  if (message.model != Time::zero()) {
    add(message.network + ": " + run::model_part(message.network, platform), message.model);
  }
  add("total", message.total);
  return fmt::format("{} on an idle machine, over {}: {}\n{}", format_bytes(message.size),
                     message.network, format_time(message.total), table.text(2));
}

std::string channel_name(const Platform& platform, const network::Channel& channel) {
  return fmt::format("{} lane {}", platform.links().name(channel.link), channel.lane);
}

/// Whether packets can wait for each other, and in which circle.
std::string lanes_text(const TopoReport& report) {
  const Platform& platform = *report.machine->platform;
  const network::LaneCheck& found = *report.lanes;
  std::string text = fmt::format(
      "lanes: {} by {}, routing {}: {} buffers of lanes, of which {} pairs follow each other\n",
      found.lanes, found.rule, report.machine->settings.get(platform::topology_table()).routing,
      found.channels, found.dependencies);
  if (found.circle.empty()) return text + "no circle: packets cannot deadlock\n";
  text += fmt::format("packets can deadlock, each waiting for the next of {} buffers:\n",
                      found.circle.size());
  for (const network::Channel& channel : found.circle) {
    text += "  " + channel_name(platform, channel) + "\n";
  }
  return text;
}

Json json_of(const Platform& platform, const network::LaneCheck& found) {
  Json json = {{"lane_by", found.rule},
               {"lanes", found.lanes},
               {"channels", found.channels},
               {"dependencies", found.dependencies},
               {"can_deadlock", !found.circle.empty()},
               {"circle", Json::array()}};
  for (const network::Channel& channel : found.circle) {
    json["circle"].push_back(
        {{"link", platform.links().name(channel.link)}, {"lane", channel.lane}});
  }
  return json;
}

Json json_of(const platform::CableCount& count) {
  Json json = {{"group", count.group}, {"cables", count.cables}};
  put(json, "bandwidth", count.params.bandwidth);
  put(json, "message_bandwidth", tighter(count.params.bandwidth, count.params.flow_cap));
  put(json, "latency", count.params.latency);
  json["duplex"] = count.params.duplex == platform::Duplex::full ? "full" : "half";
  return json;
}

/// A number, or nothing where it has more than the 64 bits that readers of JSON may expect.
Json json_of(unsigned __int128 count) {
  if (count > std::numeric_limits<std::uint64_t>::max()) return {};
  return static_cast<std::uint64_t>(count);
}

Json json_of(const platform::HopCounts& hops) {
  return {{"most", hops.most},   {"sum", json_of(hops.sum)},
          {"pairs", hops.pairs}, {"pairs_without_route", hops.cut_off},
          {"mean", hops.mean()}, {"exact", hops.exact}};
}

Json json_of(const std::optional<platform::Bisection>& bisection) {
  if (!bisection) return {};
  Json json = {{"cables", bisection->cables}, {"exact", bisection->exact}};
  put(json, "bandwidth", bisection->bandwidth);
  return json;
}

Json json_of(const Platform& platform, LinkId id, Time latency) {
  const platform::Link& link = platform.links()[id];
  Json json = {{"link", platform.links().name(id)}, {"id", index(id)}};
  put(json, "bandwidth", link.bandwidth);
  put(json, "message_bandwidth", tighter(link.bandwidth, link.flow_cap));
  put(json, "latency", latency);
  return json;
}

Json json_of(const Platform& platform, const run::IdleMessage& message) {
  Json json = {{"network", message.network}};
  put(json, "send_overhead", message.send_overhead);
  put(json, "latency", message.latency);
  put(json, "serialisation", message.serialisation);
  put(json, "receive_overhead", message.receive_overhead);
  put(json, "model", message.model);
  json["model_part"] = run::model_part(message.network, platform);
  return json;
}

Json json_of(const Platform& platform, const run::Route& route,
             const std::optional<run::IdleMessage>& message) {
  Json json = {{"source", node_name(platform, route.source)},
               {"destination", node_name(platform, route.destination)},
               {"links", Json::array()}};
  for (std::size_t i = 0; i < route.links.size(); ++i) {
    json["links"].push_back(json_of(platform, route.links[i], route.latencies[i]));
  }
  put(json, "latency", route.latency);
  put(json, "bandwidth", route.bandwidth);
  if (message) {
    put(json, "size", message->size);
    put(json, "idle_time", message->total);
    json["idle_parts"] = json_of(platform, *message);
  }
  return json;
}

}  // namespace

TopoReport describe_fabric(const platform::Machine& machine) {
  TopoReport report;
  report.machine = &machine;
  report.metrics = platform::measure(*machine.platform);
  return report;
}

std::string text_of(const TopoReport& report) {
  const Platform& platform = *report.machine->platform;
  std::string text = fmt::format("{}: {}\n", platform.name(), platform.topology().describe());
  if (!report.machine->description.about.empty()) {
    text += report.machine->description.about + "\n";
  }
  text += "\n" + figures_text(platform, report.metrics);
  text += "\n" + cables_text(report.metrics.cables);
  if (report.route) text += "\n" + route_text(platform, *report.route);
  if (report.message) text += "\n" + message_text(platform, *report.route, *report.message);
  if (report.cost) text += "\n" + text_of(*report.cost);
  if (report.failures) text += "\n" + text_of(*report.failures);
  if (report.lanes) text += "\n" + lanes_text(report);
  return text;
}

Json json_of(const TopoReport& report) {
  const Platform& platform = *report.machine->platform;
  Json document = new_document("heddle.topo/1");
  document["platform"] = platform.name();
  document["about"] = report.machine->description.about;
  document["topology"] = platform.topology().describe();
  document["nodes"] = platform.nodes();
  document["switches"] = platform.topology().switches();
  document["cables"] = platform.topology().cables();
  document["radix"] = report.metrics.radix;
  document["switch_diameter"] = report.metrics.switch_diameter;
  document["switch_diameter_exact"] = report.metrics.switch_diameter_exact;
  document["hops"] = json_of(report.metrics.hops);
  document["bisection"] = json_of(report.metrics.bisection);
  document["cable_groups"] = Json::array();
  for (const platform::CableCount& count : report.metrics.cables) {
    document["cable_groups"].push_back(json_of(count));
  }
  if (report.route) document["route"] = json_of(platform, *report.route, report.message);
  if (report.cost) document["cost"] = json_of(*report.cost);
  if (report.failures) document["failures"] = json_of(*report.failures);
  if (report.lanes) document["lanes"] = json_of(platform, *report.lanes);
  return document;
}

}  // namespace heddle::report
