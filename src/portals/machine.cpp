#include "portals/machine.hpp"

#include <algorithm>
#include <span>

namespace heddle::portals {
namespace {

std::uint64_t key(NodeId node, ptl_pid_t pid) {
  return (std::uint64_t{static_cast<std::uint32_t>(node)} << 32) | pid;
}

}  // namespace

Machine::Machine(host::Job& job, network::Network& network, const PortalsConfig& config,
                 const nic::Faults& faults, nic::Observer* observer)
    : job_(job),
      config_(config),
      limits_(limits_of(config)),
      target_(emitter_, config.copy_payload),
      adapters_(job.simulation(), job.platform(), network, *this, faults, observer) {
  for (std::uint32_t r = 0; r < ranks(); ++r) add(job.rank(host::RankId{r}));
  job.at_end([this](host::Rank& rank) { ended(rank); });
}

void Machine::add(host::Rank& rank) {
  const auto pid = static_cast<ptl_pid_t>(config_.first_pid + rank.local());
  auto process = std::make_unique<Process>(*this, rank, pid);
  const auto number = static_cast<std::size_t>(rank.id());
  if (number >= addresses_.size()) addresses_.resize(number + 1);
  addresses_[number] = process->id();
  processes_.resize(addresses_.size());
  processes_[number] = process.get();
  rank.extension(host::Layer::portals) = std::move(process);
}

ptl_process_t Machine::physical(std::uint32_t rank) const {
  const nic::ProcessId& address = addresses_[rank];
  ptl_process_t id;
  id.phys = {static_cast<ptl_nid_t>(address.node), address.pid};
  return id;
}

Process* Machine::process_at(const nic::ProcessId& id) const {
  std::uint32_t rank = kNone;
  if (const auto it = chosen_.find(key(id.node, id.pid)); it != chosen_.end()) {
    rank = it->second;
  } else {
    const std::span<const host::RankId> ranks = job_.ranks_on(id.node);
    const std::int64_t local = std::int64_t{id.pid} - config_.first_pid;
    if (local < 0 || static_cast<std::size_t>(local) >= ranks.size()) return nullptr;
    rank = static_cast<std::uint32_t>(ranks[static_cast<std::size_t>(local)]);
  }
  Process* process = processes_[rank];
  return process && process->id() == id ? process : nullptr;
}

int Machine::claim(Process& process, ptl_pid_t pid) {
  const nic::ProcessId wanted{process.id().node, pid};
  if (pid == PTL_PID_ANY || wanted == process.id()) return PTL_OK;
  if (process.has_interface() || process_at(wanted)) return PTL_PID_IN_USE;
  chosen_.erase(key(wanted.node, process.id().pid));
  chosen_[key(wanted.node, pid)] = static_cast<std::uint32_t>(process.rank().id());
  process.take_pid(pid);
  addresses_[static_cast<std::size_t>(process.rank().id())] = process.id();
  return PTL_OK;
}

// Records of commands.

std::uint32_t Machine::new_command(Process& process, CommandKind kind) {
  const std::uint32_t number = commands_.take();
  Command& command = commands_[number];
  static_cast<CommandState&>(command) = {};
  command.kind = kind;
  command.process = &process;
  return number;
}

void Machine::link(std::uint32_t number) {
  Command& command = commands_[number];
  command.place = command.process->commands.add(number);
}

void Machine::unlink(std::uint32_t number) {
  const Command& command = commands_[number];
  if (command.process) command.process->commands.remove(command.place);
}

void Machine::discard(std::uint32_t number) {
  constexpr std::size_t kKeptPayload = 4096;
  Command& command = commands_[number];
  if (command.staged && command.payload.capacity() > kKeptPayload) {
    std::vector<std::byte>().swap(command.payload);
  }
  commands_.give_back(number);
}

void Machine::release(Interface& interface, Buffer& buffer) {
  if (buffer.descriptor == kNone) return;
  --interface.descriptors[buffer.descriptor].pending;
  buffer.descriptor = kNone;
}

// What calls do.

namespace {

/// Waits in `process` until the adapter has taken the command.
void await(Process& process, const bool& taken) {
  process.rank().thread().suspend_until(taken, "waits for room in the adapter's command queue");
}

}  // namespace

void Machine::perform(Process& process) {
  bool taken = false;
  const std::uint32_t number = new_command(process, CommandKind::resource);
  commands_[number].accepted = &taken;
  link(number);
  adapters_.command(process.id(), number);
  await(process, taken);
}

void Machine::submit(std::uint32_t number) {
  bool taken = false;
  Command& command = commands_[number];
  Process& process = *command.process;
  command.accepted = &taken;
  link(number);
  issue(number);
  await(process, taken);
}

void Machine::issue(std::uint32_t number) {
  Command& command = commands_[number];
  nic::Request request;
  request.operation = command.header.kind;
  request.initiator = command.process->id();
  request.target = command.target;
  request.cookie = number;
  request.matching = command.origin->matching();
  request.wants_ack = command.ack != PTL_NO_ACK_REQ;
  request.triggered = command.triggered;
  request.service = command.process->rank().uses_service_network();
  if (sends(command.header)) {
    const Descriptor& out = command.origin->descriptors[command.out.descriptor];
    request.payload = Bytes(static_cast<std::int64_t>(command.header.length));
    request.unordered = out.has(PTL_MD_UNORDERED);
    // Until the acknowledgement the program learns nothing: the payload can stay where it is.
    request.wants_sent =
        !request.wants_ack || !out.has(PTL_MD_EVENT_SEND_DISABLE) || out.has(PTL_MD_EVENT_CT_SEND);
    request.buffered = !command.triggered && out.has(PTL_MD_VOLATILE) &&
                       command.header.length <= command.origin->limits.max_volatile_size;
  }
  if (request.buffered) stage(command);
  adapters_.issue(request);
}

void Machine::submit_triggered(std::uint32_t number, std::uint32_t counter) {
  Command& command = commands_[number];
  command.triggered = true;
  ++command.origin->triggered;
  counters_.trigger(counter, number);
  settle(*command.process);
}

void Machine::cancel_triggered(Interface& interface, std::uint32_t counter) {
  for (const std::uint32_t number : counters_.cancel(counter)) {
    Command& command = commands_[number];
    release(interface, command.out);
    release(interface, command.in);
    if (command.kind == CommandKind::append) {
      const auto entry = decode(command.object, ObjectKind::entry);
      if (interface.entry(command.object)) interface.entries.remove(entry->index);
    }
    --interface.triggered;
    discard(number);
  }
}

void Machine::free_counter(Interface& interface, ptl_handle_ct_t handle) {
  const std::uint32_t counter = interface.counter(handle);
  cancel_triggered(interface, counter);
  counters_.free(counter);
  interface.counters.remove(decode(handle, ObjectKind::counter)->index);
}

void Machine::free_queue(Interface& interface, ptl_handle_eq_t handle) {
  events_.clear(*interface.queue(handle));
  interface.queues.remove(decode(handle, ObjectKind::event_queue)->index);
}

// Ends.

/// The request goes on without its interface: what it still has to read is kept for it.
void Machine::abandon(Command& command) {
  if (command.kind == CommandKind::request && !command.arrived) stage(command);
  command.origin = nullptr;
}

void Machine::opened(Interface& interface) {
  Process& process = interface.process();
  if (reach_.empty()) reach_.resize(nodes());
  reach_[index(process.id().node)] = {&interface, &process, &process.rank().fiber()};
}

void Machine::close(Interface& interface) {
  Process& process = interface.process();
  Reach& reach = reach_[index(process.id().node)];
  if (reach.interface == &interface) reach = {};
  process.commands.for_each([&](std::uint32_t number) {
    if (commands_[number].origin == &interface) abandon(commands_[number]);
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
  Process* process = Process::of(rank);
  if (!process) return;
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
