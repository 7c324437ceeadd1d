#include "nic/adapters.hpp"

#include "nic/adapter.hpp"
#include "nic/world.hpp"

namespace heddle::nic {

struct Adapters::State {
  /// A table command or a counter's value on its way over the bus.
  struct Errand {
    explicit Errand(State& state) : state(state) {}
    void done() { state.finish(*this); }
    void foresee() const {
      if (counter) state.world.software.foresee(Report::counter_visible, cookie, {});
    }
    void expect() const {
      if (counter) state.world.software.expect(Report::counter_visible, cookie, {});
    }

    State& state;
    std::uint32_t cookie = 0;
    bool counter = false;
    MemberStep<Errand, &Errand::done> step{*this};
  };

  void finish(Errand& errand) {
    const Causes::Scope scope(world.causes, &errand.step);
    const std::uint32_t cookie = errand.cookie;
    const bool counter = errand.counter;
    errands.give_back(errand);
    counter ? world.software.counter_visible(cookie) : world.software.accepted(cookie);
  }

  void run(ProcessId process, std::uint32_t cookie, bool counter) {
    Errand& errand = errands.take(*this);
    errand.cookie = cookie;
    errand.counter = counter;
    const platform::NicParams& nic = world.platform.nic(process.node);
    const Crossing crossing{counter ? Activity::pci_event : Activity::pci_command, process, 0,
                            counter ? nic.counter_size : nic.command_size, &errand.step};
    nic.pci&& nic.pci_commands ? world.bus.cross(crossing) : world.bus.pass(crossing);
  }

  World world;
  network::Pool<Errand> errands;
};

Adapters::Adapters(Simulation& simulation, const platform::Platform& platform,
                   network::Network& network, Software& software, const Faults& faults,
                   Observer* observer)
    : state_(new State{{simulation, platform, network, software, faults, observer}, {}}) {}

Adapters::~Adapters() = default;

void Adapters::issue(const Request& request) {
  Exchange& exchange = state_->world.begin_exchange(request);
  exchange.initiator->issue(exchange);
}

void Adapters::command(ProcessId process, std::uint32_t cookie) {
  ++state_->world.adapter(process.node).statistics.commands;
  state_->run(process, cookie, false);
}

void Adapters::write_events(ProcessId process, const EventTokens& events) {
  state_->world.events.write(process, 0, events, nullptr);
}

void Adapters::write_counter(ProcessId process, std::uint32_t cookie) {
  state_->run(process, cookie, true);
}

AdapterStatistics Adapters::statistics(NodeId node) const {
  const Adapter* const adapter = state_->world.find(node);
  return adapter ? adapter->statistics : AdapterStatistics{};
}

std::string Adapters::stuck() const {
  return state_->world.stuck();
}

}  // namespace heddle::nic
