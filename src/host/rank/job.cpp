#include "host/rank/job.hpp"

#include <fmt/core.h>

#include "core/error.hpp"

namespace heddle::host {
namespace {

std::vector<NodeId> nodes_of(const JobConfig& config) {
  if (!config.nodes.empty()) return config.nodes;
  std::vector<NodeId> nodes(config.ranks);
  for (std::uint32_t r = 0; r < config.ranks; ++r) nodes[r] = NodeId{r / config.ranks_per_node};
  return nodes;
}

void check_room(const platform::Platform& platform, const JobConfig& config) {
  const std::uint32_t nodes = (config.ranks - 1) / config.ranks_per_node + 1;
  if (!config.nodes.empty() || nodes <= platform.nodes()) return;
  throw InputError({},
                   fmt::format("{} ranks, {} per node, need {} nodes; {} has {}", config.ranks,
                               config.ranks_per_node, nodes, platform.name(), platform.nodes()));
}

}  // namespace

Job::Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
         const JobConfig& config)
    : JobSite(scheduler.simulation(), platform, config.host, config.noise, config.ranks),
      scheduler_(scheduler),
      launcher_(*this, simulation(), params().barrier_step) {
  be_beside(config.beside, config.number);
  check_room(platform, config);
  add_ranks(program, nodes_of(config));
}

RankId Job::add_ranks(Program& program, std::span<const NodeId> nodes) {
  const std::uint32_t first = size();
  std::vector<std::uint32_t> on_node(platform().nodes());
  for (const Rank* rank : ranks_) ++on_node[index(rank->node())];
  if (ranks_.empty()) ranks_.reserve(nodes.size());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t local = on_node[index(nodes[i])]++;
    Rank& rank = records_.add(*this, program, RankId{first + i}, nodes[i], local);
    ranks_.push_back(&rank);
    rank.start(scheduler_, program.memory(rank));
  }
  ends_.expect(ranks_.size());
  add_to_nodes(nodes);
  return RankId{first};
}

Job::~Job() {
  shared().turn().leave();
  scheduler_.end();
  shared().waiters().resting.clear();
  for (Rank* rank : ranks_) rank->memory().tell(nullptr);
}

void Job::wait(RankId member, const WaitReason& reason) {
  rank(member).thread().waits().wait(reason);
}

void Job::ring_all() {
  for (Rank* rank : ranks_) rank->threads().ring();
}

std::string Job::thread_name(int id) {
  for (Rank* rank : ranks_) {
    if (const Thread* thread = rank->threads().find(id)) return thread->name();
  }
  return "a thread that has ended";
}

void Job::flush_lines() {
  for (Rank* rank : ranks_) {
    if (rank->process() != nullptr) rank->process()->flush_lines();
  }
}

}  // namespace heddle::host
