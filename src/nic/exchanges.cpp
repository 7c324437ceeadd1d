#include "nic/exchanges.hpp"

#include <fmt/core.h>

namespace heddle::nic {

Exchange& Exchanges::begin(const Request& request) {
  Exchange& exchange = exchanges_.take();
  exchange.request = request;
  exchange.verdict = {};
  exchange.id = next_id_++;
  exchange.initiator = &adapters_.at(adapter_of(request.initiator));
  adapters_.at(adapter_of(request.target));
  exchange.contexts = {};
  exchange.references = 1;
  exchange.transmitted = exchange.sent = exchange.at_target = exchange.arrived = false;
  exchange.reported = exchange.lost = exchange.completed = false;
  ++unfinished_;
  return exchange;
}

Message& Exchanges::make_message(Exchange& exchange, MessageKind kind) {
  Message& message = messages_.take();
  ++exchange.references;
  message.exchange = &exchange;
  message.kind = kind;
  message.from = goes_forward(kind) ? exchange.initiator : &target(exchange);
  message.to = goes_forward(kind) ? &target(exchange) : exchange.initiator;
  message.end = (goes_forward(kind) ? exchange.request.target : exchange.request.initiator).node;
  message.virtual_network = network_of(exchange.request, kind);
  message.dma = message.again = message.repeated = message.shortcut = false;
  message.holds_engine = false;
  message.users = 2;
  message.cookie = exchange.request.cookie;
  message.payload = kind == MessageKind::request    ? exchange.request.payload
                    : kind == MessageKind::response ? exchange.verdict.length
                                                    : Bytes(0);
  return message;
}

void Exchanges::release(Message& message) {
  if (--message.users > 0) return;
  Exchange& exchange = *message;
  messages_.give_back(message);
  release(exchange);
}

void Exchanges::release(Exchange& exchange) {
  if (--exchange.references > 0) return;
  const std::uint32_t cookie = exchange.request.cookie;
  exchanges_.give_back(exchange);
  software_.released(cookie);
}

bool Exchanges::complete(Exchange& exchange) {
  if (exchange.completed) return false;
  exchange.completed = true;
  --unfinished_;
  return true;
}

namespace {

std::string name_of(const ProcessId& process) {
  return fmt::format("process {} of node {}", process.pid, index(process.node));
}

/// What the initiator of an unfinished exchange waits for.
std::string waits_for(const Exchange& exchange) {
  if (!exchange.transmitted) return "its transmission";
  if (!exchange.arrived) {
    return exchange.lost ? "an answer, but was lost" : "its arrival at the target";
  }
  return "its answer, which was lost";
}

}  // namespace

/// There must be one. Those that are not in use count as completed.
const Exchange& Exchanges::oldest_unfinished() const {
  const Exchange* oldest = nullptr;
  exchanges_.for_each([&](const Exchange& exchange) {
    if (!exchange.completed && (!oldest || exchange.id < oldest->id)) oldest = &exchange;
  });
  return *oldest;
}

std::string Exchanges::stuck() const {
  if (unfinished_ == 0) return "";
  static constexpr std::string_view kNames[] = {"put", "get", "atomic", "fetch"};
  const Exchange& oldest = oldest_unfinished();
  return fmt::format("{} request{} unfinished: the {} of {} to {} waits for {}", unfinished_,
                     unfinished_ == 1 ? " is" : "s are",
                     kNames[static_cast<std::size_t>(oldest.request.operation)],
                     name_of(oldest.request.initiator), name_of(oldest.request.target),
                     waits_for(oldest));
}

}  // namespace heddle::nic
