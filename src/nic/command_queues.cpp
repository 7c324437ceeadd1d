#include "nic/command_queues.hpp"

#include "core/prefetch.hpp"
#include "nic/bus.hpp"
#include "nic/clock.hpp"
#include "nic/transmitter.hpp"

namespace heddle::nic {

void CommandQueues::issue(Exchange& exchange) {
  exchange.reliable = costs_.params().e2e;
  exchange.quick = costs_.params().quick_acks;
  exchange.pio = costs_.uses_pio(exchange.request);
  if (exchange.request.triggered) return transmitter_.transmit(exchange, MessageKind::request);
  Queue& queue = queues_[exchange.request.initiator.pid];
  if (queue.used >= costs_.params().command_queue_depth) return queue.callers.push_back(&exchange);
  ++queue.used;
  start(exchange);
}

/// The payload of a put is written while the fence lasts; that of an atomic operation has to be
/// there first.
void CommandQueues::start(Exchange& exchange) {
  exchange.command_stage = Exchange::CommandStage::payload;
  if (!exchange.pio) return send_command(exchange);
  const bool put = exchange.request.operation == Operation::put;
  services_.bus.cross({Activity::pci_pio_payload, exchange.request.initiator, exchange.id,
                       exchange.request.payload - costs_.inline_limit(exchange.request),
                       put ? nullptr : &exchange});
  if (put) services_.clock.schedule_in(exchange, costs_.params().pio_fence);
}

void CommandQueues::send_command(Exchange& exchange) {
  exchange.command_stage = Exchange::CommandStage::command;
  services_.bus.control({Activity::pci_command, exchange.request.initiator, exchange.id,
                         costs_.params().command_size, &exchange},
                        costs_.params());
}

void CommandQueues::step(Exchange& exchange) {
  services_.clock.causes().within(static_cast<const Step*>(&exchange), [&] { advance(exchange); });
}

void CommandQueues::advance(Exchange& exchange) {
  if (exchange.command_stage == Exchange::CommandStage::payload) return send_command(exchange);
  transmitter_.transmit(exchange, MessageKind::request);
  services_.software.accepted(exchange.request.cookie);
}

void CommandQueues::foresee(const Exchange& exchange) const {
  static_assert(sizeof(void*) != 8 || sizeof(CommandQueues) == kCacheLine);
  prefetch(this);
  services_.software.foresee(Report::accepted, exchange.request.cookie,
                             exchange.request.initiator.node);
}

void CommandQueues::expect(const Exchange& exchange) const {
  services_.software.expect(Report::accepted, exchange.request.cookie,
                            exchange.request.initiator.node);
}

void CommandQueues::leave(const Exchange& exchange) {
  if (exchange.request.triggered) return;
  Queue& queue = queues_[exchange.request.initiator.pid];
  if (queue.callers.empty()) {
    --queue.used;
    return;
  }
  Exchange& next = *queue.callers.front();
  queue.callers.pop_front();
  start(next);
}

}  // namespace heddle::nic
