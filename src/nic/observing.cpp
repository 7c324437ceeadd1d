#include "nic/observing.hpp"

namespace heddle::nic {
namespace {

Activity activity_of(const Message& message) {
  const Operation operation = message.exchange->request.operation;
  switch (message.kind) {
    case MessageKind::request:
      switch (operation) {
        case Operation::put:
          return Activity::put;
        case Operation::get:
          return Activity::get;
        case Operation::atomic:
          return Activity::atomic;
        case Operation::fetch_atomic:
          return Activity::fetch_atomic;
      }
      [[fallthrough]];
    case MessageKind::response:
      return operation == Operation::get ? Activity::get_response : Activity::fetch_atomic_response;
    case MessageKind::portals_ack:
      return Activity::portals_ack;
    default:
      return Activity::bxi_ack;
  }
}

}  // namespace

Cause observe_payload(Causes& causes, const Message& message, Activity activity, Bytes size,
                      Time start, Time end) {
  const Exchange& exchange = *message;
  const bool read = activity == Activity::pci_dma_payload;
  const ProcessId process =
      goes_forward(message.kind) == read ? exchange.request.initiator : exchange.request.target;
  // What is read has been asked for when the message set out.
  const Cause cause = read ? causes.of(&message.start) : causes.now();
  return causes.tell({activity, exchange.id, process, process, size, message.virtual_network, start,
                      end, false, cause});
}

ActivityRecord activity_on_wire(const Causes& causes, const Message& message, Time now,
                                bool failed) {
  const Request& request = message.exchange->request;
  const bool forward = goes_forward(message.kind);
  return {activity_of(message),
          message.exchange->id,
          forward ? request.initiator : request.target,
          forward ? request.target : request.initiator,
          message.size,
          message.virtual_network,
          message.start,
          now,
          failed,
          causes.of(&message.start),
          message.dma,
          message.to_memory};
}

}  // namespace heddle::nic
