// Put, get and the atomics, at once or triggered.
#include <cstring>
#include <optional>

#include "portals/call.hpp"

namespace heddle::portals {
namespace {

constexpr ptl_handle_md_t kNoDescriptor = PTL_INVALID_HANDLE;

/// The arguments of any operation.
struct Transfer {
  nic::Operation kind{};
  ptl_handle_md_t out = kNoDescriptor;
  ptl_size_t out_offset = 0;
  ptl_handle_md_t in = kNoDescriptor;
  ptl_size_t in_offset = 0;
  ptl_size_t length = 0;
  ptl_ack_req_t ack = PTL_NO_ACK_REQ;
  ptl_process_t target{};
  ptl_pt_index_t pt_index = 0;
  ptl_match_bits_t match_bits = 0;
  ptl_size_t remote_offset = 0;
  void* user_ptr = nullptr;
  ptl_hdr_data_t hdr_data = 0;
  ptl_op_t operation{};
  ptl_datatype_t datatype{};
  bool swap = false;
  const void* operand = nullptr;
};

/// When a triggered operation is due.
struct Trigger {
  ptl_handle_ct_t counter = PTL_CT_NONE;
  ptl_size_t threshold = 0;
};

bool is_atomic(const Transfer& transfer) {
  return transfer.kind == nic::Operation::atomic || transfer.kind == nic::Operation::fetch_atomic;
}

/// Whether operation, type, operand and length go together.
bool valid_atomic(const Transfer& transfer) {
  const ptl_size_t element = element_size(transfer.datatype);
  if (element == 0 || transfer.length % element != 0) return false;
  if (!transfer.swap) return combines(transfer.operation, transfer.datatype);
  if (!swaps(transfer.operation, transfer.datatype)) return false;
  return !has_operand(transfer.operation) || (transfer.operand && transfer.length <= element);
}

bool valid_length(const Interface& interface, const Transfer& transfer) {
  switch (transfer.kind) {
    case nic::Operation::atomic:
      return transfer.length <= interface.limits.max_atomic_size;
    case nic::Operation::fetch_atomic:
      return transfer.length <= interface.limits.max_fetch_atomic_size;
    default:
      return transfer.length <= interface.limits.max_msg_size;
  }
}

bool valid_ack(ptl_ack_req_t ack) {
  return ack == PTL_ACK_REQ || ack == PTL_NO_ACK_REQ || ack == PTL_CT_ACK_REQ ||
         ack == PTL_OC_ACK_REQ;
}

/// Whether the descriptor is one of the interface's and holds the bytes; none at all is fine.
bool valid_buffer(Interface& interface, ptl_handle_md_t handle, ptl_size_t offset,
                  ptl_size_t length) {
  if (handle == kNoDescriptor) return true;
  const Descriptor* descriptor = interface.descriptor(handle);
  return descriptor && descriptor->region.contains(offset, length);
}

/// The process that a program's target is, if there can be one.
std::optional<nic::ProcessId> resolve(const Interface& interface, const ptl_process_t& target) {
  const Machine& machine = interface.process().machine();
  ptl_process_t physical = target;
  if (interface.logical()) {
    const ptl_size_t ranks =
        interface.map.empty() ? machine.directory().ranks() : interface.map.size();
    if (target.rank >= ranks) return std::nullopt;
    physical = interface.map.empty() ? machine.directory().physical(target.rank)
                                     : interface.map[target.rank];
  }
  if (physical.phys.nid >= machine.directory().nodes()) return std::nullopt;
  return nic::ProcessId{NodeId{physical.phys.nid}, physical.phys.pid};
}

bool valid(Interface& interface, const Transfer& transfer) {
  return valid_length(interface, transfer) && valid_ack(transfer.ack) &&
         (!is_atomic(transfer) || valid_atomic(transfer)) &&
         valid_buffer(interface, transfer.out, transfer.out_offset, transfer.length) &&
         valid_buffer(interface, transfer.in, transfer.in_offset, transfer.length);
}

/// The buffer of a request: its descriptor is in use from now on.
Buffer use(Interface& interface, ptl_handle_md_t handle, ptl_size_t offset) {
  Descriptor* descriptor = interface.descriptor(handle);
  if (!descriptor) return {};
  ++descriptor->pending;
  return {decode(handle, ObjectKind::descriptor)->index, offset};
}

Header header_of(const Interface& interface, const Transfer& transfer) {
  Header header;
  header.kind = transfer.kind;
  header.pt_index = transfer.pt_index;
  header.initiator = interface.process().physical_id();
  if (interface.logical()) header.initiator.rank = interface.rank;
  header.uid = static_cast<ptl_uid_t>(interface.process().machine().config().uid);
  header.match_bits = transfer.match_bits;
  header.hdr_data = transfer.hdr_data;
  header.length = transfer.length;
  header.remote_offset = transfer.remote_offset;
  header.operation = transfer.operation;
  header.datatype = transfer.datatype;
  return header;
}

std::uint32_t new_request(Interface& interface, const Transfer& transfer,
                          const nic::ProcessId& target) {
  Machine& machine = interface.process().machine();
  const std::uint32_t number = machine.commands().add(interface.process(), CommandKind::request);
  Command& command = machine.commands()[number];
  command.origin = &interface;
  command.slot = interface.slot();
  command.ack = transfer.ack;
  command.header = header_of(interface, transfer);
  command.target = target;
  command.peer = transfer.target;
  command.out = use(interface, transfer.out, transfer.out_offset);
  command.in = use(interface, transfer.in, transfer.in_offset);
  command.user_ptr = transfer.user_ptr;
  if (transfer.swap && has_operand(transfer.operation)) {
    std::memcpy(command.operand.data(), transfer.operand, element_size(transfer.datatype));
  }
  return number;
}

/// The interface that a transfer goes through: that of its descriptors.
Interface* interface_of(const Process& process, const Transfer& transfer) {
  const ptl_handle_md_t handle = transfer.out != kNoDescriptor ? transfer.out : transfer.in;
  return kind_of(handle) == ObjectKind::descriptor ? process.owner(handle) : nullptr;
}

int start(const Transfer& transfer) {
  return call([&](Process& process) -> int {
    Interface* interface = interface_of(process, transfer);
    if (!interface || !valid(*interface, transfer)) return PTL_ARG_INVALID;
    const auto target = resolve(*interface, transfer.target);
    if (!target) return PTL_ARG_INVALID;
    process.machine().submit(new_request(*interface, transfer, *target));
    return PTL_OK;
  });
}

int start(const Transfer& transfer, const Trigger& trigger) {
  return call([&](Process& process) -> int {
    Interface* interface = interface_of(process, transfer);
    if (!interface || !valid(*interface, transfer)) return PTL_ARG_INVALID;
    const auto target = resolve(*interface, transfer.target);
    if (!target || interface->counter(trigger.counter) == kNone) return PTL_ARG_INVALID;
    const auto most = static_cast<std::uint32_t>(interface->limits.max_triggered_ops);
    if (interface->triggered >= most) return PTL_NO_SPACE;
    Machine& machine = process.machine();
    const std::uint32_t number = new_request(*interface, transfer, *target);
    machine.commands()[number].threshold = trigger.threshold;
    machine.perform(process);
    machine.triggers().submit(number, interface->counter(trigger.counter));
    return PTL_OK;
  });
}

/// A descriptor that must be there: none is no choice of the program's.
ptl_handle_md_t required(ptl_handle_md_t handle) {
  return handle == kNoDescriptor ? PTL_EQ_NONE : handle;
}

Transfer put(ptl_handle_md_t md, ptl_size_t local_offset, ptl_size_t length, ptl_ack_req_t ack,
             ptl_process_t target, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
             ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data) {
  Transfer transfer;
  transfer.kind = nic::Operation::put;
  transfer.out = required(md);
  transfer.out_offset = local_offset;
  transfer.length = length;
  transfer.ack = ack;
  transfer.target = target;
  transfer.pt_index = pt_index;
  transfer.match_bits = match_bits;
  transfer.remote_offset = remote_offset;
  transfer.user_ptr = user_ptr;
  transfer.hdr_data = hdr_data;
  return transfer;
}

Transfer get(ptl_handle_md_t md, ptl_size_t local_offset, ptl_size_t length, ptl_process_t target,
             ptl_pt_index_t pt_index, ptl_match_bits_t match_bits, ptl_size_t remote_offset,
             void* user_ptr) {
  Transfer transfer = put(kNoDescriptor, 0, length, PTL_NO_ACK_REQ, target, pt_index, match_bits,
                          remote_offset, user_ptr, 0);
  transfer.kind = nic::Operation::get;
  transfer.out = kNoDescriptor;
  transfer.in = required(md);
  transfer.in_offset = local_offset;
  return transfer;
}

Transfer atomic(Transfer transfer, ptl_op_t operation, ptl_datatype_t datatype) {
  transfer.kind = nic::Operation::atomic;
  transfer.operation = operation;
  transfer.datatype = datatype;
  return transfer;
}

/// An atomic that brings the old value back.
Transfer fetch(Transfer transfer, ptl_handle_md_t get_md, ptl_size_t get_offset) {
  transfer.kind = nic::Operation::fetch_atomic;
  transfer.in = required(get_md);
  transfer.in_offset = get_offset;
  return transfer;
}

Transfer swap(Transfer transfer, const void* operand) {
  transfer.swap = true;
  transfer.operand = operand;
  return transfer;
}

}  // namespace
}  // namespace heddle::portals

