#include "portals/machine.hpp"

namespace heddle::portals {

Machine::Machine(host::Job& job, network::Network& network, const PortalsConfig& config,
                 const nic::Faults& faults, nic::Observer* observer)
    : job_(job),
      config_(config),
      limits_(limits_of(config)),
      directory_(job, config.first_pid),
      target_(emitter_, lists_, config.copy_payload),
      initiator_(commands_, emitter_, adapters_, config.copy_payload),
      parcels_(directory_, commands_, adapters_, config.max_volatile_size),
      triggers_(commands_, counters_, emitter_, initiator_, lists_, adapters_),
      reports_({directory_, commands_, events_, counters_, emitter_, initiator_, target_, parcels_,
                triggers_, foresight_}),
      adapters_(job.simulation(), job.platform(), network, reports_, faults, observer) {
  job.extensions().at(Process::slot) = this;
  grow();
  job.ends().tell([this](host::Rank& rank) { ended(rank); });
}

Machine::~Machine() {
  job_.extensions().at(Process::slot) = nullptr;
}

namespace {

/// Waits in `process` until the adapter has taken the command.
void await(Process& process, const bool& taken) {
  process.rank().thread().waits().suspend_until(taken,
                                                "waits for room in the adapter's command queue");
}

}  // namespace

void Machine::perform(Process& process) {
  bool taken = false;
  const std::uint32_t number = commands_.add(process, CommandKind::resource);
  commands_[number].accepted = &taken;
  commands_.link(number);
  adapters_.command(process.id(), number);
  await(process, taken);
}

void Machine::submit(std::uint32_t number) {
  bool taken = false;
  Command& command = commands_[number];
  Process& process = *command.process;
  command.accepted = &taken;
  commands_.link(number);
  initiator_.issue(number);
  await(process, taken);
}

void Machine::free_counter(Interface& interface, ptl_handle_ct_t handle) {
  const std::uint32_t counter = interface.counter(handle);
  triggers_.cancel(interface, counter);
  counters_.free(counter);
  interface.counters.remove(decode(handle, ObjectKind::counter)->index);
}

void Machine::free_queue(Interface& interface, ptl_handle_eq_t handle) {
  events_.clear(*interface.queue(handle));
  interface.queues.remove(decode(handle, ObjectKind::event_queue)->index);
}

void Machine::close(Interface& interface) {
  Process& process = interface.process();
  foresight_.closed(interface);
  process.commands.for_each([&](std::uint32_t number) {
    if (commands_[number].origin == &interface) initiator_.abandon(commands_[number]);
  });
  for (std::uint32_t i = 0; i < interface.counters.places(); ++i) {
    if (!interface.counters.contains(i)) continue;
    free_counter(interface, interface.handle(ObjectKind::counter, i));
  }
  for (std::uint32_t i = 0; i < interface.queues.places(); ++i) {
    if (!interface.queues.contains(i)) continue;
    free_queue(interface, interface.handle(ObjectKind::event_queue, i));
  }
  process.forget(interface.slot());
}

void Machine::ended(host::Rank& rank) {
  auto* const process = static_cast<Process*>(rank.extensions().at(Process::slot).get());
  if (process == nullptr) return;
  for (std::uint32_t slot = 0; slot < kInterfaces; ++slot) {
    if (Interface* interface = process->interface(slot)) close(*interface);
  }
  process->commands.for_each([this](std::uint32_t number) {
    commands_[number].process = nullptr;
    commands_[number].accepted = nullptr;
  });
  process->commands = {};
  process->references = 0;
  process->end();
}

}  // namespace heddle::portals
