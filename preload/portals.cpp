// Portals 4 for a process that is a rank: every call is the simulator's.
#include <portals4.h>

#include <algorithm>

#include "connection.hpp"

namespace heddle::preload {
namespace {

/// The list of pieces that a description of memory names, if it does.
template <class Description>
Array<const ptl_iovec_t> pieces(const Description* description) {
  if (description == nullptr || (description->options & PTL_IOVEC) == 0) return {nullptr, 0};
  return {static_cast<const ptl_iovec_t*>(description->start), description->length};
}

/// Bytes of an element, as far as an operand has to be handed over; the simulator checks the type.
std::size_t operand_size(ptl_datatype_t type) {
  switch (type) {
    case PTL_INT8_T:
    case PTL_UINT8_T:
      return 1;
    case PTL_INT16_T:
    case PTL_UINT16_T:
      return 2;
    case PTL_INT32_T:
    case PTL_UINT32_T:
    case PTL_FLOAT:
      return 4;
    case PTL_INT64_T:
    case PTL_UINT64_T:
    case PTL_DOUBLE:
    case PTL_FLOAT_COMPLEX:
      return 8;
    case PTL_LONG_DOUBLE_COMPLEX:
      return 2 * sizeof(long double);
    default:
      return 16;
  }
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int PtlInit(void) {
  return call_or(int{PTL_FAIL}, CallNumber::PtlInit);
}

/// As much of the map as fits into a call; its size is the whole one's.
int PtlGetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size, ptl_process_t* mapping,
              ptl_size_t* actual_map_size) {
  constexpr ptl_size_t kMost = heddle::processes::kRoom / sizeof(ptl_process_t) / 2;
  const ptl_size_t asked = std::min(map_size, kMost);
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlGetMap, ni_handle, asked,
                 Array<ptl_process_t>{mapping, asked}, one(actual_map_size));
}

bool PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2) {
  return handle1 == handle2;
}

void PtlFini() {
  call_or(0, CallNumber::PtlFini);
}

void PtlAbort() {
  call_or(0, CallNumber::PtlAbort);
}

int PtlNIInit(ptl_interface_t iface, unsigned int options, ptl_pid_t pid,
              const ptl_ni_limits_t* desired, ptl_ni_limits_t* actual, ptl_handle_ni_t* ni_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlNIInit, iface, options, pid, one(desired),
                 one(actual), one(ni_handle));
}

int PtlNIFini(ptl_handle_ni_t ni_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlNIFini, ni_handle);
}

int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register, ptl_sr_value_t* status) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlNIStatus, ni_handle, status_register,
                 one(status));
}

int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t* ni_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlNIHandle, handle, one(ni_handle));
}

int PtlSetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size, const ptl_process_t* mapping) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlSetMap, ni_handle, map_size,
                 Array<const ptl_process_t>{mapping, map_size});
}

int PtlStartBundle(ptl_handle_ni_t ni_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlStartBundle, ni_handle);
}

int PtlEndBundle(ptl_handle_ni_t ni_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlEndBundle, ni_handle);
}

int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t* uid) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlGetUid, ni_handle, one(uid));
}

int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_t* id) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlGetId, ni_handle, one(id));
}

int PtlGetPhysId(ptl_handle_ni_t ni_handle, ptl_process_t* id) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlGetPhysId, ni_handle, one(id));
}

int PtlPTAlloc(ptl_handle_ni_t ni_handle, unsigned int options, ptl_handle_eq_t eq_handle,
               ptl_pt_index_t pt_index_req, ptl_pt_index_t* pt_index) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlPTAlloc, ni_handle, options, eq_handle,
                 pt_index_req, one(pt_index));
}

int PtlPTFree(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlPTFree, ni_handle, pt_index);
}

int PtlPTDisable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlPTDisable, ni_handle, pt_index);
}

int PtlPTEnable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlPTEnable, ni_handle, pt_index);
}

int PtlMDBind(ptl_handle_ni_t ni_handle, const ptl_md_t* md, ptl_handle_md_t* md_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::md_bind, ni_handle, one(md), pieces(md),
                 one(md_handle));
}

int PtlMDRelease(ptl_handle_md_t md_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlMDRelease, md_handle);
}

int PtlLEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_le_t* le,
                ptl_list_t ptl_list, void* user_ptr, ptl_handle_le_t* le_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::le_append, ni_handle, pt_index, one(le), pieces(le),
                 ptl_list, user_ptr, one(le_handle));
}

int PtlLEUnlink(ptl_handle_le_t le_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlLEUnlink, le_handle);
}

int PtlLESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_le_t* le,
                ptl_search_op_t ptl_search_op, void* user_ptr) {
  return call_or(int{PTL_NO_INIT}, CallNumber::le_search, ni_handle, pt_index, one(le), pieces(le),
                 ptl_search_op, user_ptr);
}

int PtlMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                ptl_list_t ptl_list, void* user_ptr, ptl_handle_me_t* me_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::me_append, ni_handle, pt_index, one(me), pieces(me),
                 ptl_list, user_ptr, one(me_handle));
}

int PtlMEUnlink(ptl_handle_me_t me_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlMEUnlink, me_handle);
}

int PtlMESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                ptl_search_op_t ptl_search_op, void* user_ptr) {
  return call_or(int{PTL_NO_INIT}, CallNumber::me_search, ni_handle, pt_index, one(me), pieces(me),
                 ptl_search_op, user_ptr);
}

int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count, ptl_handle_eq_t* eq_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlEQAlloc, ni_handle, count, one(eq_handle));
}

int PtlEQFree(ptl_handle_eq_t eq_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlEQFree, eq_handle);
}