using namespace heddle::portals;

int PtlPut(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
           ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
           ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
           ptl_hdr_data_t hdr_data) {
  return start(put(md_handle, local_offset, length, ack_req, target_id, pt_index, match_bits,
                   remote_offset, user_ptr, hdr_data));
}

int PtlGet(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
           ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
           ptl_size_t remote_offset, void* user_ptr) {
  return start(get(md_handle, local_offset, length, target_id, pt_index, match_bits, remote_offset,
                   user_ptr));
}

int PtlAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
              ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
              ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
              ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype) {
  return start(atomic(put(md_handle, local_offset, length, ack_req, target_id, pt_index, match_bits,
                          remote_offset, user_ptr, hdr_data),
                      operation, datatype));
}

int PtlFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                   ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
                   ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                   ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
                   ptl_op_t operation, ptl_datatype_t datatype) {
  return start(fetch(atomic(put(put_md_handle, local_put_offset, length, PTL_NO_ACK_REQ, target_id,
                                pt_index, match_bits, remote_offset, user_ptr, hdr_data),
                            operation, datatype),
                     get_md_handle, local_get_offset));
}

int PtlSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
            ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
            ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data, const void* operand,
            ptl_op_t operation, ptl_datatype_t datatype) {
  return start(
      swap(fetch(atomic(put(put_md_handle, local_put_offset, length, PTL_NO_ACK_REQ, target_id,
                            pt_index, match_bits, remote_offset, user_ptr, hdr_data),
                        operation, datatype),
                 get_md_handle, local_get_offset),
           operand));
}

