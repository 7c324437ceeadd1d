#include "nic/adapters.hpp"

#include "nic/adapter.hpp"
#include "nic/adapter_table.hpp"
#include "nic/bus.hpp"
#include "nic/control_port.hpp"
#include "nic/event_writer.hpp"
#include "nic/exchanges.hpp"
#include "nic/wire.hpp"

namespace heddle::nic {

/// What all adapters share, and the adapters.
struct Adapters::State {
  State(Simulation& simulation, const platform::Platform& platform, network::Network& network,
        Software& software, const Faults& faults, Observer* observer)
      : clock(simulation, observer),
        injector(simulation, platform, faults),
        bus(clock, network),
        events(clock, platform, bus, software),
        control(clock, platform, bus, software),
        table(adapters_of_machine(platform.nodes()),
              [this, &platform](AdapterId id) {
                const NodeId node = node_of(id);
                const Costs costs(platform.nic(node), platform.node(node));
                return AdapterTable::Owned(
                    std::make_unique<Adapter>(id, services, costs, idle_timers).release());
              }),
        exchanges(table, software),
        wire(clock, network, software, injector),
        services{clock, exchanges, software, wire, bus, events} {}

  Clock clock;
  FaultInjector injector;
  Bus bus;
  EventWriter events;
  ControlPort control;
  IdleTimers idle_timers;
  AdapterTable table;
  Exchanges exchanges;
  Wire wire;
  const Services services;
};

Adapters::Adapters(Simulation& simulation, const platform::Platform& platform,
                   network::Network& network, Software& software, const Faults& faults,
                   Observer* observer)
    : state_(std::make_unique<State>(simulation, platform, network, software, faults, observer)) {}

Adapters::~Adapters() = default;

void Adapters::issue(const Request& request) {
  Exchange& exchange = state_->exchanges.begin(request);
  exchange.initiator->issue(exchange);
}

void Adapters::command(ProcessId process, std::uint32_t cookie) {
  ++state_->table.at(adapter_of(process)).statistics().commands;
  state_->control.command(process, cookie);
}

void Adapters::write_events(ProcessId process, const EventTokens& events) {
  state_->events.write(process, 0, events, nullptr);
}

void Adapters::write_counter(ProcessId process, std::uint32_t cookie) {
  state_->control.write_counter(process, cookie);
}

AdapterStatistics Adapters::statistics(NodeId node) const {
  AdapterStatistics all;
  for (const AdapterId id : adapters_of(node)) {
    if (const Adapter* const adapter = state_->table.find(id)) all += adapter->statistics();
  }
  return all;
}

std::string Adapters::stuck() const {
  return state_->exchanges.stuck();
}

}  // namespace heddle::nic
