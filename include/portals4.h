/* The Portals 4 interface, as simulated programs see it: Portals 4.3 and, where it dropped names of
 * 4.0 to 4.2 or others added some, those too.
 *
 * Every function answers PTL_OK or one of ptl_retvals; PTL_NO_INIT before PtlInit and
 * PTL_ARG_INVALID for a bad argument or a handle that is not (or no longer) valid may come from any
 * of them and are not repeated below. */
#ifndef PORTALS4_H
#define PORTALS4_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTL_MAJOR_VERSION 4
#define PTL_MINOR_VERSION 3

/* Scalars ------------------------------------------------------------------------------------- */

typedef uint64_t ptl_size_t;
typedef uint64_t ptl_match_bits_t;
typedef uint64_t ptl_hdr_data_t;
typedef uint32_t ptl_pt_index_t;
typedef uint32_t ptl_interface_t;
typedef uint32_t ptl_nid_t;
typedef uint32_t ptl_pid_t;
typedef uint32_t ptl_rank_t;
typedef uint32_t ptl_uid_t;
typedef unsigned int ptl_time_t; /* Milliseconds. */
typedef uint64_t ptl_sr_value_t;

#define PTL_SIZE_MAX UINT64_MAX
#define PTL_PT_ANY UINT32_MAX
#define PTL_IFACE_DEFAULT UINT32_MAX
#define PTL_NID_ANY UINT32_MAX
#define PTL_PID_ANY UINT32_MAX
#define PTL_RANK_ANY UINT32_MAX
#define PTL_UID_ANY UINT32_MAX
#define PTL_TIME_FOREVER UINT_MAX

/* Handles: compare with == or PtlHandleIsEqual; valid in the process that got them. */
typedef uint64_t ptl_handle_any_t;
typedef ptl_handle_any_t ptl_handle_ni_t;
typedef ptl_handle_any_t ptl_handle_eq_t;
typedef ptl_handle_any_t ptl_handle_ct_t;
typedef ptl_handle_any_t ptl_handle_md_t;
typedef ptl_handle_any_t ptl_handle_le_t;
typedef ptl_handle_any_t ptl_handle_me_t;

#define PTL_INVALID_HANDLE UINT64_MAX
#define PTL_EQ_NONE (UINT64_MAX - 1)
#define PTL_CT_NONE (UINT64_MAX - 2)

/* What calls answer. */
enum ptl_retvals {
  PTL_OK = 0,
  PTL_ARG_INVALID,
  PTL_CT_NONE_REACHED,
  PTL_EQ_DROPPED,
  PTL_EQ_EMPTY,
  PTL_FAIL,
  PTL_IGNORED,
  PTL_IN_USE,
  PTL_INTERRUPTED,
  PTL_LIST_TOO_LONG,
  PTL_NO_INIT,
  PTL_NO_SPACE,
  PTL_PID_IN_USE,
  PTL_PT_FULL,
  PTL_PT_EQ_NEEDED,
  PTL_PT_IN_USE,
  PTL_ABORTED
};

/* Options -------------------------------------------------------------------------------------- */

/* Of PtlNIInit. */
#define PTL_NI_MATCHING (1U << 0)
#define PTL_NI_NO_MATCHING (1U << 1)
#define PTL_NI_LOGICAL (1U << 2)
#define PTL_NI_PHYSICAL (1U << 3)
#define PTL_NI_INIT_OPTIONS_MASK ((1U << 4) - 1)

/* ptl_ni_limits_t.features. */
#define PTL_TARGET_BIND_INACCESSIBLE (1U << 0)
#define PTL_TOTAL_DATA_ORDERING (1U << 1)
#define PTL_COHERENT_ATOMICS (1U << 2)

/* Of PtlPTAlloc. */
#define PTL_PT_ONLY_USE_ONCE (1U << 0)
#define PTL_PT_ONLY_TRUNCATE (1U << 1)
#define PTL_PT_FLOWCTRL (1U << 2)
#define PTL_PT_ALLOC_DISABLED (1U << 3)
#define PTL_PT_MATCH_UNORDERED (1U << 4) /* A hint, from the reference implementation. */
#define PTL_PT_ALLOC_OPTIONS_MASK ((1U << 5) - 1)

