#include "cli/run/run_recording.hpp"

#include <fmt/core.h>

#include <filesystem>
#include <memory>

#include "mpi/transport/path_factors.hpp"
#include "mpi/world.hpp"
#include "network/network.hpp"

namespace heddle::cli {
namespace {

/// The costs of one world's messages.
class Costs {
 public:
  /// Where `adapters` carry messages, what they take on buses is not theirs.
  Costs(run::ProgramRun& run, const Machine& machine, bool adapters)
      : platform_(*machine.platform),
        config_(run.worlds().front().mpi().config()),
        adapters_(adapters),
        factors_(platform_, config_.latency_factors.value_or(mpi::Factors()),
                 config_.bandwidth_factors.value_or(mpi::Factors())) {
    for (run::World& world : run.worlds()) {
      for (std::uint32_t r = 0; r < world.job().size(); ++r) {
        nodes_.push_back(world.job().rank(host::RankId{r}).node());
      }
    }
  }

  record::WayCost operator()(std::uint32_t from, std::uint32_t to, std::int64_t bytes) {
    const NodeId a = nodes_[from];
    const NodeId b = nodes_[to];
    if (a == b && config_.node_latency) {
      record::WayCost cost;
      cost.latency = *config_.node_latency +
                     config_.node_bandwidth.value_or(Bandwidth::unlimited()).time_for(Bytes(bytes));
      return cost;
    }
    if (adapters_) return report::way_cost(platform_, a, b, platform::Port::nic, bytes);
    const std::int64_t size = bytes + config_.envelope.count();
    record::WayCost cost =
        report::way_cost(platform_, a, b, platform::Port::memory, factors_.size_in_network(size));
    cost.latency += factors_.extra_latency(a, b, size);
    return cost;
  }

 private:
  const platform::Platform& platform_;
  mpi::MpiConfig config_;
  bool adapters_;
  mpi::PathFactors factors_;
  std::vector<NodeId> nodes_;
};

std::string programs_text(const run::RunConfig& config) {
  std::string text;
  for (const run::ProgramPart& part : config.programs) {
    if (!text.empty()) text += " : ";
    text += std::filesystem::path(part.path).filename().string();
    for (const std::string& argument : part.arguments) text += " " + argument;
  }
  return text;
}

}  // namespace

record::CostOf cost_of(run::ProgramRun& run, const Machine& machine,
                       const record::RunRecorder& recorder) {
  return [costs = std::make_shared<Costs>(run, machine, recorder.steps() > 0)](
             std::uint32_t from, std::uint32_t to, std::int64_t bytes) {
    return (*costs)(from, to, bytes);
  };
}

report::RunFacts facts_of(run::ProgramRun& run, const Machine& machine,
                          const run::RunConfig& config) {
  report::RunFacts facts;
  facts.kind = "run";
  facts.title = programs_text(config);
  facts.platform = machine.platform->name();
  facts.machine = machine.title();
  facts.network = machine.settings.get(network::network_choice_table()).model;
  facts.ranks = config.ranks();
  for (run::World& world : run.worlds()) facts.nodes += world.nodes();
  const bool adapters = config.recorder != nullptr && config.recorder->steps() > 0;
  facts.fidelity = fmt::format("{} over network {}",
                               adapters ? "through simulated adapters" : "hybrid", facts.network);
  facts.configuration = machine.config();
  const run::Computation computation = run.computation();
  facts.ranks_seconds = computation.here.all.seconds();
  if (is_left_out(computation)) facts.left_out = left_out_sentence(computation);
  return facts;
}

}  // namespace heddle::cli
