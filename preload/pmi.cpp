// PMI-1 and PMI-2 for a process that is a rank: how runtimes find each other.
#include <pmi.h>
#include <pmi2.h>

#include <cstring>

#include "connection.hpp"

namespace heddle::preload {
namespace {

bool begun = false;

/// Characters that a call may fill.
Array<char> filled(char* characters, int length) {
  return {characters, length < 0 ? 0 : static_cast<std::size_t>(length)};
}
Array<int> filled(int* numbers, int length) {
  return {numbers, length < 0 ? 0 : static_cast<std::size_t>(length)};
}

template <class... Arguments>
int ask(CallNumber call, const Arguments&... arguments) {
  return call_or(int{PMI_FAIL}, call, arguments...);
}

/// Longest port of a name that was published.
constexpr int kPortLength = 4096;

/// The port of a name, if it has at most `length` characters with its end. What the program gives
/// for it may be much shorter than the longest port.
int look_up(const char* service_name, char* port, int length) {
  char found[kPortLength] = "";
  const int status =
      ask(CallNumber::PMI_Lookup_name, text(service_name), filled(found, kPortLength));
  if (status != PMI_SUCCESS) return status;
  const std::size_t size = std::strlen(found) + 1;
  if (port == nullptr || length < 0 || size > static_cast<std::size_t>(length)) {
    return PMI_ERR_INVALID_LENGTH;
  }
  std::memcpy(port, found, size);
  return PMI_SUCCESS;
}

}  // namespace
}  // namespace heddle::preload

using namespace heddle::preload;