/* Of memory descriptors and entries alike: start is an array of length ptl_iovec_t. */
#define PTL_IOVEC (1U << 0)

/* Of memory descriptors. */
#define PTL_MD_EVENT_SUCCESS_DISABLE (1U << 1)
#define PTL_MD_EVENT_SEND_DISABLE (1U << 2)
#define PTL_MD_EVENT_CT_SEND (1U << 3)
#define PTL_MD_EVENT_CT_REPLY (1U << 4)
#define PTL_MD_EVENT_CT_ACK (1U << 5)
#define PTL_MD_EVENT_CT_BYTES (1U << 6)
#define PTL_MD_UNORDERED (1U << 7)
#define PTL_MD_VOLATILE (1U << 8)
#define PTL_MD_UNRELIABLE (1U << 9)
#define PTL_MD_OPTIONS_MASK ((1U << 10) - 1)

/* Of list and match-list entries. */
#define PTL_LE_OP_PUT (1U << 1)
#define PTL_LE_OP_GET (1U << 2)
#define PTL_LE_USE_ONCE (1U << 3)
#define PTL_LE_ACK_DISABLE (1U << 4)
#define PTL_LE_UNEXPECTED_HDR_DISABLE (1U << 5)
#define PTL_LE_IS_ACCESSIBLE (1U << 6)
#define PTL_LE_EVENT_LINK_DISABLE (1U << 7)
#define PTL_LE_EVENT_COMM_DISABLE (1U << 8)
#define PTL_LE_EVENT_FLOWCTRL_DISABLE (1U << 9)
#define PTL_LE_EVENT_SUCCESS_DISABLE (1U << 10)
#define PTL_LE_EVENT_OVER_DISABLE (1U << 11)
#define PTL_LE_EVENT_UNLINK_DISABLE (1U << 12)
#define PTL_LE_EVENT_CT_COMM (1U << 13)
#define PTL_LE_EVENT_CT_OVERFLOW (1U << 14)
#define PTL_LE_EVENT_CT_BYTES (1U << 15)
#define PTL_LE_APPEND_OPTIONS_MASK ((1U << 16) - 1)

#define PTL_ME_OP_PUT PTL_LE_OP_PUT
#define PTL_ME_OP_GET PTL_LE_OP_GET
#define PTL_ME_USE_ONCE PTL_LE_USE_ONCE
#define PTL_ME_ACK_DISABLE PTL_LE_ACK_DISABLE
#define PTL_ME_UNEXPECTED_HDR_DISABLE PTL_LE_UNEXPECTED_HDR_DISABLE
#define PTL_ME_IS_ACCESSIBLE PTL_LE_IS_ACCESSIBLE
#define PTL_ME_EVENT_LINK_DISABLE PTL_LE_EVENT_LINK_DISABLE
#define PTL_ME_EVENT_COMM_DISABLE PTL_LE_EVENT_COMM_DISABLE
#define PTL_ME_EVENT_FLOWCTRL_DISABLE PTL_LE_EVENT_FLOWCTRL_DISABLE
#define PTL_ME_EVENT_SUCCESS_DISABLE PTL_LE_EVENT_SUCCESS_DISABLE
#define PTL_ME_EVENT_OVER_DISABLE PTL_LE_EVENT_OVER_DISABLE
#define PTL_ME_EVENT_UNLINK_DISABLE PTL_LE_EVENT_UNLINK_DISABLE
#define PTL_ME_EVENT_CT_COMM PTL_LE_EVENT_CT_COMM
#define PTL_ME_EVENT_CT_OVERFLOW PTL_LE_EVENT_CT_OVERFLOW
#define PTL_ME_EVENT_CT_BYTES PTL_LE_EVENT_CT_BYTES

/* Of match-list entries only. */
#define PTL_ME_MANAGE_LOCAL (1U << 16)
#define PTL_ME_NO_TRUNCATE (1U << 17)
#define PTL_ME_MAY_ALIGN (1U << 18)
#define PTL_ME_LOCAL_INC_UH_RLENGTH (1U << 19)
#define PTL_ME_APPEND_OPTIONS_MASK ((1U << 20) - 1)

/* Kinds ---------------------------------------------------------------------------------------- */

