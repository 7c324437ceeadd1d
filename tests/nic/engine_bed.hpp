// What tests of single engines share: two adapters over a network that moves what the test says.
#pragma once

#include <memory>
#include <vector>

#include "nic/adapter.hpp"
#include "nic/bus.hpp"
#include "nic/event_writer.hpp"
#include "nic/exchanges.hpp"
#include "nic/wire.hpp"
#include "support.hpp"

namespace heddle::nic {

/// Keeps what is started; the test reports its instants.
class HandNetwork final : public network::Network {
 public:
  void start(const network::Transfer& transfer) override { started.push_back(transfer); }
  /// Those between adapters, oldest first.
  std::vector<network::Transfer> on_wire() const {
    std::vector<network::Transfer> result;
    for (const network::Transfer& transfer : started) {
      if (transfer.source.node != transfer.destination.node) result.push_back(transfer);
    }
    return result;
  }
  std::vector<network::Transfer> started;
};

/// Adapters 0 and 1 of the machine kPair, whose parameters a test may change before it asks for
/// one. Requests are as Bed::request has them.
class EngineBed {
 public:
  explicit EngineBed(const Faults& faults = {})
      : settings_(network::fabric_sections()),
        platform_(platform::build_platform(platform::read_machine_text(kPair, "m.yaml", settings_),
                                           settings_)),
        params(platform_->nic(NodeId{0})),
        injector_(simulation, *platform_, faults) {}

  Costs costs() const { return {params, platform_->node(NodeId{0})}; }
  Adapter& adapter(std::uint32_t id) { return table_.at(AdapterId{id}); }
  /// A reliable request, as the command queues would have begun it.
  Exchange& begin(Operation operation, std::int64_t size, std::uint32_t pid = 1) {
    Request request;
    request.operation = operation;
    request.initiator = {NodeId{0}, pid};
    request.target = {NodeId{1}, 2};
    request.payload = Bytes(size);
    request.cookie = next_cookie_++;
    request.wants_ack = operation == Operation::put;
    notebook.requests[request.cookie] = request;
    Exchange& exchange = exchanges.begin(request);
    exchange.reliable = true;
    exchange.quick = exchange.pio = false;
    return exchange;
  }
  /// A request that is at its target, with that number among those of the pair.
  Message& arrive(Exchange& exchange, std::uint32_t number) {
    exchange.number = number;
    Message& message = exchanges.make_message(exchange, MessageKind::request);
    adapter(1).match_engine().delivered(message);
    return message;
  }
  void run_for(Time time) { simulation.run_until(simulation.now() + time); }

  Simulation simulation;
  HandNetwork network;
  Notebook notebook{simulation};

 private:
  Settings settings_;
  std::unique_ptr<platform::Platform> platform_;

 public:
  platform::NicParams params;

 private:
  FaultInjector injector_;
  Clock clock_{simulation, nullptr};
  Bus bus_{clock_, network};
  EventWriter events_{clock_, *platform_, bus_, notebook};
  IdleTimers idle_timers_;
  AdapterTable table_{
      2, [this](AdapterId id) {
        return AdapterTable::Owned(
            std::make_unique<Adapter>(id, services_, costs(), idle_timers_).release());
      }};

 public:
  Exchanges exchanges{table_, notebook};
  Wire wire{clock_, network, notebook, injector_};

 private:
  Services services_{clock_, exchanges, notebook, wire, bus_, events_};
  std::uint32_t next_cookie_ = 1;
};

}  // namespace heddle::nic
