#include "host/rank/job.hpp"

#include <fmt/core.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

#include "core/error.hpp"
#include "host/memory/folded_memory.hpp"
#include "host/rank/samples.hpp"

namespace heddle::host {

/// Of this thread. A system call, because clock_gettime is the programs' simulated one.
Time Program::processor_time() const {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return Time::s(t.tv_sec) + Time::ns(t.tv_nsec);
}

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

struct Job::State {
  FiberScheduler& scheduler;
  const platform::Platform& platform;
  std::vector<std::uint32_t> node_begin = {};  ///< Each node's first in node_ranks, and the end.
  std::vector<RankId> node_ranks = {};         ///< By node, then by their numbers on it.
  std::deque<Rank> ranks = {};
  std::vector<int> status = {};
  std::vector<EndHook> at_end = {};
  std::vector<ComputeHook> at_compute = {};

  /// Sorts the ranks by their nodes again.
  void sort_by_node() {
    node_begin.assign(platform.nodes() + 1, 0);
    for (const Rank& rank : ranks) ++node_begin[index(rank.node()) + 1];
    std::partial_sum(node_begin.begin(), node_begin.end(), node_begin.begin());
    node_ranks.resize(ranks.size());
    for (const Rank& rank : ranks) {
      node_ranks[node_begin[index(rank.node())] + rank.local()] = rank.id();
    }
  }
};

Job::Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
         const JobConfig& config)
    : params_(config.host),
      number_(config.number),
      noise_(config.noise, config.ranks),
      at_once_(params_.compute == ComputeModel::none && noise_.silent()),
      launcher_(*this, scheduler.simulation(), params_.barrier_step),
      cores_(platform, static_cast<std::uint32_t>(params_.threads_per_rank)),
      turn_(config.beside == nullptr ? &own_turn_ : config.beside->turn_),
      waiters_(config.beside == nullptr ? &own_waiters_ : config.beside->waiters_),
      pollers_(config.beside == nullptr ? &own_pollers_ : config.beside->pollers_),
      state_(new State{scheduler, platform}) {
  check_room(platform, config);
  add_ranks(program, nodes_of(config));
}

RankId Job::add_ranks(Program& program, std::span<const NodeId> nodes) {
  const std::uint32_t first = size();
  std::vector<std::uint32_t> on_node(state_->platform.nodes());
  for (const Rank& rank : state_->ranks) ++on_node[index(rank.node())];
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t local = on_node[index(nodes[i])]++;
    Rank& rank = state_->ranks.emplace_back(*this, program, RankId{first + i}, nodes[i], local);
    rank.start(state_->scheduler, program.memory(rank));
  }
  state_->status.resize(state_->ranks.size());
  state_->sort_by_node();
  return RankId{first};
}

Job::~Job() {
  turn_->leave();
  state_->scheduler.end();
  waiters_->resting.clear();
  for (Rank& rank : state_->ranks) rank.memory().tell(nullptr);
  forget_samples(*this);
  forget_folded_memory(*this);
}

std::span<const RankId> Job::ranks_on(NodeId node) const {
  const std::uint32_t begin = state_->node_begin[index(node)];
  return std::span(state_->node_ranks).subspan(begin, state_->node_begin[index(node) + 1] - begin);
}

void Job::run(Rank& rank) {
  finish(rank, rank.program().run(rank));
}

void Job::finish(Rank& rank, int status) {
  if (!rank.thread().in_call()) rank.thread().charge_computation();
  state_->status[index(rank.id())] = status;
  for (const EndHook& hook : state_->at_end) hook(rank);
  rank.set_end(simulation().now());
}

void Job::ended(Rank& rank) {
  if (rank.has_threads()) waits_.forget(rank);
  turn_->leave();
  rank.program().ended(rank);
}

void GlobalsTurn::enter(Rank& rank) {
  if (inside_ == &rank) return;
  leave();
  inside_ = &rank;
  rank.program().enter(rank);
  if (rank.process() != nullptr) rank.process()->enter();
}

void GlobalsTurn::leave() {
  if (inside_ == nullptr) return;
  Rank& rank = *std::exchange(inside_, nullptr);
  if (rank.process() != nullptr) rank.process()->leave();
  rank.program().leave(rank);
}

void Job::ring_all() {
  for (Rank& rank : state_->ranks) rank.ring();
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