/* Those that calls take are integers: a program may pass any number, and is told if it is wrong. */

enum { PTL_SR_DROP_COUNT, PTL_SR_PERMISSION_VIOLATIONS, PTL_SR_OPERATION_VIOLATIONS, PTL_SR_LAST };
typedef int ptl_sr_index_t;
#define PTL_SR_PERMISSIONS_VIOLATIONS PTL_SR_PERMISSION_VIOLATIONS
#define PTL_SR_OPERATIONS_VIOLATIONS PTL_SR_OPERATION_VIOLATIONS

enum { PTL_ACK_REQ, PTL_NO_ACK_REQ, PTL_CT_ACK_REQ, PTL_OC_ACK_REQ };
typedef int ptl_ack_req_t;

enum { PTL_PRIORITY_LIST, PTL_OVERFLOW_LIST };
typedef int ptl_list_t;

enum { PTL_SEARCH_ONLY, PTL_SEARCH_DELETE };
typedef int ptl_search_op_t;

enum {
  PTL_MIN,
  PTL_MAX,
  PTL_SUM,
  PTL_PROD,
  PTL_LOR,
  PTL_LAND,
  PTL_BOR,
  PTL_BAND,
  PTL_LXOR,
  PTL_BXOR,
  PTL_SWAP,
  PTL_CSWAP,
  PTL_CSWAP_NE,
  PTL_CSWAP_LE,
  PTL_CSWAP_LT,
  PTL_CSWAP_GE,
  PTL_CSWAP_GT,
  PTL_MSWAP,
  PTL_DIFF
};
typedef int ptl_op_t;

enum {
  PTL_INT8_T,
  PTL_UINT8_T,
  PTL_INT16_T,
  PTL_UINT16_T,
  PTL_INT32_T,
  PTL_UINT32_T,
  PTL_INT64_T,
  PTL_UINT64_T,
  PTL_FLOAT,
  PTL_FLOAT_COMPLEX,
  PTL_DOUBLE,
  PTL_DOUBLE_COMPLEX,
  PTL_LONG_DOUBLE,
  PTL_LONG_DOUBLE_COMPLEX
};
typedef int ptl_datatype_t;

typedef enum {
  PTL_EVENT_GET,
  PTL_EVENT_GET_OVERFLOW,
  PTL_EVENT_PUT,
  PTL_EVENT_PUT_OVERFLOW,
  PTL_EVENT_ATOMIC,
  PTL_EVENT_ATOMIC_OVERFLOW,
  PTL_EVENT_FETCH_ATOMIC,
  PTL_EVENT_FETCH_ATOMIC_OVERFLOW,
  PTL_EVENT_REPLY,
  PTL_EVENT_SEND,
  PTL_EVENT_ACK,
  PTL_EVENT_PT_DISABLED,
  PTL_EVENT_LINK,
  PTL_EVENT_AUTO_UNLINK,
  PTL_EVENT_AUTO_FREE,
  PTL_EVENT_SEARCH,
  PTL_EVENT_ERROR
} ptl_event_kind_t;

typedef enum {
  PTL_NI_OK,
  PTL_NI_UNDELIVERABLE,
  PTL_NI_PT_DISABLED,
  PTL_NI_DROPPED,
  PTL_NI_PERM_VIOLATION,
  PTL_NI_OP_VIOLATION,
  PTL_NI_SEGV,
  PTL_NI_NO_MATCH,
  PTL_NI_TARGET_INVALID
} ptl_ni_fail_t;

/* Structures ----------------------------------------------------------------------------------- */

/* A rank on a logical interface, a node and process on a physical one. */
typedef union {
  ptl_rank_t rank;
  struct {
    ptl_nid_t nid;
    ptl_pid_t pid;
  } phys;
} ptl_process_t;

typedef struct {
  int max_entries;
  int max_unexpected_headers;
  int max_mds;
  int max_cts;
  int max_eqs;
  int max_pt_index; /* The largest index, not their number. */
  int max_iovecs;
  int max_list_size;
  int max_triggered_ops;
  int max_cqs;
  ptl_size_t max_msg_size;
  ptl_size_t max_atomic_size;
  ptl_size_t max_fetch_atomic_size;
  ptl_size_t max_waw_ordered_size;
  ptl_size_t max_war_ordered_size;
  ptl_size_t max_volatile_size;
  unsigned int features;
} ptl_ni_limits_t;

