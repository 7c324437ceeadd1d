// The record of one operation, from the program's call until the adapters have forgotten it.
#pragma once

#include <portals4.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "nic/software.hpp"
#include "portals/atomics.hpp"
#include "portals/handle.hpp"

namespace heddle::portals {

class Courier;
class Interface;
class Process;

/// What a request carries to its target, and what is kept there of an unexpected one. A swap is a
/// fetch_atomic.
struct Header {
  ptl_match_bits_t match_bits = 0;
  ptl_hdr_data_t hdr_data = 0;
  ptl_size_t length = 0;
  ptl_size_t remote_offset = 0;
  ptl_process_t initiator{};
  ptl_pt_index_t pt_index = 0;
  ptl_uid_t uid = 0;
  ptl_op_t operation{};
  ptl_datatype_t datatype{};
  nic::Operation kind{};
};

/// What the target made of a request; travels back in the acknowledgement or reply.
struct Result {
  ptl_ni_fail_t fail = PTL_NI_OK;
  ptl_list_t list = PTL_PRIORITY_LIST;
  ptl_size_t length = 0;  ///< Moved.
  ptl_size_t offset = 0;  ///< Used.
  bool silent = false;    ///< The entry wants no acknowledgement.
};

enum class CommandKind : std::uint8_t {
  resource,  ///< Changes tables only.
  request,   ///< Goes to a target.
  parcel,    ///< The same, for a library that keeps its own lists.
  increment,
  set,
  append,
  unlink,
};

/// A memory descriptor that a request uses, until it needs it no longer.
struct Buffer {
  std::uint32_t descriptor = kNone;
  ptl_size_t offset = 0;
};

/// What every command has, and a request: it starts anew with each.
struct CommandState {
  CommandKind kind = CommandKind::resource;
  bool triggered = false;
  bool arrived = false;
  bool sent = false;      ///< The payload is no longer needed in the program's memory.
  bool staged = false;    ///< ... because it is in Command::payload.
  std::uint8_t slot = 0;  ///< Which of the four interfaces, at both ends.
  ptl_ack_req_t ack = PTL_NO_ACK_REQ;
  std::uint32_t place = kNone;  ///< Among the process's commands under way.
  Process* process = nullptr;   ///< Null once it has ended.
  Interface* origin = nullptr;  ///< Null once it is closed; before a triggered command is due, too.
  bool* accepted = nullptr;     ///< Where the call waits for acceptance.

  // A request.
  nic::ProcessId target;
  ptl_process_t peer{};  ///< The target, as the program named it.
  void* user_ptr = nullptr;
  Header header;
  Buffer out;  ///< What a put or atomic sends.
  Buffer in;   ///< What a get or fetch brings.
  Result result;
};

/// What a parcel has besides; of other commands it means nothing.
struct ParcelState {
  Courier* courier = nullptr;
  std::uint64_t parcel = 0;     ///< The courier's cookie.
  std::uint32_t initiator = 0;  ///< Rank.
  std::uint32_t target_rank = 0;
  std::uint32_t next_parcel = kNone;  ///< Of this rank, to be issued after it.
  bool counted = false;               ///< Rather than told by events.
  bool buffered = false;
  bool wants_sent = false;
  bool acknowledged = false;
};

/// What a triggered command has besides; of other commands it means nothing.
struct TriggerState {
  std::uint32_t next = kNone;  ///< Of those that the same counter triggers.
  ptl_size_t threshold = 0;
  ptl_handle_any_t object = 0;  ///< The counter to change, the entry to append or unlink.
  ptl_ct_event_t change{};
};

/// There may be a million of them at a time: an ordinary request uses the first three lines of the
/// cache only.
struct alignas(64) Command : CommandState, ParcelState, TriggerState {
  std::array<std::byte, kLargestElement> operand{};  ///< Of a swap.
  std::vector<std::byte> payload;  ///< Keeps its capacity from one command to the next.
};
static_assert(sizeof(void*) != 8 || sizeof(CommandState) == 192);

/// Whether the request carries a payload.
inline bool sends(const Header& header) {
  return header.kind != nic::Operation::get;
}
/// Whether the answer carries one.
inline bool fetches(const Header& header) {
  return header.kind == nic::Operation::get || header.kind == nic::Operation::fetch_atomic;
}

}  // namespace heddle::portals
