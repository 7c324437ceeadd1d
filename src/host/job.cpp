#include "host/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "host/process.hpp"

namespace heddle::host {
namespace {

NodeId node_of(const JobConfig& config, std::uint32_t rank) {
  return config.nodes.empty() ? NodeId{rank / config.ranks_per_node} : config.nodes[rank];
}

void check_room(const platform::Platform& platform, const JobConfig& config) {
  const std::uint32_t nodes = (config.ranks - 1) / config.ranks_per_node + 1;
  if (!config.nodes.empty() || nodes <= platform.nodes()) return;
  throw InputError({},
                   fmt::format("{} ranks, {} per node, need {} nodes; {} has {}", config.ranks,
                               config.ranks_per_node, nodes, platform.name(), platform.nodes()));
}

}  // namespace

struct Job::State {
  FiberScheduler& scheduler;
  const platform::Platform& platform;
  Program& program;
  std::vector<std::uint32_t> node_begin;  ///< Each node's first in node_ranks, and the end.
  std::vector<RankId> node_ranks;         ///< By node, then by their numbers on it.
  std::deque<Rank> ranks;
  std::vector<int> status;
  std::vector<EndHook> at_end = {};
  std::vector<ComputeHook> at_compute = {};
};

Job::Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
         const JobConfig& config)
    : params_(config.host),
      launcher_(*this, scheduler.simulation(), params_.barrier_step),
      cores_(platform, static_cast<std::uint32_t>(params_.threads_per_rank)),
      turn_(program),
      state_(new State{scheduler,
                       platform,
                       program,
                       std::vector<std::uint32_t>(platform.nodes() + 1),
                       std::vector<RankId>(config.ranks),
                       {},
                       std::vector<int>(config.ranks)}) {
  check_room(platform, config);
  std::vector<std::uint32_t>& begin = state_->node_begin;
  for (std::uint32_t r = 0; r < config.ranks; ++r) ++begin[index(node_of(config, r)) + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<std::uint32_t> placed(begin.begin(), begin.end() - 1);
  for (std::uint32_t r = 0; r < config.ranks; ++r) {
    const NodeId node = node_of(config, r);
    const std::uint32_t place = placed[index(node)]++;
    state_->node_ranks[place] = RankId{r};
    Rank& rank = state_->ranks.emplace_back(*this, RankId{r}, node, place - begin[index(node)]);
    rank.start(scheduler, program.memory(rank));
  }
}

Job::~Job() {
  turn_.leave();
  state_->scheduler.end();
}

std::span<const RankId> Job::ranks_on(NodeId node) const {
  const std::uint32_t begin = state_->node_begin[index(node)];
  return std::span(state_->node_ranks).subspan(begin, state_->node_begin[index(node) + 1] - begin);
}

void Job::run(Rank& rank) {
  finish(rank, state_->program.run(rank));
}

bool Job::unwinds() const {
  return state_->program.unwinds();
}

void Job::finish(Rank& rank, int status) {
  if (!rank.thread().in_call()) rank.thread().charge_computation();
  state_->status[index(rank.id())] = status;
  for (const EndHook& hook : state_->at_end) hook(rank);
  rank.set_end(simulation().now());
}

void Job::ended(Rank& rank) {
  if (rank.has_threads()) waits_.forget(rank);
  turn_.leave();
  state_->program.ended(rank);
}

void GlobalsTurn::enter(Rank& rank) {
  if (inside_ == &rank) return;
  leave();
  inside_ = &rank;
  program_.enter(rank);
  if (rank.process() != nullptr) rank.process()->enter();
}

void GlobalsTurn::leave() {
  if (inside_ == nullptr) return;
  Rank& rank = *std::exchange(inside_, nullptr);
  if (rank.process() != nullptr) rank.process()->leave();
  program_.leave(rank);
}

std::string Job::thread_name(int id) {
  for (Rank& rank : state_->ranks) {
    if (const Thread* thread = rank.find_thread(id)) return thread->name();
  }
  return "a thread that has ended";
}

void Job::flush_lines() {
  for (Rank& rank : state_->ranks) {
    if (rank.process() != nullptr) rank.process()->flush_lines();
  }
}

void Job::computed(Rank& rank, Time begin, Time end) {
  for (const ComputeHook& hook : state_->at_compute) hook(rank, begin, end);
}

std::uint32_t Job::size() const {
  return static_cast<std::uint32_t>(state_->ranks.size());
}
Rank& Job::rank(RankId id) {
  return state_->ranks[index(id)];
}
const platform::Platform& Job::platform() const {
  return state_->platform;
}
Simulation& Job::simulation() const {
  return state_->scheduler.simulation();
}
void Job::at_compute(ComputeHook hook) {
  state_->at_compute.push_back(std::move(hook));
}
void Job::at_end(EndHook hook) {
  state_->at_end.push_back(std::move(hook));
}
int Job::status(RankId id) const {
  return state_->status[index(id)];
}

}  // namespace heddle::host