typedef struct {
  void* iov_base;
  ptl_size_t iov_len;
} ptl_iovec_t;

typedef struct {
  void* start;
  ptl_size_t length; /* Bytes, or elements with PTL_IOVEC. */
  unsigned int options;
  ptl_handle_eq_t eq_handle;
  ptl_handle_ct_t ct_handle;
} ptl_md_t;

typedef struct {
  void* start;
  ptl_size_t length; /* Bytes, or elements with PTL_IOVEC. */
  ptl_handle_ct_t ct_handle;
  ptl_uid_t uid;
  unsigned int options;
} ptl_le_t;

typedef struct {
  void* start;
  ptl_size_t length; /* Bytes, or elements with PTL_IOVEC. */
  ptl_handle_ct_t ct_handle;
  ptl_uid_t uid;
  unsigned int options;
  ptl_process_t match_id;
  ptl_match_bits_t match_bits;
  ptl_match_bits_t ignore_bits;
  ptl_size_t min_free;
} ptl_me_t;

typedef struct {
  ptl_size_t success;
  ptl_size_t failure;
} ptl_ct_event_t;

typedef struct {
  void* start;
  void* user_ptr;
  ptl_hdr_data_t hdr_data;
  ptl_match_bits_t match_bits;
  ptl_size_t rlength;
  ptl_size_t mlength;
  ptl_size_t remote_offset;
  ptl_process_t initiator;
  ptl_uid_t uid;
  ptl_pt_index_t pt_index;
  ptl_event_kind_t type;
  ptl_list_t ptl_list;
  ptl_ni_fail_t ni_fail_type;
  ptl_op_t atomic_operation;
  ptl_datatype_t atomic_type;
} ptl_event_t;

/* Library and interfaces ----------------------------------------------------------------------- */

/* Opens the library; counted, each call needs a PtlFini. */
int PtlInit(void);
/* Closes what one PtlInit opened; the last one releases everything of the process. */
void PtlFini(void);
/* Makes every waiting and later wait or poll of the process answer PTL_ABORTED. */
void PtlAbort(void);
/* Opens one of an interface's four logical interfaces; counted, a repeated call ignores pid and
 * desired. Wishes are clamped. PTL_PID_IN_USE, PTL_NO_SPACE. */
int PtlNIInit(ptl_interface_t iface, unsigned int options, ptl_pid_t pid,
              const ptl_ni_limits_t* desired, ptl_ni_limits_t* actual, ptl_handle_ni_t* ni_handle);
/* Closes what one PtlNIInit opened; the last one releases everything of the interface. */
int PtlNIFini(ptl_handle_ni_t ni_handle);
/* The value of a status register. */
int PtlNIStatus(ptl_handle_ni_t ni_handle, ptl_sr_index_t status_register, ptl_sr_value_t* status);
/* The interface that any handle belongs to. */
int PtlNIHandle(ptl_handle_any_t handle, ptl_handle_ni_t* ni_handle);
/* Says which process each rank of a logical interface is; overwrites an earlier map. PTL_NO_SPACE.
 */
int PtlSetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size, const ptl_process_t* mapping);
/* The first map_size entries of the map, and how many it has. */
int PtlGetMap(ptl_handle_ni_t ni_handle, ptl_size_t map_size, ptl_process_t* mapping,
              ptl_size_t* actual_map_size);
/* Hints that several operations follow: they may be handed over together. */
int PtlStartBundle(ptl_handle_ni_t ni_handle);
/* Ends the bundle: everything in it is handed over. */
int PtlEndBundle(ptl_handle_ni_t ni_handle);
/* Whether two handles mean the same object. */
bool PtlHandleIsEqual(ptl_handle_any_t handle1, ptl_handle_any_t handle2);

/* The user of the process. */
int PtlGetUid(ptl_handle_ni_t ni_handle, ptl_uid_t* uid);
/* The process: its rank on a logical interface, nid and pid on a physical one. */
int PtlGetId(ptl_handle_ni_t ni_handle, ptl_process_t* id);
/* The process's nid and pid, whatever the interface. */
int PtlGetPhysId(ptl_handle_ni_t ni_handle, ptl_process_t* id);

