#include "nic/gates.hpp"

namespace heddle::nic {

Gates::Gate& Gates::processes_gate(const Exchange& exchange) {
  const ProcessId target = exchange.request.target;
  return processes_[exchange.request.initiator.pid]
                   [std::uint64_t{index(target.node)} << 32 | target.pid];
}

Gates::Gate& Gates::nodes_gate(const Exchange& exchange) {
  return nodes_[index(exchange.request.target.node)];
}

bool Gates::pass(Gate& gate, std::int64_t limit, Message& message) {
  if (gate.under_way >= limit) {
    gate.waiting.push(message);
    return false;
  }
  ++gate.under_way;
  return true;
}

bool Gates::enter(Message& message) {
  const Exchange& exchange = *message;
  if (params_.max_in_flight_processes > 0 &&
      !pass(processes_gate(exchange), params_.max_in_flight_processes, message)) {
    return false;
  }
  return params_.max_in_flight_nodes == 0 ||
         pass(nodes_gate(exchange), params_.max_in_flight_nodes, message);
}

void Gates::leave(const Exchange& exchange, Fifo<Message>& passed) {
  if (params_.max_in_flight_nodes > 0) {
    Gate& gate = nodes_gate(exchange);
    --gate.under_way;
    if (Message* const next = gate.waiting.pop()) {
      ++gate.under_way;
      passed.push(*next);
    }
  }
  if (params_.max_in_flight_processes == 0) return;
  Gate& gate = processes_gate(exchange);
  --gate.under_way;
  Message* const next = gate.waiting.pop();
  if (!next) return;
  ++gate.under_way;
  if (params_.max_in_flight_nodes == 0 ||
      pass(nodes_gate(*next->exchange), params_.max_in_flight_nodes, *next)) {
    passed.push(*next);
  }
}

}  // namespace heddle::nic