int PtlAtomicSync(void) {
  return call([](Process& process) {
    // What atomics change is in memory when they are reported: there is nothing to wait for but
    // the adapter's answer.
    if (process.machine().config().coherent_atomics) {
      process.idle("polls with PtlAtomicSync");
    } else {
      process.machine().perform(process);
    }
    return PTL_OK;
  });
}

int PtlTriggeredPut(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                    ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
                    ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                    ptl_hdr_data_t hdr_data, ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return start(put(md_handle, local_offset, length, ack_req, target_id, pt_index, match_bits,
                   remote_offset, user_ptr, hdr_data),
               {trig_ct_handle, threshold});
}

int PtlTriggeredGet(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                    ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                    ptl_size_t remote_offset, void* user_ptr, ptl_handle_ct_t trig_ct_handle,
                    ptl_size_t threshold) {
  return start(get(md_handle, local_offset, length, target_id, pt_index, match_bits, remote_offset,
                   user_ptr),
               {trig_ct_handle, threshold});
}

int PtlTriggeredAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                       ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
                       ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                       ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
                       ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return start(atomic(put(md_handle, local_offset, length, ack_req, target_id, pt_index, match_bits,
                          remote_offset, user_ptr, hdr_data),
                      operation, datatype),
               {trig_ct_handle, threshold});
}

int PtlTriggeredFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                            ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
                            ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                            ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
                            ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return start(fetch(atomic(put(put_md_handle, local_put_offset, length, PTL_NO_ACK_REQ, target_id,
                                pt_index, match_bits, remote_offset, user_ptr, hdr_data),
                            operation, datatype),
                     get_md_handle, local_get_offset),
               {trig_ct_handle, threshold});
}

int PtlTriggeredSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                     ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
                     ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                     ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
                     const void* operand, ptl_op_t operation, ptl_datatype_t datatype,
                     ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return start(
      swap(fetch(atomic(put(put_md_handle, local_put_offset, length, PTL_NO_ACK_REQ, target_id,
                            pt_index, match_bits, remote_offset, user_ptr, hdr_data),
                        operation, datatype),
                 get_md_handle, local_get_offset),
           operand),
      {trig_ct_handle, threshold});
}