extern "C" {

int PMI_Init(int* spawned) {
  if (!simulated_or_joined()) return PMI_FAIL;
  begun = true;
  if (spawned != nullptr) *spawned = PMI_FALSE;
  return PMI_SUCCESS;
}

int PMI_Initialized(PMI_BOOL* initialized) {
  if (initialized == nullptr) return PMI_ERR_INVALID_ARG;
  *initialized = begun ? PMI_TRUE : PMI_FALSE;
  return PMI_SUCCESS;
}

int PMI_Finalize(void) {
  begun = false;
  return PMI_SUCCESS;
}

int PMI_Abort(int exit_code, const char error_msg[]) {
  return ask(CallNumber::PMI_Abort, exit_code, text(error_msg));
}
int PMI_Get_size(int* size) {
  return ask(CallNumber::PMI_Get_size, one(size));
}
int PMI_Get_rank(int* rank) {
  return ask(CallNumber::PMI_Get_rank, one(rank));
}
int PMI_Get_universe_size(int* size) {
  return ask(CallNumber::PMI_Get_universe_size, one(size));
}
int PMI_Get_appnum(int* appnum) {
  return ask(CallNumber::PMI_Get_appnum, one(appnum));
}
int PMI_Get_id(char id_str[], int length) {
  return ask(CallNumber::PMI_Get_id, filled(id_str, length), length);
}
int PMI_Get_kvs_domain_id(char id_str[], int length) {
  return ask(CallNumber::PMI_Get_kvs_domain_id, filled(id_str, length), length);
}
int PMI_Get_id_length_max(int* length) {
  return ask(CallNumber::PMI_Get_id_length_max, one(length));
}
int PMI_Get_clique_size(int* size) {
  return ask(CallNumber::PMI_Get_clique_size, one(size));
}
int PMI_Get_clique_ranks(int ranks[], int length) {
  return ask(CallNumber::PMI_Get_clique_ranks, filled(ranks, length), length);
}
int PMI_Barrier(void) {
  return ask(CallNumber::PMI_Barrier);
}
int PMI_KVS_Get_my_name(char kvsname[], int length) {
  return ask(CallNumber::PMI_KVS_Get_my_name, filled(kvsname, length), length);
}
int PMI_KVS_Get_name_length_max(int* length) {
  return ask(CallNumber::PMI_KVS_Get_name_length_max, one(length));
}
int PMI_KVS_Get_key_length_max(int* length) {
  return ask(CallNumber::PMI_KVS_Get_key_length_max, one(length));
}
int PMI_KVS_Get_value_length_max(int* length) {
  return ask(CallNumber::PMI_KVS_Get_value_length_max, one(length));
}
int PMI_KVS_Put(const char kvsname[], const char key[], const char value[]) {
  return ask(CallNumber::PMI_KVS_Put, text(kvsname), text(key), text(value));
}
int PMI_KVS_Commit(const char kvsname[]) {
  return ask(CallNumber::PMI_KVS_Commit, text(kvsname));
}
int PMI_KVS_Get(const char kvsname[], const char key[], char value[], int length) {
  return ask(CallNumber::PMI_KVS_Get, text(kvsname), text(key), filled(value, length), length);
}
int PMI_Publish_name(const char service_name[], const char port[]) {
  return ask(CallNumber::PMI_Publish_name, text(service_name), text(port));
}
int PMI_Unpublish_name(const char service_name[]) {
  return ask(CallNumber::PMI_Unpublish_name, text(service_name));
}
int PMI_Lookup_name(const char service_name[], char port[]) {
  return look_up(service_name, port, kPortLength);
}
int PMI_Spawn_multiple(int, const char*[], const char**[], const int[], const int[],
                       const PMI_keyval_t*[], int, const PMI_keyval_t[], int[]) {
  return PMI_FAIL;
}

int PMI2_Init(int* spawned, int* size, int* rank, int* appnum) {
  if (PMI_Init(spawned) != PMI_SUCCESS) return PMI2_FAIL;
  PMI_Get_size(size);
  PMI_Get_rank(rank);
  return PMI_Get_appnum(appnum);
}
int PMI2_Initialized(void) {
  return begun ? 1 : 0;
}
int PMI2_Finalize(void) {
  return PMI_Finalize();
}
int PMI2_Abort(int flag, const char msg[]) {
  return ask(CallNumber::PMI2_Abort, flag, text(msg));
}
int PMI2_Job_GetId(char jobid[], int jobid_size) {
  return ask(CallNumber::PMI2_Job_GetId, filled(jobid, jobid_size), jobid_size);
}
int PMI2_Job_GetRank(int* rank) {
  return PMI_Get_rank(rank);
}
int PMI2_Info_GetSize(int* size) {
  return ask(CallNumber::PMI2_Info_GetSize, one(size));
}
int PMI2_KVS_Put(const char key[], const char value[]) {
  return ask(CallNumber::PMI2_KVS_Put, text(key), text(value));
}
int PMI2_KVS_Fence(void) {
  return ask(CallNumber::PMI2_KVS_Fence);
}
int PMI2_KVS_Get(const char* jobid, int src_pmi_id, const char key[], char value[], int maxvalue,
                 int* vallen) {
  return ask(CallNumber::PMI2_KVS_Get, text(jobid), src_pmi_id, text(key), filled(value, maxvalue),
             maxvalue, one(vallen));
}
int PMI2_Info_PutNodeAttr(const char name[], const char value[]) {
  return ask(CallNumber::PMI2_Info_PutNodeAttr, text(name), text(value));
}
int PMI2_Info_GetNodeAttr(const char name[], char value[], int valuelen, int* found, int waitfor) {
  return ask(CallNumber::PMI2_Info_GetNodeAttr, text(name), filled(value, valuelen), valuelen,
             one(found), waitfor);
}
int PMI2_Info_GetNodeAttrIntArray(const char name[], int array[], int arraylen, int* outlen,
                                  int* found) {
  return ask(CallNumber::PMI2_Info_GetNodeAttrIntArray, text(name), filled(array, arraylen),
             arraylen, one(outlen), one(found));
}
int PMI2_Info_GetJobAttr(const char name[], char value[], int valuelen, int* found) {
  return ask(CallNumber::PMI2_Info_GetJobAttr, text(name), filled(value, valuelen), valuelen,
             one(found));
}
int PMI2_Info_GetJobAttrIntArray(const char name[], int array[], int arraylen, int* outlen,
                                 int* found) {
  return ask(CallNumber::PMI2_Info_GetJobAttrIntArray, text(name), filled(array, arraylen),
             arraylen, one(outlen), one(found));
}
int PMI2_Nameserv_publish(const char service_name[], const PMI2_keyval_t*, const char port[]) {
  return PMI_Publish_name(service_name, port);
}
int PMI2_Nameserv_lookup(const char service_name[], const PMI2_keyval_t*, char port[],
                         int portLen) {
  return look_up(service_name, port, portLen);
}
int PMI2_Nameserv_unpublish(const char service_name[], const PMI2_keyval_t*) {
  return PMI_Unpublish_name(service_name);
}
int PMI2_Job_Spawn(int, const char*[], int[], const char**[], const int[], const int[],
                   const PMI2_keyval_t*[], int, const PMI2_keyval_t*[], char[], int, int[]) {
  return PMI2_FAIL;
}
int PMI2_Job_Connect(const char[], PMI2_Connect_comm_t*) {
  return PMI2_FAIL;
}
int PMI2_Job_Disconnect(const char[]) {
  return PMI2_FAIL;
}
}
