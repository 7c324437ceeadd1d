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

/// Polls in vain, of all ranks together and with nothing else left to happen, before any gives up:
/// enough for a program that counts them to come to its own end.
constexpr std::uint64_t kHopelessPolls = 1'000'000;

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

/// A core of a node.
using CoreId = std::pair<NodeId, std::uint32_t>;

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
  std::map<CoreId, Time> core_free = {};  ///< When shared cores are done with what they have.
  Rank* inside = nullptr;                 ///< Whose globals are in place.
  std::size_t pollers = 0;                ///< Ranks asleep after a poll in vain.
  std::uint64_t lonely_polls = 0;         ///< In a row, while only pollers had anything left to do.
};

Job::Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
         const JobConfig& config)
    : params_(config.host),
      launcher_(*this, scheduler.simulation(), params_.barrier_step),
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
    rank.memory_ = &program.memory(rank);
    rank.fiber_ = &scheduler.spawn(rank);
  }
}

Job::~Job() {
  leave();
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
  if (rank.call_ == nullptr) rank.charge_computation();
  state_->status[index(rank.id())] = status;
  for (const EndHook& hook : state_->at_end) hook(rank);
  rank.times_.end = simulation().now();
}

void Job::ended(Rank& rank) {
  leave();
  state_->program.ended(rank);
}

void Job::enter(Rank& rank) {
  if (state_->inside == &rank) return;
  leave();
  state_->inside = &rank;
  state_->program.enter(rank);
  if (rank.process_ != nullptr) rank.process_->enter();
}

void Job::leave() {
  if (state_->inside == nullptr) return;
  Rank& rank = *std::exchange(state_->inside, nullptr);
  if (rank.process_ != nullptr) rank.process_->leave();
  state_->program.leave(rank);
}

void Job::flush_lines() {
  for (Rank& rank : state_->ranks) {
    if (rank.process_ != nullptr) rank.process_->flush_lines();
  }
}

void Job::computed(Rank& rank, Time begin, Time end) {
  for (const ComputeHook& hook : state_->at_compute) hook(rank, begin, end);
}

Time Job::reserve_core(const Rank& rank, Time duration) {
  const Time now = simulation().now();
  const auto cores = static_cast<std::uint32_t>(platform().node(rank.node()).cores);
  if (ranks_on(rank.node()).size() <= cores) return now + duration;
  Time& free = state_->core_free[CoreId{rank.node(), rank.local() % cores}];
  free = std::max(free, now) + duration;
  return free;
}

Time Job::scaled(Time measured) const {
  const Time cost = Time::ps(
      static_cast<std::int64_t>(static_cast<double>(measured.ps()) * params_.compute_factor));
  return cost < params_.compute_threshold ? Time::zero() : cost;
}

void Job::poll_sleep(Fiber& fiber, const WaitReason& reason, Time step) {
  const Time begin = simulation().now();
  ++state_->pollers;
  if (step > params_.poll_cost) fiber.suspend(reason, step);
  const Time rest = begin + params_.poll_cost - simulation().now();
  if (rest > Time::zero()) fiber.sleep(rest);
  --state_->pollers;
}

bool Job::poll_ends(Time polled_for) {
  const bool alone = simulation().pending() == state_->pollers;
  state_->lonely_polls = alone ? state_->lonely_polls + 1 : 0;
  return state_->lonely_polls > kHopelessPolls && polled_for > params_.poll_patience;
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
