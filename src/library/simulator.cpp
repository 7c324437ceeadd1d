#include "heddle/simulator.hpp"

#include <deque>
#include <utility>

#include "core/error.hpp"
#include "core/simulation.hpp"
#include "network/network.hpp"
#include "network/sections.hpp"
#include "platform/machine.hpp"
#include "platform/node_names.hpp"
#include "platform/platform.hpp"

namespace heddle {

struct Machine::State {
  Settings settings{network::fabric_sections()};
  std::unique_ptr<platform::Platform> platform;
};

Machine::Machine(const std::string& name_or_path, const std::vector<std::string>& settings)
    : state_(std::make_unique<State>()) {
  const platform::MachineDescription description =
      platform::read_machine(name_or_path, state_->settings);
  for (const std::string& setting : settings) {
    state_->settings.assign(setting, {setting}, Origin::option);
  }
  state_->platform = platform::build_platform(description, state_->settings);
}

Machine::~Machine() = default;
Machine::Machine(Machine&&) noexcept = default;
Machine& Machine::operator=(Machine&&) noexcept = default;

std::string Machine::name() const {
  return state_->platform->name();
}

std::string Machine::topology() const {
  return state_->platform->topology().describe();
}

std::uint32_t Machine::nodes() const {
  return state_->platform->nodes();
}

std::uint32_t Machine::node(const std::string& name) const {
  const auto node = platform::find_node(state_->platform->topology(), name);
  if (!node) throw InputError({}, "'" + name + "' is not a node of " + this->name());
  return static_cast<std::uint32_t>(index(*node));
}

std::string Machine::node_name(std::uint32_t node) const {
  return platform::node_name(state_->platform->topology(), NodeId{node});
}

struct Simulator::State final : network::TransferClient {
  /// Something that the user wants done at a time; used again afterwards.
  struct Call final : Event {
    explicit Call(State& owner) : state(owner) {}
    void fire() override {
      const std::function<void()> now = std::exchange(then, nullptr);
      state.idle.push_back(this);
      now();
    }
    State& state;
    std::function<void()> then;
  };

  State(const Machine& machine, std::uint64_t seed)
      : platform(*machine.state_->platform),
        simulation(seed),
        source(simulation.new_source()),
        network(network::make_network(simulation, platform, machine.state_->settings)) {}

  void transfer_reached(network::Instant, std::uint64_t cookie) override {
    const std::function<void()> now = std::exchange(arrivals[cookie], nullptr);
    free.push_back(cookie);
    if (now) now();
  }

  platform::Endpoint memory_of(std::uint32_t node) const {
    if (node >= platform.nodes()) {
      throw InputError({}, "there is no node " + std::to_string(node) + ": accepted is 0 to " +
                               std::to_string(platform.nodes() - 1));
    }
    return {NodeId{node}, platform::Port::memory};
  }

  void check_not_past(std::int64_t time_ps) const {
    const std::int64_t now = simulation.now().ps();
    if (time_ps >= now) return;
    throw InputError({}, "the time " + std::to_string(time_ps) + " ps is past: accepted is " +
                             std::to_string(now) + " ps or later");
  }
  /// To be called when nothing is left to happen.
  void check_stuck() const {
    const std::string stuck = network->stuck();
    if (!stuck.empty()) throw RunError(stuck);
  }

  const platform::Platform& platform;
  Simulation simulation;
  EventSource source;
  std::unique_ptr<network::Network> network;
  std::deque<Call> calls;                      ///< All there ever were: they stay where they are.
  std::vector<Call*> idle;                     ///< Those that can be used again.
  std::deque<std::function<void()>> arrivals;  ///< By the cookie of the transfer.
  std::vector<std::uint64_t> free;             ///< Cookies that can be used again.
};

Simulator::Simulator(const Machine& machine, std::uint64_t seed)
    : state_(std::make_unique<State>(machine, seed)) {}

Simulator::~Simulator() = default;

std::int64_t Simulator::now_ps() const {
  return state_->simulation.now().ps();
}

void Simulator::at(std::int64_t time_ps, std::function<void()> then) {
  state_->check_not_past(time_ps);
  if (state_->idle.empty()) state_->idle.push_back(&state_->calls.emplace_back(*state_));
  State::Call& call = *state_->idle.back();
  state_->idle.pop_back();
  call.then = std::move(then);
  state_->simulation.schedule(call, Time::ps(time_ps), state_->source, kProgram);
}

void Simulator::send(std::uint32_t from, std::uint32_t to, std::int64_t bytes,
                     std::function<void()> arrived) {
  if (bytes < 0) throw InputError({}, "a message of fewer than no bytes");
  network::Transfer transfer;
  transfer.source = state_->memory_of(from);
  transfer.destination = state_->memory_of(to);
  transfer.size = Bytes(bytes);
  transfer.client = state_.get();
  if (state_->free.empty()) {
    state_->free.push_back(state_->arrivals.size());
    state_->arrivals.emplace_back();
  }
  transfer.cookie = state_->free.back();
  state_->free.pop_back();
  state_->arrivals[transfer.cookie] = std::move(arrived);
  state_->network->start(transfer);
}

void Simulator::run() {
  state_->simulation.run();
  state_->check_stuck();
}

bool Simulator::step(std::int64_t until_ps) {
  if (until_ps < INT64_MAX && state_->simulation.next_time() > Time::ps(until_ps)) return false;
  if (state_->simulation.step()) return true;
  state_->check_stuck();
  return false;
}

void Simulator::run_until(std::int64_t time_ps) {
  state_->check_not_past(time_ps);
  state_->simulation.run_until(Time::ps(time_ps));
}

std::uint64_t Simulator::fingerprint() const {
  return state_->simulation.fingerprint();
}

}  // namespace heddle
