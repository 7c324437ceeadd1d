#include "nic/adapter.hpp"

#include "core/prefetch.hpp"
#include "nic/adapter_ends.hpp"
#include "nic/adapter_table.hpp"

namespace heddle::nic {

Adapter::Adapter(AdapterId id, const Services& services, const Costs& costs,
                 IdleTimers& idle_timers)
    : command_queues_(services, costs, transmitter_),
      completion_(services, transmitter_),
      transmitter_(services, costs, command_queues_, arrivals_, contexts_, completion_),
      match_engine_(services, costs, arrivals_, transmitter_, reliability_, completion_),
      reliability_(services, costs.params(), contexts_, transmitter_, completion_, statistics_),
      contexts_(services.clock, id, costs.params(), idle_timers, reliability_) {}

void Adapter::issue(Exchange& exchange) {
  if (!exchange.request.triggered) ++statistics_.commands;
  command_queues_.issue(exchange);
}

void Adapter::foresee_sending(const Message& message) const {
  transmitter_.foresee_queue(message.virtual_network);
  if (message.sending != Message::Sending::preparing) return;
  contexts_.foresee();
  prefetch_to_write(&statistics_);
}

void Adapter::foresee_receiving(const Message& message) const {
  match_engine_.foresee_queue(message.virtual_network);
  transmitter_.foresee_queue(answer_network(message.virtual_network));
  static_assert(sizeof(void*) != 8 || sizeof arrivals_ + sizeof completion_ == kCacheLine);
  arrivals_.foresee();  // And how requests end.
  if (message.kind == MessageKind::request) return;
  contexts_.foresee();
  prefetch(&reliability_);
}

void Adapter::expect_sending(const Message& message) const {
  if (message.sending == Message::Sending::preparing) contexts_.foresee_opening();
}

void Adapter::expect_next(const Message& message) const {
  transmitter_.expect_pop(message.virtual_network);
}

void Adapter::expect_receiving(const Message& message) const {
  transmitter_.expect_push(answer_network(message.virtual_network));
  if (message.kind != MessageKind::request) return;
  const Request& request = message.exchange->request;
  arrivals_.foresee(pair_with(request.initiator, request));
}

void Adapter::foresee_command(const Exchange& exchange) const {
  arrivals_.foresee();
  transmitter_.foresee_queue(request_network(exchange.request));
  command_queues_.foresee(exchange);
}

void Adapter::expect_command(const Exchange& exchange) const {
  transmitter_.expect_push(request_network(exchange.request));
  transmitter_.foresee_request(exchange);
  command_queues_.expect(exchange);
}

// --- What is asked of the adapters at the ends of messages and requests --------------------------

void step_command(Exchange& exchange) {
  exchange.initiator->command_queues().step(exchange);
}
void conclude_at_initiator(Exchange& exchange) {
  exchange.initiator->completion().conclude(exchange);
}
void step_sending(Message& message) {
  message.from->transmitter().step(message);
}
void step_receiving(Message& message) {
  message.to->match_engine().step(message);
}
void on_the_wire(Message& message) {
  message.from->transmitter().on_the_wire(message);
}
void delivered(Message& message) {
  message.to->match_engine().delivered(message);
}
void lost(Message& message) {
  message.to->match_engine().lost(message);
}
void expect_no_more(Adapter& target, Exchange& exchange) {
  target.match_engine().expect_no_more(exchange);
}
AdapterStatistics& statistics_of_sender(const Message& message) {
  return message.from->statistics();
}

void foresee_command(const Exchange& exchange) {
  exchange.initiator->foresee_command(exchange);
}
void expect_command(const Exchange& exchange) {
  exchange.initiator->expect_command(exchange);
}
void foresee_sending(const Message& message) {
  message.from->foresee_sending(message);
}
void foresee_receiving(const Message& message) {
  message.to->foresee_receiving(message);
}
void expect_sending(const Message& message) {
  message.from->expect_sending(message);
}
void expect_receiving(const Message& message) {
  message.to->expect_receiving(message);
}
void expect_next(const Message& message) {
  message.from->expect_next(message);
}

void AdapterTable::Delete::operator()(Adapter* adapter) const {
  const std::unique_ptr<Adapter> owned(adapter);
}

}  // namespace heddle::nic
