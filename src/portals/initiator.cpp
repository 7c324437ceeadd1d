#include "portals/initiator.hpp"

#include "portals/process.hpp"

namespace heddle::portals {

bool wants_ack(const Command& command) {
  return !fetches(command.header) && command.ack != PTL_NO_ACK_REQ;
}

void release(Interface& interface, Buffer& buffer) {
  if (buffer.descriptor == kNone) return;
  --interface.descriptors[buffer.descriptor].pending;
  buffer.descriptor = kNone;
}

namespace {

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

ptl_event_t initiator_event(const Command& command, ptl_event_kind_t type, const Buffer& buffer,
                            ptl_ni_fail_t fail) {
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

/// What a put or atomic sends, and how.
void add_payload(nic::Request& request, const Command& command) {
  const Descriptor& out = command.origin->descriptors[command.out.descriptor];
  request.payload = Bytes(static_cast<std::int64_t>(command.header.length));
  request.unordered = out.has(PTL_MD_UNORDERED);
  // Until the acknowledgement the program learns nothing: the payload can stay where it is.
  request.wants_sent =
      !request.wants_ack || !out.has(PTL_MD_EVENT_SEND_DISABLE) || out.has(PTL_MD_EVENT_CT_SEND);
  request.buffered = !command.triggered && out.has(PTL_MD_VOLATILE) &&
                     command.header.length <= command.origin->limits.max_volatile_size;
}

}  // namespace

void Initiator::issue(std::uint32_t number) {
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
  if (sends(command.header)) add_payload(request, command);
  if (request.buffered) stage(command);
  adapters_.issue(request);
}

/// Takes the payload out of the program's memory.
void Initiator::stage(Command& command) {
  if (!sends(command.header) || command.staged || !command.origin) return;
  if (command.header.kind == nic::Operation::put && !copy_payload_) return;
  command.payload.resize(command.header.length);
  command.staged =
      read(place_of(*command.origin, command.out), command.payload.data(), command.header.length);
}

void Initiator::sent(Command& command) {
  if (!command.arrived) stage(command);
  if (!command.origin) return;
  report_sent(command, PTL_NI_OK);
  // Nothing more will be heard of it at this descriptor: the program may release it.
  if (!shows_ack(command)) release(*command.origin, command.out);
}

void Initiator::completed(std::uint32_t number, nic::Outcome outcome) {
  Command& command = commands_[number];
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
  commands_.unlink(number);
  command.process = nullptr;
  command.origin = nullptr;
}

void Initiator::abandon(Command& command) {
  if (command.kind == CommandKind::request && !command.arrived) stage(command);
  command.origin = nullptr;
}

void Initiator::report_sent(Command& command, ptl_ni_fail_t fail) {
  command.sent = true;
  report(command, PTL_EVENT_SEND, command.out, fail);
}

/// One step of a request, to the event queue and counter of a descriptor.
void Initiator::report(Command& command, ptl_event_kind_t type, const Buffer& buffer,
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

}  // namespace heddle::portals
