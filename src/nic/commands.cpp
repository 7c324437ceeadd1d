// From a process's call to the transmit engines.
#include "nic/adapter.hpp"

namespace heddle::nic {

Adapter::Adapter(World& world, NodeId node)
    : world_(world),
      params_(world.platform.nic(node)),
      node_(node),
      gates_(params_),
      lanes_{Lane(*this), Lane(*this), Lane(*this), Lane(*this)},
      contexts_(world.simulation, world.source, node, params_, world.idle_timers, *this) {}

void Adapter::issue(Exchange& exchange) {
  exchange.reliable = params_.e2e;
  exchange.quick = params_.quick_acks;
  exchange.pio = uses_pio(exchange.request);
  if (exchange.request.triggered) {
    return transmit(exchange, MessageKind::request);
  }
  ++statistics.commands;
  CommandQueue& queue = command_queues_[exchange.request.initiator.pid];
  if (queue.used >= params_.command_queue_depth) return queue.callers.push_back(&exchange);
  ++queue.used;
  start_command(exchange);
}

Bytes Adapter::inline_limit(const Request& request) const {
  return request.matching ? params_.inline_limit_matching : params_.inline_limit;
}

bool Adapter::uses_pio(const Request& request) const {
  const Bytes limit = request.matching ? params_.pio_limit_matching : params_.pio_limit;
  return request.buffered && params_.pci && request.operation != Operation::get &&
         !request.triggered && request.payload > inline_limit(request) && request.payload <= limit;
}

/// The payload of a put is written while the fence lasts; that of an atomic operation has to be
/// there first.
void Adapter::start_command(Exchange& exchange) {
  exchange.command_stage = Exchange::CommandStage::payload;
  if (!exchange.pio) return exchange.run();
  const bool put = exchange.request.operation == Operation::put;
  world_.bus.cross({Activity::pci_pio_payload, exchange.request.initiator, exchange.id,
                    exchange.request.payload - inline_limit(exchange.request),
                    put ? nullptr : &exchange});
  if (put) world_.schedule_in(exchange, params_.pio_fence);
}

void Adapter::command_step(Exchange& exchange) {
  if (exchange.command_stage == Exchange::CommandStage::payload) {
    exchange.command_stage = Exchange::CommandStage::command;
    const Crossing command{Activity::pci_command, exchange.request.initiator, exchange.id,
                           params_.command_size, &exchange};
    return params_.pci && params_.pci_commands ? world_.bus.cross(command)
                                               : world_.bus.pass(command);
  }
  transmit(exchange, MessageKind::request);
  world_.software.accepted(exchange.request.cookie);
}

void Adapter::leave_command_queue(const Exchange& exchange) {
  if (exchange.request.triggered) return;
  CommandQueue& queue = command_queues_[exchange.request.initiator.pid];
  if (queue.callers.empty()) {
    --queue.used;
    return;
  }
  Exchange& next = *queue.callers.front();
  queue.callers.pop_front();
  start_command(next);
}

}  // namespace heddle::nic
