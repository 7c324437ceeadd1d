// What the adapters report, and what follows from it.
#include <algorithm>

#include "core/prefetch.hpp"
#include "portals/machine.hpp"

namespace heddle::portals {
namespace {

bool wants_ack(const Command& command) {
  return !fetches(command.header) && command.ack != PTL_NO_ACK_REQ;
}

/// Which option of a descriptor counts events of a kind.
unsigned int counting_option(ptl_event_kind_t type) {
  return type == PTL_EVENT_SEND    ? PTL_MD_EVENT_CT_SEND
         : type == PTL_EVENT_REPLY ? PTL_MD_EVENT_CT_REPLY
                                   : PTL_MD_EVENT_CT_ACK;
}

/// Whether the full event is wanted besides being counted.
bool wants_event(const Descriptor& descriptor, const Command& command, ptl_event_kind_t type,
                 ptl_ni_fail_t fail) {
  if (type == PTL_EVENT_SEND && descriptor.has(PTL_MD_EVENT_SEND_DISABLE)) return false;
  if (type == PTL_EVENT_ACK && command.ack != PTL_ACK_REQ) return false;
  return fail != PTL_NI_OK || !descriptor.has(PTL_MD_EVENT_SUCCESS_DISABLE);
}

/// An acknowledgement that an operation is complete says nothing of its bytes.
bool counts_bytes(const Descriptor& descriptor, const Command& command, ptl_event_kind_t type) {
  if (type == PTL_EVENT_ACK && command.ack == PTL_OC_ACK_REQ) return false;
  return descriptor.has(PTL_MD_EVENT_CT_BYTES);
}

/// Whether an acknowledgement, good or bad, will be seen by the program.
bool shows_ack(const Command& command) {
  if (!wants_ack(command) || command.out.descriptor == kNone) return false;
  const Descriptor& descriptor = command.origin->descriptors[command.out.descriptor];
  const bool event = command.ack == PTL_ACK_REQ && descriptor.queue != PTL_EQ_NONE;
  const bool count = descriptor.has(PTL_MD_EVENT_CT_ACK) && descriptor.counter != PTL_CT_NONE;
  return event || count;
}

}  // namespace

void Machine::accepted(std::uint32_t cookie) {
  Command& command = commands_[cookie];
  if (command.accepted) {
    *command.accepted = true;
    command.accepted = nullptr;
    command.process->rank().wake();
  }
  if (command.kind == CommandKind::parcel) parcel_accepted(command);
  if (command.kind != CommandKind::resource) return;
  unlink(cookie);
  discard(cookie);
}

nic::EventTokens Machine::sent(std::uint32_t cookie) {
  Command& command = commands_[cookie];
  if (command.kind == CommandKind::parcel) {
    sent_parcel(command);
    return {};
  }
  if (!command.arrived) stage(command);
  if (!command.origin) return {};
  report_sent(command, PTL_NI_OK);
  // Nothing more will be heard of it at this descriptor: the program may release it.
  if (!shows_ack(command)) release(*command.origin, command.out);
  const nic::EventTokens tokens = emitter_.take();
  settle();
  return tokens;
}

/// Takes the payload out of the program's memory.
void Machine::stage(Command& command) {
  if (!sends(command.header) || command.staged || !command.origin) return;
  if (command.header.kind == nic::Operation::put && !config_.copy_payload) return;
  command.payload.resize(command.header.length);
  command.staged =
      read(place_of(*command.origin, command.out), command.payload.data(), command.header.length);
}

nic::Verdict Machine::arrive(std::uint32_t cookie) {
  Command& command = commands_[cookie];
  if (command.kind == CommandKind::parcel) return arrive_parcel(command);
  Process* process = process_at(command.target);
  Interface* interface = process ? process->interface(std::uint32_t{command.slot}) : nullptr;
  command.arrived = true;
  command.result = {};
  if (interface) {
    command.result = target_.deliver(*interface, command);
  } else {
    command.result.fail = PTL_NI_DROPPED;
  }
  nic::Verdict verdict;
  verdict.length = Bytes(static_cast<std::int64_t>(command.result.length));
  verdict.acknowledge = wants_ack(command) && !command.result.silent;
  verdict.events = emitter_.take();
  settle();
  return verdict;
}

nic::EventTokens Machine::completed(std::uint32_t cookie, nic::Outcome outcome) {
  Command& command = commands_[cookie];
  if (command.kind == CommandKind::parcel) return complete_parcel(command, outcome);
  if (!command.origin) return {};
  const bool lost = outcome == nic::Outcome::undeliverable;
  if (lost) {
    command.result = {};
    command.result.fail = PTL_NI_UNDELIVERABLE;
  }
  if (sends(command.header) && !command.sent) {
    report_sent(command, lost ? PTL_NI_UNDELIVERABLE : PTL_NI_OK);
  }
  if (fetches(command.header)) {
    report(command, PTL_EVENT_REPLY, command.in, command.result.fail);
  } else if (shows_ack(command) && !command.result.silent) {
    report(command, PTL_EVENT_ACK, command.out, command.result.fail);
  }
  release(*command.origin, command.out);
  release(*command.origin, command.in);
  // Nothing will be asked of its process any more, which is at hand here and not when the adapters
  // forget the request.
  unlink(cookie);
  command.process = nullptr;
  command.origin = nullptr;
  const nic::EventTokens tokens = emitter_.take();
  settle();
  return tokens;
}

void Machine::released(std::uint32_t cookie) {
  unlink(cookie);
  discard(cookie);
}

void Machine::event_visible(nic::EventToken token) {
  if ((token & kNoticeBit) != 0) return deliver_notice(token & ~kNoticeBit);
  if (Process* process = events_.make_visible(token)) process->poke();
}

void Machine::foresee(nic::Report report, std::uint32_t cookie, NodeId node) const {
  if (report == nic::Report::counter_visible) {
    if ((cookie & kNoticeBit) == 0) prefetch(&counters_[cookie]);
    return;
  }
  constexpr std::size_t kRequest = 3;  ///< Lines; the rest is for other kinds.
  prefetch_lines(&commands_[cookie], report == nic::Report::accepted ? 1 : kRequest);
  const Reach& reach = this->reach(node);
  if (reach.interface == nullptr) return;
  constexpr std::size_t kProcess = 2;
  constexpr std::size_t kFiber = 3;
  constexpr std::size_t kInterface = 3;
  prefetch_lines(reach.process, kProcess);
  if (report == nic::Report::accepted) return prefetch_lines(reach.fiber, kFiber);
  prefetch_lines(reach.interface, kInterface);
}

void Machine::expect(nic::Report report, std::uint32_t cookie, NodeId node) const {
  if (report == nic::Report::counter_visible) {
    if ((cookie & kNoticeBit) == 0) prefetch(counters_[cookie].process);
    return;
  }
  const Reach& reach = this->reach(node);
  if (reach.interface == nullptr) return;
  const Interface& interface = *reach.interface;
  switch (report) {
    case nic::Report::accepted:
      return reach.fiber->foresee();
    case nic::Report::arrive:
      prefetch(commands_[cookie].origin);
      interface.entries.foresee(0);
      if (!interface.portals.empty()) prefetch(interface.portals.data());
      return;
    default:
      interface.descriptors.foresee(0);
      interface.counters.foresee(0);
      reach.process->commands.foresee(commands_[cookie].place);
  }
}

void Machine::counter_visible(std::uint32_t cookie) {
  if ((cookie & kNoticeBit) != 0) return deliver_tally(cookie & ~kNoticeBit);
  if (Process* process = counters_.arrived(cookie))
    process->poke(cookie, counters_[cookie].visible);
}

// Events of the initiator.

void Machine::report_sent(Command& command, ptl_ni_fail_t fail) {
  command.sent = true;
  report(command, PTL_EVENT_SEND, command.out, fail);
}

/// One step of a request, to the event queue and counter of a descriptor.
void Machine::report(Command& command, ptl_event_kind_t type, const Buffer& buffer,
                     ptl_ni_fail_t fail) {
  Interface& origin = *command.origin;
  const Descriptor& descriptor = origin.descriptors[buffer.descriptor];
  if (wants_event(descriptor, command, type, fail)) {
    emitter_.post(origin, descriptor.queue, initiator_event(command, type, buffer, fail));
  }
  if (!descriptor.has(counting_option(type))) return;
  const ptl_size_t bytes = type == PTL_EVENT_SEND ? command.header.length : command.result.length;
  emitter_.count(origin, descriptor.counter, fail,
                 counts_bytes(descriptor, command, type) ? bytes : 1);
}

ptl_event_t Machine::initiator_event(const Command& command, ptl_event_kind_t type,
                                     const Buffer& buffer, ptl_ni_fail_t fail) const {
  const Header& header = command.header;
  ptl_event_t event{};
  event.type = type;
  event.start = place_of(*command.origin, buffer).region->address(buffer.offset);
  event.user_ptr = command.user_ptr;
  event.hdr_data = header.hdr_data;
  event.match_bits = header.match_bits;
  event.rlength = header.length;
  event.mlength = type == PTL_EVENT_SEND ? header.length : command.result.length;
  event.remote_offset = type == PTL_EVENT_SEND ? header.remote_offset : command.result.offset;
  event.initiator = command.peer;
  event.uid = header.uid;
  event.pt_index = header.pt_index;
  event.ptl_list = command.result.list;
  event.ni_fail_type = fail;
  event.atomic_operation = header.operation;
  event.atomic_type = header.datatype;
  return event;
}

// What follows from counters.

void Machine::settle(Process& process) {
  write_posted(process);
  settle();
}

void Machine::write_posted(Process& process) {
  std::vector<nic::EventToken>& posted = emitter_.posted();
  for (std::size_t i = 0; i < posted.size();) {
    nic::EventTokens tokens;
    while (i < posted.size() && tokens.count < tokens.token.size()) tokens.add(posted[i++]);
    adapters_.write_events(process.id(), tokens);
  }
  posted.clear();
}

void Machine::settle() {
  if (settling_) return;
  settling_ = true;
  CounterStore::Changes& changes = counters_.changes;
  // Carrying out one may make others due.
  for (std::size_t i = 0; i < changes.due.size(); ++i) fire(changes.due[i]);
  changes.due.clear();
  for (const std::uint32_t counter : changes.written) {
    if (Process* process = counters_[counter].process) {
      adapters_.write_counter(process->id(), counter);
    } else {
      counters_.arrived(counter);
    }
  }
  changes.written.clear();
  settling_ = false;
}

/// Carries out a triggered command.
void Machine::fire(std::uint32_t number) {
  Command& command = commands_[number];
  Interface& interface = *command.origin;
  --interface.triggered;
  if (command.kind == CommandKind::request) {
    link(number);
    issue(number);
    return;
  }
  const std::uint32_t counter = interface.counter(command.object);
  Entry* entry = interface.entry(command.object);
  const std::uint32_t place = static_cast<std::uint32_t>(command.object);
  if (command.kind == CommandKind::increment && counter != kNone) {
    counters_.add(counter, command.change);
  } else if (command.kind == CommandKind::set && counter != kNone) {
    counters_.set(counter, command.change);
  } else if (command.kind == CommandKind::append && entry) {
    target_.append(interface, place);
  } else if (command.kind == CommandKind::unlink && entry) {
    target_.unlink(interface, place);
  }
  Process& process = *command.process;
  discard(number);
  write_posted(process);
}

}  // namespace heddle::portals