/* Portal table --------------------------------------------------------------------------------- */

/* Takes a portal table entry. PTL_PT_FULL, PTL_PT_IN_USE, PTL_PT_EQ_NEEDED. */
int PtlPTAlloc(ptl_handle_ni_t ni_handle, unsigned int options, ptl_handle_eq_t eq_handle,
               ptl_pt_index_t pt_index_req, ptl_pt_index_t* pt_index);
/* Gives a portal table entry back. PTL_IN_USE while entries are attached. */
int PtlPTFree(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);
/* Refuses messages from now on; returns when those under way to memory are done. */
int PtlPTDisable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);
/* Accepts messages again, also after flow control has disabled the entry. */
int PtlPTEnable(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index);

/* Memory descriptors and list entries ---------------------------------------------------------- */

/* Describes memory for the initiator's side of operations. PTL_NO_SPACE. */
int PtlMDBind(ptl_handle_ni_t ni_handle, const ptl_md_t* md, ptl_handle_md_t* md_handle);
/* Ends a memory descriptor. PTL_IN_USE while operations use it. */
int PtlMDRelease(ptl_handle_md_t md_handle);
/* Appends to a list of a non-matching interface. PTL_NO_SPACE, PTL_LIST_TOO_LONG. */
int PtlLEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_le_t* le,
                ptl_list_t ptl_list, void* user_ptr, ptl_handle_le_t* le_handle);
/* Takes an entry out of its list. PTL_IN_USE while an operation or an unexpected header uses it. */
int PtlLEUnlink(ptl_handle_le_t le_handle);
/* Looks for unexpected headers, and deletes what it finds if so asked; answers by events. */
int PtlLESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_le_t* le,
                ptl_search_op_t ptl_search_op, void* user_ptr);
/* As PtlLEAppend, on a matching interface. */
int PtlMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                ptl_list_t ptl_list, void* user_ptr, ptl_handle_me_t* me_handle);
/* As PtlLEUnlink, on a matching interface. */
int PtlMEUnlink(ptl_handle_me_t me_handle);
/* As PtlLESearch, on a matching interface. */
int PtlMESearch(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                ptl_search_op_t ptl_search_op, void* user_ptr);

/* Event queues --------------------------------------------------------------------------------- */

/* A queue with room for count events. PTL_NO_SPACE. */
int PtlEQAlloc(ptl_handle_ni_t ni_handle, ptl_size_t count, ptl_handle_eq_t* eq_handle);
/* Releases a queue, with the events in it. */
int PtlEQFree(ptl_handle_eq_t eq_handle);
/* The next event; PTL_EQ_EMPTY, PTL_EQ_DROPPED (an event, but some before it are lost). */
int PtlEQGet(ptl_handle_eq_t eq_handle, ptl_event_t* event);
/* Waits for the next event; PTL_EQ_DROPPED, PTL_INTERRUPTED, PTL_ABORTED. */
int PtlEQWait(ptl_handle_eq_t eq_handle, ptl_event_t* event);
/* Waits at most timeout ms for an event of any of the queues, and says of which. As PtlEQWait, and
 * PTL_EQ_EMPTY. */
int PtlEQPoll(const ptl_handle_eq_t* eq_handles, unsigned int size, ptl_time_t timeout,
              ptl_event_t* event, unsigned int* which);

/* Counting events ------------------------------------------------------------------------------ */

/* A counter at zero. PTL_NO_SPACE. */
int PtlCTAlloc(ptl_handle_ni_t ni_handle, ptl_handle_ct_t* ct_handle);
/* Releases a counter, and cancels the operations that it would trigger. */
int PtlCTFree(ptl_handle_ct_t ct_handle);
/* Cancels the operations that wait for the counter. */
int PtlCTCancelTriggered(ptl_handle_ct_t ct_handle);
/* The counter's value. */
int PtlCTGet(ptl_handle_ct_t ct_handle, ptl_ct_event_t* event);
/* Waits until success reaches test, or there is a failure; PTL_INTERRUPTED, PTL_ABORTED. */
int PtlCTWait(ptl_handle_ct_t ct_handle, ptl_size_t test, ptl_ct_event_t* event);
/* Waits at most timeout ms until one of the counters reaches its test, or has a failure, and says
 * which. As PtlCTWait, and PTL_CT_NONE_REACHED. */
