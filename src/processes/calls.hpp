// The calls that a process can make, by name: those of the public headers whose arguments need no
// help, and some of our own (served_calls.cpp), in `served`.
#pragma once

#include <cstdint>

// clang-format off
#define HEDDLE_PUBLIC_CALLS(X) \
  X(PtlInit) X(PtlFini) X(PtlAbort) X(PtlNIInit) X(PtlNIFini) X(PtlNIStatus) X(PtlNIHandle) \
  X(PtlSetMap) X(PtlGetMap) X(PtlStartBundle) X(PtlEndBundle) X(PtlGetUid) X(PtlGetId) \
  X(PtlGetPhysId) X(PtlPTAlloc) X(PtlPTFree) X(PtlPTDisable) X(PtlPTEnable) X(PtlMDRelease) \
  X(PtlLEUnlink) X(PtlMEUnlink) X(PtlEQAlloc) X(PtlEQFree) X(PtlEQGet) X(PtlEQWait) X(PtlEQPoll) \
  X(PtlCTAlloc) X(PtlCTFree) X(PtlCTCancelTriggered) X(PtlCTGet) X(PtlCTWait) X(PtlCTPoll) \
  X(PtlCTSet) X(PtlCTInc) X(PtlPut) X(PtlGet) X(PtlAtomic) X(PtlFetchAtomic) X(PtlSwap) \
  X(PtlAtomicSync) X(PtlTriggeredPut) X(PtlTriggeredGet) X(PtlTriggeredAtomic) \
  X(PtlTriggeredFetchAtomic) X(PtlTriggeredSwap) X(PtlTriggeredCTInc) X(PtlTriggeredCTSet) \
  X(PtlTriggeredMEUnlink) X(PMI_Abort) X(PMI_Get_size) X(PMI_Get_rank) X(PMI_Get_universe_size) \
  X(PMI_Get_appnum) X(PMI_Get_id) X(PMI_Get_kvs_domain_id) X(PMI_Get_id_length_max) \
  X(PMI_Get_clique_size) X(PMI_Get_clique_ranks) X(PMI_Barrier) X(PMI_KVS_Get_my_name) \
  X(PMI_KVS_Get_name_length_max) X(PMI_KVS_Get_key_length_max) X(PMI_KVS_Get_value_length_max) \
  X(PMI_KVS_Put) X(PMI_KVS_Commit) X(PMI_KVS_Get) X(PMI_Publish_name) X(PMI_Unpublish_name) \
  X(PMI_Lookup_name) X(PMI2_Abort) X(PMI2_Job_GetId) X(PMI2_Info_GetSize) X(PMI2_KVS_Put) \
  X(PMI2_KVS_Fence) X(PMI2_KVS_Get) X(PMI2_Info_PutNodeAttr) X(PMI2_Info_GetNodeAttr) \
  X(PMI2_Info_GetNodeAttrIntArray) X(PMI2_Info_GetJobAttr) X(PMI2_Info_GetJobAttrIntArray) \
  X(heddle_rank) X(heddle_size) X(heddle_node) X(heddle_local_rank) X(heddle_local_size) \
  X(heddle_local_peer) X(heddle_nid) X(heddle_pid) X(heddle_barrier) X(heddle_put) \
  X(heddle_fence) X(heddle_show) X(heddle_time) X(heddle_time_ps) X(heddle_compute) \
  X(heddle_compute_flops) X(heddle_abort) X(heddle_use_service_network)

#define HEDDLE_OWN_CALLS(X) \
  X(begin) X(end_thread) X(md_bind) X(le_append) X(me_append) X(le_search) X(me_search) \
  X(triggered_me_append) X(get) X(find) X(look_at_clock) X(processor_ns) X(sleep) X(yield) \
  X(wait_for_others) X(spin) X(new_timer) X(set_timer) X(await_timer) X(end_timer) \
  X(wait_for_signal)
// clang-format on

namespace heddle::processes {

/// What a slot's `call` says.
enum class CallNumber : std::uint32_t {
#define HEDDLE_ENTRY(name) name,
  HEDDLE_PUBLIC_CALLS(HEDDLE_ENTRY) HEDDLE_OWN_CALLS(HEDDLE_ENTRY)
#undef HEDDLE_ENTRY
      count
};

}  // namespace heddle::processes
