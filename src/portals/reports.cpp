#include "portals/reports.hpp"

namespace heddle::portals {

void Reports::accepted(std::uint32_t cookie) {
  Command& command = sides_.commands[cookie];
  if (command.accepted) {
    *command.accepted = true;
    command.accepted = nullptr;
    command.process->rank().threads().wake();
  }
  if (command.kind == CommandKind::parcel) sides_.parcels.accepted(command);
  if (command.kind != CommandKind::resource) return;
  sides_.commands.unlink(cookie);
  sides_.commands.discard(cookie);
}

nic::EventTokens Reports::sent(std::uint32_t cookie) {
  Command& command = sides_.commands[cookie];
  if (command.kind == CommandKind::parcel) {
    sides_.parcels.sent(command);
    return {};
  }
  sides_.initiator.sent(command);
  return command.origin ? settled() : nic::EventTokens{};
}

nic::Verdict Reports::arrive(std::uint32_t cookie) {
  Command& command = sides_.commands[cookie];
  if (command.kind == CommandKind::parcel) return sides_.parcels.arrive(command);
  Process* process = sides_.directory.process_at(command.target);
  Interface* interface = process ? process->interface(std::uint32_t{command.slot}) : nullptr;
  command.arrived = true;
  command.result = {};
  if (interface) {
    command.result = sides_.target.deliver(*interface, command);
  } else {
    command.result.fail = PTL_NI_DROPPED;
  }
  nic::Verdict verdict;
  verdict.length = Bytes(static_cast<std::int64_t>(command.result.length));
  verdict.acknowledge = wants_ack(command) && !command.result.silent;
  verdict.events = settled();
  return verdict;
}

nic::EventTokens Reports::completed(std::uint32_t cookie, nic::Outcome outcome) {
  const Command& command = sides_.commands[cookie];
  if (command.kind == CommandKind::parcel) return sides_.parcels.completed(command, outcome);
  if (!command.origin) return {};
  sides_.initiator.completed(cookie, outcome);
  return settled();
}

void Reports::released(std::uint32_t cookie) {
  sides_.commands.unlink(cookie);
  sides_.commands.discard(cookie);
}

nic::EventTokens Reports::settled() {
  const nic::EventTokens tokens = sides_.emitter.take();
  sides_.triggers.settle();
  return tokens;
}

void Reports::event_visible(nic::EventToken token) {
  if (Parcels::owns(token)) return sides_.parcels.event_visible(token);
  if (Process* process = sides_.events.make_visible(token)) process->poke();
}

void Reports::counter_visible(std::uint32_t cookie) {
  if (Parcels::owns(cookie)) return sides_.parcels.counter_visible(cookie);
  if (Process* process = sides_.counters.arrived(cookie)) {
    process->poke(cookie, sides_.counters[cookie].visible);
  }
}

void Reports::foresee(nic::Report report, std::uint32_t cookie, NodeId node) const {
  sides_.foresight.foresee(report, cookie, node);
}

void Reports::expect(nic::Report report, std::uint32_t cookie, NodeId node) const {
  sides_.foresight.expect(report, cookie, node);
}

}  // namespace heddle::portals