int PtlCTPoll(const ptl_handle_ct_t* ct_handles, const ptl_size_t* tests, unsigned int size,
              ptl_time_t timeout, ptl_ct_event_t* event, unsigned int* which);
/* Sets the counter. */
int PtlCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct);
/* Adds to the counter; one part of the increment must be zero. */
int PtlCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment);

/* Operations ----------------------------------------------------------------------------------- */

/* Writes to the target. */
int PtlPut(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
           ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
           ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
           ptl_hdr_data_t hdr_data);
/* Reads from the target. */
int PtlGet(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
           ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
           ptl_size_t remote_offset, void* user_ptr);
/* Combines with what is at the target: target = target op source. Not for PTL_SWAP and its kin. */
int PtlAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
              ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
              ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
              ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype);
/* As PtlAtomic, and brings back what was at the target before. */
int PtlFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                   ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
                   ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                   ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
                   ptl_op_t operation, ptl_datatype_t datatype);
/* Exchanges with the target, if the operand and the target's value so decide (one element, but for
 * PTL_SWAP). The condition of PTL_CSWAP_xx is "operand xx target". */
int PtlSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
            ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
            ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data, const void* operand,
            ptl_op_t operation, ptl_datatype_t datatype);
/* Returns when the process may touch what atomic operations have changed. */
int PtlAtomicSync(void);

/* Triggered operations: happen when success + failure of trig_ct_handle reaches threshold, in the
 * order of their thresholds, and at once if it has. PTL_NO_SPACE. ---------------------------------
 */

int PtlTriggeredPut(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                    ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
                    ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                    ptl_hdr_data_t hdr_data, ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
int PtlTriggeredGet(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                    ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                    ptl_size_t remote_offset, void* user_ptr, ptl_handle_ct_t trig_ct_handle,
                    ptl_size_t threshold);
int PtlTriggeredAtomic(ptl_handle_md_t md_handle, ptl_size_t local_offset, ptl_size_t length,
                       ptl_ack_req_t ack_req, ptl_process_t target_id, ptl_pt_index_t pt_index,
                       ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                       ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
                       ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
int PtlTriggeredFetchAtomic(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                            ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset,
                            ptl_size_t length, ptl_process_t target_id, ptl_pt_index_t pt_index,
                            ptl_match_bits_t match_bits, ptl_size_t remote_offset, void* user_ptr,
                            ptl_hdr_data_t hdr_data, ptl_op_t operation, ptl_datatype_t datatype,
                            ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
/* The operand is copied when the call is made. */
int PtlTriggeredSwap(ptl_handle_md_t get_md_handle, ptl_size_t local_get_offset,
                     ptl_handle_md_t put_md_handle, ptl_size_t local_put_offset, ptl_size_t length,
                     ptl_process_t target_id, ptl_pt_index_t pt_index, ptl_match_bits_t match_bits,
                     ptl_size_t remote_offset, void* user_ptr, ptl_hdr_data_t hdr_data,
                     const void* operand, ptl_op_t operation, ptl_datatype_t datatype,
                     ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
int PtlTriggeredCTInc(ptl_handle_ct_t ct_handle, ptl_ct_event_t increment,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
int PtlTriggeredCTSet(ptl_handle_ct_t ct_handle, ptl_ct_event_t new_ct,
                      ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
/* From the reference implementation: the handle is valid at once, the entry is linked later. */
int PtlTriggeredMEAppend(ptl_handle_ni_t ni_handle, ptl_pt_index_t pt_index, const ptl_me_t* me,
                         ptl_list_t ptl_list, void* user_ptr, ptl_handle_me_t* me_handle,
                         ptl_handle_ct_t trig_ct_handle, ptl_size_t threshold);
/* From the reference implementation: an entry that is in use then stays linked. */
int PtlTriggeredMEUnlink(ptl_handle_me_t me_handle, ptl_handle_ct_t trig_ct_handle,
                         ptl_size_t threshold);

#ifdef __cplusplus
}
#endif

#endif
