#include "host/job.hpp"

#include <cstring>

#include "core/error.hpp"

namespace heddle::host {
namespace {

/// The simulator's own memory: every address is what it says.
class OwnMemory final : public AddressSpace {
 public:
  bool read(void* to, const void* address, std::size_t size) const override {
    std::memmove(to, address, size);
    return true;
  }
  bool write(void* address, const void* from, std::size_t size) override {
    std::memmove(address, from, size);
    return true;
  }
  std::byte* direct(const void* address, std::size_t) const override {
    return static_cast<std::byte*>(const_cast<void*>(address));
  }
};

}  // namespace

FunctionProgram::FunctionProgram(std::function<int(Rank&)> body)
    : body_(std::move(body)), memory_(std::make_unique<OwnMemory>()) {}
FunctionProgram::~FunctionProgram() = default;
int FunctionProgram::run(Rank& rank) {
  return body_(rank);
}
AddressSpace& FunctionProgram::memory(Rank&) {
  return *memory_;
}

struct Job::State {
  FiberScheduler& scheduler;
  const platform::Platform& platform;
  Program& program;
  std::deque<Rank> ranks;
  std::vector<int> status;
  std::vector<EndHook> at_end;
};

Job::Job(FiberScheduler& scheduler, const platform::Platform& platform, Program& program,
         const JobConfig& config)
    : state_(new State{scheduler, platform, program, {}, std::vector<int>(config.ranks), {}}) {
  const std::uint32_t nodes = (config.ranks - 1) / config.ranks_per_node + 1;
  if (nodes > platform.nodes()) {
    throw InputError({}, std::to_string(config.ranks) + " ranks, " +
                             std::to_string(config.ranks_per_node) + " per node, need " +
                             std::to_string(nodes) + " nodes; " + platform.name() + " has " +
                             std::to_string(platform.nodes()));
  }
  for (std::uint32_t r = 0; r < config.ranks; ++r) {
    Rank& rank = state_->ranks.emplace_back(*this, RankId{r}, NodeId{r / config.ranks_per_node},
                                            r % config.ranks_per_node);
    rank.memory_ = &program.memory(rank);
    rank.fiber_ = &scheduler.spawn(rank);
  }
}

Job::~Job() {
  state_->scheduler.end();
}

void Job::run(Rank& rank) {
  state_->status[index(rank.id())] = state_->program.run(rank);
  for (const EndHook& hook : state_->at_end) hook(rank);
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
void Job::at_end(EndHook hook) {
  state_->at_end.push_back(std::move(hook));
}
int Job::status(RankId id) const {
  return state_->status[index(id)];
}

}  // namespace heddle::host
