#include "report/replay/replay_recording.hpp"

#include <algorithm>
#include <memory>

#include "core/units.hpp"
#include "run/way_costs.hpp"

namespace heddle::report {

record::CostOf cost_of(const ReplayReport& report) {
  if (report.over_loggops()) return nullptr;
  const platform::Machine& machine = *report.machine;
  return
      [costs = std::make_shared<run::WayCosts>(*machine.platform, report.network, machine.settings),
       nodes = report.nodes](const record::Carried& carried) {
        return costs->of({nodes[carried.from], platform::Port::memory},
                         {nodes[carried.to], platform::Port::memory}, carried.bytes);
      };
}

RunFacts facts_of(const ReplayReport& report, const std::string& title) {
  RunFacts facts;
  facts.kind = "replay";
  facts.title = title;
  facts.network = report.network;
  facts.ranks = report.schedule->ranks();
  facts.nodes = facts.ranks;
  facts.wall_seconds = report.wall_seconds;
  facts.command = report.again;
  facts.fidelity = report.over_loggops() ? "LogGOPS" : "network " + report.network;
  const replay::LogGopsParameters& p = report.parameters;
  facts.more = {{"o", format_time(p.overhead)}, {"g", format_time(p.gap)}};
  if (report.over_loggops()) facts.more.emplace_back("L", format_time(p.latency));
  if (report.machine->platform) {
    facts.platform = report.machine->platform->name();
    facts.machine = report.machine->title();
    facts.nodes = std::min(facts.ranks, report.machine->platform->nodes());
    facts.configuration = report.machine->config();
  }
  return facts;
}

}  // namespace heddle::report
