// Atomic operations.
#include <cstring>

#include "shmem/access.hpp"
#include "shmem/api/calls.hpp"

namespace heddle::shmem::api {
namespace {

/// The bytes of a value, as atomic operations carry them.
std::uint64_t bits(Type type, const void* value) {
  std::uint64_t word = 0;
  std::memcpy(&word, value, type.size);
  return word;
}

void fetch_to(void* result, const Site& site, const void* dest, const Update& update, int pe) {
  const std::uint64_t word = shmem::fetch(Call(site), dest, update, pe);
  std::memcpy(result, &word, update.type.size);
}

Update with(Atomic atomic, Type type, const void* value) {
  return {atomic, type, bits(type, value)};
}

Update one_more(Type type) {
  return {Atomic::add, type, 1};
}

}  // namespace

void atomic_fetch(const Site& site, Type type, void* result, const void* source, int pe) {
  fetch_to(result, site, source, {Atomic::fetch, type}, pe);
}
void atomic_set(const Site& site, Type type, void* dest, const void* value, int pe) {
  update(Call(site), dest, with(Atomic::set, type, value), pe);
}
void atomic_swap(const Site& site, Type type, void* result, void* dest, const void* value, int pe) {
  fetch_to(result, site, dest, with(Atomic::set, type, value), pe);
}
void atomic_compare_swap(const Site& site, Type type, void* result, void* dest, const void* cond,
                         const void* value, int pe) {
  fetch_to(result, site, dest, {Atomic::compare_swap, type, bits(type, value), bits(type, cond)},
           pe);
}
void atomic_fetch_inc(const Site& site, Type type, void* result, void* dest, int pe) {
  fetch_to(result, site, dest, one_more(type), pe);
}
void atomic_inc(const Site& site, Type type, void* dest, int pe) {
  update(Call(site), dest, one_more(type), pe);
}

void atomic_fetch_nbi(const Site& site, Type type, void* fetch, const void* source, int pe) {
  fetch_later(Call(site), fetch, source, {Atomic::fetch, type}, pe);
}
void atomic_swap_nbi(const Site& site, Type type, void* fetch, void* dest, const void* value,
                     int pe) {
  fetch_later(Call(site), fetch, dest, with(Atomic::set, type, value), pe);
}
void atomic_compare_swap_nbi(const Site& site, Type type, void* fetch, void* dest, const void* cond,
                             const void* value, int pe) {
  fetch_later(Call(site), fetch, dest,
              {Atomic::compare_swap, type, bits(type, value), bits(type, cond)}, pe);
}
void atomic_fetch_inc_nbi(const Site& site, Type type, void* fetch, void* dest, int pe) {
  fetch_later(Call(site), fetch, dest, one_more(type), pe);
}

// Those that combine a value with what is there, in their three forms.
#define HEDDLE_SHMEM_COMBINE(NAME, ATOMIC)                                                 \
  void atomic_##NAME(const Site& site, Type type, void* dest, const void* value, int pe) { \
    update(Call(site), dest, with(ATOMIC, type, value), pe);                               \
  }                                                                                        \
  void atomic_fetch_##NAME(const Site& site, Type type, void* result, void* dest,          \
                           const void* value, int pe) {                                    \
    fetch_to(result, site, dest, with(ATOMIC, type, value), pe);                           \
  }                                                                                        \
  void atomic_fetch_##NAME##_nbi(const Site& site, Type type, void* fetch, void* dest,     \
                                 const void* value, int pe) {                              \
    fetch_later(Call(site), fetch, dest, with(ATOMIC, type, value), pe);                   \
  }
HEDDLE_SHMEM_COMBINE(add, Atomic::add)
HEDDLE_SHMEM_COMBINE(and, Atomic::bit_and)
HEDDLE_SHMEM_COMBINE(or, Atomic::bit_or)
HEDDLE_SHMEM_COMBINE(xor, Atomic::bit_xor)
#undef HEDDLE_SHMEM_COMBINE

}  // namespace heddle::shmem::api