int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlEQGet, eq_handle, one(event));
}

int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t* event) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlEQWait, eq_handle, one(event));
}

int PtlEQPoll(const ptl_handle_eq_t* eq_handles, unsigned int size, ptl_time_t timeout,
              ptl_event_t* event, unsigned int* which) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlEQPoll,
                 Array<const ptl_handle_eq_t>{eq_handles, size}, size, timeout, one(event),
                 one(which));
}

int PtlCTAlloc(ptl_handle_ni_t ni_handle, ptl_handle_ct_t* ct_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTAlloc, ni_handle, one(ct_handle));
}

int PtlCTFree(ptl_handle_ct_t ct_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTFree, ct_handle);
}

int PtlCTCancelTriggered(ptl_handle_ct_t ct_handle) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTCancelTriggered, ct_handle);
}

int PtlCTGet(ptl_handle_ct_t ct_handle, ptl_ct_event_t* event) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTGet, ct_handle, one(event));
}

int PtlCTWait(ptl_handle_ct_t ct_handle, ptl_size_t test, ptl_ct_event_t* event) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTWait, ct_handle, test, one(event));
}

int PtlCTPoll(const ptl_handle_ct_t* ct_handles, const ptl_size_t* tests, unsigned int size,
              ptl_time_t timeout, ptl_ct_event_t* event, unsigned int* which) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTPoll,
                 Array<const ptl_handle_ct_t>{ct_handles, size},
                 Array<const ptl_size_t>{tests, size}, size, timeout, one(event), one(which));
}

int PtlCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTSet, ct_handle, new_ct);
}

int PtlCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlCTInc, ct_handle, increment);
}

int PtlPut(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
           ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
           ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
           ptl_hdr_data_t hdr_data) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlPut, md_handle, local_offset, length, ack_req,
                 target_id, pt_index, match_bits, remote_offset, user_ptr, hdr_data);
}

int PtlGet(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
           ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
           ptl_size_t remote_offset, void* user_ptr) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlGet, md_handle, local_offset, length, target_id,
                 pt_index, match_bits, remote_offset, user_ptr);
}

int PtlAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
              ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
              ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
              ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlAtomic, md_handle, local_offset, length, ack_req,
                 target_id, pt_index, match_bits, remote_offset, user_ptr, hdr_data, operation,
                 datatype);
}

int PtlFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                   ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
                   ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                   ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
                   ptl_op_t operation, ptl_datatype_t datatype) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlFetchAtomic, get_md_handle, local_get_offset,
                 put_md_handle, local_put_offset, length, target_id, pt_index, match_bits,
                 remote_offset, user_ptr, hdr_data, operation, datatype);
}

int PtlSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
            ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
            ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data, const void* operand,
            ptl_op_t operation, ptl_datatype_t datatype) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlSwap, get_md_handle, local_get_offset,
                 put_md_handle, local_put_offset, length, target_id, pt_index, match_bits,
                 remote_offset, user_ptr, hdr_data,
                 Array<const char>{static_cast<const char*>(operand), operand_size(datatype)},
                 operation, datatype);
}

int PtlAtomicSync() {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlAtomicSync);
}

int PtlTriggeredPut(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                    ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
                    ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                    ptl_hdr_data_t hdr_data, ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredPut, md_handle, local_offset, length,
                 ack_req, target_id, pt_index, match_bits, remote_offset, user_ptr, hdr_data,
                 trig_ct_handle, threshold);
}

int PtlTriggeredGet(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                    ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                    ptl_size_t remote_offset, void* user_ptr, ptl_handle_ct_t trig_ct_handle,
                    ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredGet, md_handle, local_offset, length,
                 target_id, pt_index, match_bits, remote_offset, user_ptr, trig_ct_handle,
                 threshold);
}

int PtlTriggeredAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                       ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
                       ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                       ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
                       ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredAtomic, md_handle, local_offset, length,
                 ack_req, target_id, pt_index, match_bits, remote_offset, user_ptr, hdr_data,
                 operation, datatype, trig_ct_handle, threshold);
}

int PtlTriggeredFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                            ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
                            ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                            ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
                            ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredFetchAtomic, get_md_handle,
                 local_get_offset, put_md_handle, local_put_offset, length, target_id, pt_index,
                 match_bits, remote_offset, user_ptr, hdr_data, operation, datatype, trig_ct_handle,
                 threshold);
}

int PtlTriggeredSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                     ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
                     ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                     ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
                     const void* operand, ptl_op_t operation, ptl_datatype_t datatype,
                     ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredSwap, get_md_handle, local_get_offset,
                 put_md_handle, local_put_offset, length, target_id, pt_index, match_bits,
                 remote_offset, user_ptr, hdr_data,
                 Array<const char>{static_cast<const char*>(operand), operand_size(datatype)},
                 operation, datatype, trig_ct_handle, threshold);
}

int PtlTriggeredCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredCTInc, ct_handle, increment,
                 trig_ct_handle, threshold);
}

int PtlTriggeredCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredCTSet, ct_handle, new_ct, trig_ct_handle,
                 threshold);
}

int PtlTriggeredMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                         ptl_list_t ptl_list, void* user_ptr, ptl_handle_me_t* me_handle,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::triggered_me_append, ni_handle, pt_index, one(me),
                 pieces(me), ptl_list, user_ptr, one(me_handle), trig_ct_handle, threshold);
}

int PtlTriggeredMEUnlink(ptl_handle_me_t me_handle, ptl_handle_ct_t trig_ct_handle,
                         ptl_size_t threshold) {
  return call_or(int{PTL_NO_INIT}, CallNumber::PtlTriggeredMEUnlink, me_handle, trig_ct_handle,
                 threshold);
}
}
