// heddle.h for a process that is a rank.
#include <heddle.h>
#include <stdlib.h>

#include "connection.hpp"

using namespace heddle::preload;

namespace {

template <class... Arguments>
int ask(CallNumber call, const Arguments&... arguments) {
  return call_or(-1, call, arguments...);
}

Array<const char> bytes(const void* value, size_t size) {
  return {static_cast<const char*>(value), size};
}
Array<char> bytes(void* value, size_t size) {
  return {static_cast<char*>(value), size};
}

}  // namespace

extern "C" {

int heddle_rank(void) {
  return ask(CallNumber::heddle_rank);
}
int heddle_size(void) {
  return ask(CallNumber::heddle_size);
}
int heddle_node(void) {
  return ask(CallNumber::heddle_node);
}
int heddle_local_rank(void) {
  return ask(CallNumber::heddle_local_rank);
}
int heddle_local_size(void) {
  return ask(CallNumber::heddle_local_size);
}
int heddle_local_peer(int n) {
  return ask(CallNumber::heddle_local_peer, n);
}
uint32_t heddle_nid(int rank) {
  return call_or(UINT32_MAX, CallNumber::heddle_nid, rank);
}
uint32_t heddle_pid(int rank) {
  return call_or(UINT32_MAX, CallNumber::heddle_pid, rank);
}
void heddle_barrier(void) {
  ask(CallNumber::heddle_barrier);
}
int heddle_put(const char* key, const void* value, size_t size) {
  return ask(CallNumber::heddle_put, text(key), bytes(value, size), size);
}
void heddle_fence(void) {
  ask(CallNumber::heddle_fence);
}
int heddle_show(const char* key, const void* value, size_t size) {
  return ask(CallNumber::heddle_show, text(key), bytes(value, size), size);
}
long heddle_get(int rank, const char* key, void* value, size_t size) {
  return call_or(-1L, CallNumber::get, rank, text(key), bytes(value, size), size);
}
long heddle_find(const char* key, void* value, size_t size) {
  return call_or(-1L, CallNumber::find, text(key), bytes(value, size), size);
}
double heddle_time(void) {
  return call_or(0.0, CallNumber::heddle_time);
}
uint64_t heddle_time_ps(void) {
  return call_or(uint64_t{0}, CallNumber::heddle_time_ps);
}
void heddle_compute(double seconds) {
  ask(CallNumber::heddle_compute, seconds);
}
void heddle_compute_flops(double operations) {
  ask(CallNumber::heddle_compute_flops, operations);
}
void heddle_abort(int status) {
  ask(CallNumber::heddle_abort, status);
}
void heddle_use_service_network(int yes) {
  ask(CallNumber::heddle_use_service_network, yes);
}

// What saves work inside the simulator has no use here: everything is run, and memory is memory.

int heddle_sample_begin(const char*, int, int, double, int) {
  return 1;
}
void heddle_sample_end(const char*, int) {}
void* heddle_folded_alloc(size_t size) {
  return calloc(1, size);
}
void* heddle_folded_alloc_partly(size_t size, const size_t*, int) {
  return calloc(1, size);
}
int heddle_folded_free(void* memory) {
  free(memory);
  return 1;
}
int heddle_fidelity(const char*) {
  return -1;
}
}
