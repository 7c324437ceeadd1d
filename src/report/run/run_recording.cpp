#include "report/run/run_recording.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "coll/costs/path_factors.hpp"
#include "mpi/world.hpp"
#include "network/network.hpp"
#include "report/run/sampling_report.hpp"
#include "run/way_costs.hpp"

namespace heddle::report {
namespace {

/// The costs of one world's messages.
class Costs {
 public:
  Costs(run::ProgramRun& run, const platform::Machine& machine)
      : ways_(*machine.platform, run.network(), machine.settings),
        config_(run.worlds().front().mpi().config()),
        factors_(*machine.platform, config_.latency_factors.value_or(coll::Factors()),
                 config_.bandwidth_factors.value_or(coll::Factors())) {
    for (run::World& world : run.worlds()) {
      for (std::uint32_t r = 0; r < world.job().size(); ++r) {
        nodes_.push_back(world.job().rank(host::RankId{r}).node());
      }
    }
  }

  record::WayCost operator()(const record::Carried& carried) {
    const NodeId a = nodes_[carried.from];
    const NodeId b = nodes_[carried.to];
    const std::int64_t bytes = carried.bytes;
    if (carried.by_adapters) {
      const auto port = [](bool memory) {
        return memory ? platform::Port::stream : platform::Port::nic;
      };
      return ways_.of({a, port(carried.from_memory)}, {b, port(carried.to_memory)}, bytes);
    }
    if (config_.through_memory(a, b)) {
      record::WayCost cost;
      cost.latency = config_.time_through_memory(bytes);
      return cost;
    }
    const std::int64_t size = bytes + config_.envelope.count();
    record::WayCost cost = ways_.of({a, platform::Port::memory}, {b, platform::Port::memory},
                                    factors_.size_in_network(size));
    const Time extra = factors_.extra_latency(a, b, size);
    cost.latency += extra;
    cost.alone += extra;
    return cost;
  }

 private:
  run::WayCosts ways_;
  mpi::MpiConfig config_;
  coll::PathFactors factors_;
  std::vector<NodeId> nodes_;
};

std::string program_text(const run::ProgramPart& part) {
  std::string text = std::filesystem::path(part.path).filename().string();
  for (const std::string& argument : part.arguments) text += " " + argument;
  return text;
}

/// When its last rank has ended; now, if one has not.
Time end_of(run::World& world) {
  Time end = world.end();
  for (std::uint32_t r = 0; r < world.job().size(); ++r) {
    const host::Rank& rank = world.job().rank(host::RankId{r});
    if (!rank.fiber().finished()) end = std::max(end, rank.now());
  }
  return end;
}

std::string programs_text(const run::RunConfig& config) {
  std::string text;
  for (const run::ProgramPart& part : config.programs) {
    if (!text.empty()) text += " : ";
    text += program_text(part);
  }
  return text;
}

}  // namespace

record::CostOf cost_of(run::ProgramRun& run, const platform::Machine& machine) {
  return [costs = std::make_shared<Costs>(run, machine)](const record::Carried& carried) {
    return (*costs)(carried);
  };
}

RunFacts facts_of(run::ProgramRun& run, const platform::Machine& machine,
                  const run::RunConfig& config, std::string_view advice) {
  RunFacts facts;
  facts.kind = "run";
  facts.title = programs_text(config);
  facts.platform = machine.platform->name();
  facts.machine = machine.title();
  facts.network = machine.settings.get(network::network_choice_table()).model;
  facts.ranks = config.ranks();
  for (run::World& world : run.worlds()) {
    facts.nodes += world.nodes();
    if (world.number() == 0) continue;
    facts.programs.push_back(
        {program_text(config.programs[world.number() - 1]), world.job().size(), end_of(world)});
  }
  const bool adapters = config.recorder != nullptr && config.recorder->steps() > 0;
  facts.fidelity = fmt::format("{} over network {}",
                               adapters ? "through simulated adapters" : "hybrid", facts.network);
  facts.configuration = machine.config();
  const run::Computation computation = run.computation();
  facts.ranks_seconds = computation.here.all.seconds();
  facts.sampled = sampling_sentence(run.sampled_loops(), run.end());
  if (is_left_out(computation)) facts.left_out = left_out_sentence(computation, advice);
  return facts;
}

}  // namespace heddle::report
