// PMI-1 and PMI-2 over the job's launcher, for runtimes that start with them.
#include "pmi.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>

#include "host/libc/calls/rank_call.hpp"
#include "pmi2.h"

namespace heddle::host {
namespace {

constexpr const char* kJob = "heddle";
constexpr int kNameLength = 64;
constexpr int kKeyLength = 256;
constexpr int kValueLength = 4096;

/// Beginning and end, as programs may ask for them; kept with the rank's environment of the C
/// library, since it is the process that begins and ends.
bool& begun(Rank& rank) {
  return process_of(rank)->pmi_begun;
}

LaunchService& launcher() {
  return current_rank()->job().launcher();
}

std::span<const RankId> node_ranks() {
  return current_rank()->job().ranks_on(current_rank()->node());
}

/// Values under keys that are not the program's own have a space of their own.
std::string service_key(const char* name) {
  return std::string("\1service ") + name;
}
std::string node_key(const char* name) {
  return fmt::format("\1node {} {}", index(current_rank()->node()), name);
}

void put_now(std::string key, const char* value) {
  launcher().put(current_rank()->id(), std::move(key), value);
  launcher().show(current_rank()->id());
  for (const RankId peer : node_ranks()) current_rank()->job().rank(peer).threads().ring();
}

/// Copies a text with its end; false if it does not fit.
bool copy_text(std::string_view text, char* to, int length) {
  if (to == nullptr || length <= 0 || text.size() >= static_cast<std::size_t>(length)) return false;
  std::memcpy(to, text.data(), text.size());
  to[text.size()] = '\0';
  return true;
}

/// The blocks of nodes that ranks are on, as PMI_process_mapping describes them: "(vector,
/// (first node, nodes, ranks on each) ...)".
std::string process_mapping(Job& job) {
  std::string text = "(vector";
  std::uint32_t rank = 0;
  while (rank < job.size()) {
    const auto node = [&](std::uint32_t r) { return index(job.rank(RankId{r}).node()); };
    const auto run = [&](std::uint32_t from) {
      std::uint32_t end = from;
      while (end < job.size() && node(end) == node(from)) ++end;
      return end - from;
    };
    const std::uint32_t each = run(rank);
    const std::size_t first = node(rank);
    std::uint32_t nodes = 0;
    while (rank < job.size() && node(rank) == first + nodes && run(rank) == each) {
      rank += each;
      ++nodes;
    }
    text += fmt::format(",({},{},{})", first, nodes, each);
  }
  return text + ")";
}

std::optional<std::string> job_attribute(const std::string& name) {
  Job& job = current_rank()->job();
  if (name == "PMI_process_mapping") return process_mapping(job);
  if (name == "universeSize") return std::to_string(job.size());
  if (name == "hasNameServ") return "1";
  return std::nullopt;
}

/// A call that answers a number.
int give(int* out, int value) {
  if (out == nullptr) return PMI_ERR_INVALID_ARG;
  *out = value;
  return PMI_SUCCESS;
}

int give_text(std::string_view text, char* out, int length) {
  return copy_text(text, out, length) ? PMI_SUCCESS : PMI_ERR_INVALID_LENGTH;
}

/// What both generations check of a key and its value.
int put_checked(const char* key, const char* value, int most_key, int most_value) {
  if (key == nullptr || *key == '\0') return PMI_ERR_INVALID_KEY;
  if (value == nullptr) return PMI_ERR_INVALID_VAL;
  if (std::strlen(key) >= static_cast<std::size_t>(most_key)) return PMI_ERR_INVALID_KEY_LENGTH;
  if (std::strlen(value) >= static_cast<std::size_t>(most_value)) {
    return PMI_ERR_INVALID_VAL_LENGTH;
  }
  launcher().put(current_rank()->id(), key, value);
  return PMI_SUCCESS;
}

/// Each of the numbers between commas in a text.
void parse_numbers(const std::string& text, int* array, int length, int* found) {
  int count = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    if (array != nullptr && count < length) array[count] = std::atoi(text.c_str() + at);
    ++count;
    at = end + 1;
  }
  if (found != nullptr) *found = count;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle;
using namespace heddle::host;

extern "C" {

int PMI_Init(int* spawned) {
  begun(*current_rank()) = true;
  return give(spawned, PMI_FALSE);
}

int PMI_Initialized(PMI_BOOL* initialized) {
  return give(initialized, begun(*current_rank()) ? PMI_TRUE : PMI_FALSE);
}

int PMI_Finalize() {
  begun(*current_rank()) = false;
  return PMI_SUCCESS;
}

int PMI_Abort(int exit_code, const char error_msg[]) {
  if (error_msg != nullptr) dprintf(STDERR_FILENO, "%s\n", error_msg);
  const Call call(*current_rank());
  current_rank()->ending().abort_job("PMI_Abort", exit_code);
}

int PMI_Get_size(int* size) {
  return give(size, static_cast<int>(current_rank()->job().size()));
}

int PMI_Get_rank(int* rank) {
  return give(rank, static_cast<int>(index(current_rank()->id())));
}

int PMI_Get_universe_size(int* size) {
  return PMI_Get_size(size);
}

int PMI_Get_appnum(int* appnum) {
  return give(appnum, 0);
}

int PMI_Get_id(char id_str[], int length) {
  return give_text(kJob, id_str, length);
}

int PMI_Get_kvs_domain_id(char id_str[], int length) {
  return give_text(kJob, id_str, length);
}

int PMI_Get_id_length_max(int* length) {
  return give(length, kNameLength);
}

int PMI_Get_clique_size(int* size) {
  return give(size, static_cast<int>(node_ranks().size()));
}

int PMI_Get_clique_ranks(int ranks[], int length) {
  const std::span<const RankId> peers = node_ranks();
  if (ranks == nullptr) return PMI_ERR_INVALID_ARG;
  if (length < static_cast<int>(peers.size())) return PMI_ERR_INVALID_SIZE;
  std::ranges::transform(peers, ranks, [](RankId peer) { return static_cast<int>(index(peer)); });
  return PMI_SUCCESS;
}

int PMI_Barrier() {
  const Call call(*current_rank());
  launcher().barrier(current_rank()->id(), "PMI_Barrier");
  return PMI_SUCCESS;
}

int PMI_KVS_Get_my_name(char kvsname[], int length) {
  return give_text(kJob, kvsname, length);
}

int PMI_KVS_Get_name_length_max(int* length) {
  return give(length, kNameLength);
}

int PMI_KVS_Get_key_length_max(int* length) {
  return give(length, kKeyLength);
}

int PMI_KVS_Get_value_length_max(int* length) {
  return give(length, kValueLength);
}

int PMI_KVS_Put(const char[], const char key[], const char value[]) {
  const Call call(*current_rank());
  return put_checked(key, value, kKeyLength, kValueLength);
}

int PMI_KVS_Commit(const char[]) {
  const Call call(*current_rank());
  launcher().show(current_rank()->id());
  return PMI_SUCCESS;
}

int PMI_KVS_Get(const char[], const char key[], char value[], int length) {
  const Call call(*current_rank());
  if (key == nullptr) return PMI_ERR_INVALID_KEY;
  if (const auto attribute = job_attribute(key)) return give_text(*attribute, value, length);
  const auto found = launcher().find(key);
  return found ? give_text(*found, value, length) : PMI_FAIL;
}

int PMI_Publish_name(const char service_name[], const char port[]) {
  if (service_name == nullptr || port == nullptr) return PMI_ERR_INVALID_ARG;
  const Call call(*current_rank());
  put_now(service_key(service_name), port);
  return PMI_SUCCESS;
}

int PMI_Unpublish_name(const char service_name[]) {
  if (service_name == nullptr) return PMI_ERR_INVALID_ARG;
  return launcher().remove(service_key(service_name)) ? PMI_SUCCESS : PMI_FAIL;
}

int PMI_Lookup_name(const char service_name[], char port[]) {
  if (service_name == nullptr) return PMI_ERR_INVALID_ARG;
  const auto found = launcher().find(service_key(service_name));
  return found ? give_text(*found, port, kValueLength) : PMI_FAIL;
}

int PMI_Spawn_multiple(int, const char*[], const char**[], const int[], const int[],
                       const PMI_keyval_t*[], int, const PMI_keyval_t[], int[]) {
  return PMI_FAIL;
}

int PMI2_Init(int* spawned, int* size, int* rank, int* appnum) {
  PMI_Get_size(size);
  PMI_Get_rank(rank);
  PMI_Get_appnum(appnum);
  return PMI_Init(spawned);
}

int PMI2_Initialized() {
  return begun(*current_rank()) ? 1 : 0;
}

int PMI2_Finalize() {
  return PMI_Finalize();
}

int PMI2_Abort(int, const char msg[]) {
  if (msg != nullptr) dprintf(STDERR_FILENO, "%s\n", msg);
  const Call call(*current_rank());
  current_rank()->ending().abort_job("PMI2_Abort", 1);
}

int PMI2_Job_GetId(char jobid[], int jobid_size) {
  return give_text(kJob, jobid, jobid_size);
}

int PMI2_Job_GetRank(int* rank) {
  return PMI_Get_rank(rank);
}

int PMI2_Info_GetSize(int* size) {
  return PMI_Get_clique_size(size);
}

int PMI2_KVS_Put(const char key[], const char value[]) {
  const Call call(*current_rank());
  return put_checked(key, value, PMI2_MAX_KEYLEN, PMI2_MAX_VALLEN);
}

int PMI2_KVS_Fence() {
  const Call call(*current_rank());
  launcher().show(current_rank()->id());
  launcher().barrier(current_rank()->id(), "PMI2_KVS_Fence");
  return PMI2_SUCCESS;
}

int PMI2_KVS_Get(const char*, int src_pmi_id, const char key[], char value[], int maxvalue,
                 int* vallen) {
  const Call call(*current_rank());
  if (key == nullptr) return PMI2_ERR_INVALID_KEY;
  std::optional<std::string_view> found;
  if (src_pmi_id >= 0) found = launcher().get(RankId{static_cast<std::uint32_t>(src_pmi_id)}, key);
  if (!found) found = launcher().find(key);
  if (!found) return PMI2_FAIL;
  const bool fits = copy_text(*found, value, maxvalue);
  const int length = static_cast<int>(found->size());
  if (vallen != nullptr) *vallen = fits ? length : -length;
  return fits ? PMI2_SUCCESS : PMI2_ERR_INVALID_VAL_LENGTH;
}

int PMI2_Info_PutNodeAttr(const char name[], const char value[]) {
  if (name == nullptr || value == nullptr) return PMI2_ERR_INVALID_ARG;
  const Call call(*current_rank());
  put_now(node_key(name), value);
  return PMI2_SUCCESS;
}

int PMI2_Info_GetNodeAttr(const char name[], char value[], int valuelen, int* found, int waitfor) {
  if (name == nullptr || found == nullptr) return PMI2_ERR_INVALID_ARG;
  const Call call(*current_rank());
  const std::string key = node_key(name);
  const auto reason = [&] { return fmt::format("waits in PMI2_Info_GetNodeAttr for {}", name); };
  while (waitfor != 0 && !launcher().find(key)) current_rank()->thread().waits().wait(reason);
  const auto text = launcher().find(key);
  *found = text ? 1 : 0;
  return text ? give_text(*text, value, valuelen) : PMI2_SUCCESS;
}

int PMI2_Info_GetNodeAttrIntArray(const char name[], int array[], int arraylen, int* outlen,
                                  int* found) {
  if (name == nullptr || found == nullptr) return PMI2_ERR_INVALID_ARG;
  const auto text = launcher().find(node_key(name));
  *found = text ? 1 : 0;
  if (text) parse_numbers(std::string(*text), array, arraylen, outlen);
  return PMI2_SUCCESS;
}

int PMI2_Info_GetJobAttr(const char name[], char value[], int valuelen, int* found) {
  if (name == nullptr || found == nullptr) return PMI2_ERR_INVALID_ARG;
  const auto text = job_attribute(name);
  *found = text ? 1 : 0;
  return text ? give_text(*text, value, valuelen) : PMI2_SUCCESS;
}

int PMI2_Info_GetJobAttrIntArray(const char name[], int array[], int arraylen, int* outlen,
                                 int* found) {
  if (name == nullptr || found == nullptr) return PMI2_ERR_INVALID_ARG;
  const auto text = job_attribute(name);
  *found = text && name != std::string("PMI_process_mapping") ? 1 : 0;
  if (*found != 0) parse_numbers(*text, array, arraylen, outlen);
  return PMI2_SUCCESS;
}

int PMI2_Nameserv_publish(const char service_name[], const PMI2_keyval_t*, const char port[]) {
  return PMI_Publish_name(service_name, port);
}

int PMI2_Nameserv_lookup(const char service_name[], const PMI2_keyval_t*, char port[],
                         int portLen) {
  if (service_name == nullptr) return PMI2_ERR_INVALID_ARG;
  const auto found = launcher().find(service_key(service_name));
  return found ? give_text(*found, port, portLen) : PMI2_FAIL;
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
