// What the PEs of a team or of an active set do together.
#include <fmt/core.h>

#include "shmem/api/calls.hpp"
#include "shmem/collectives.hpp"

namespace heddle::shmem::api {
namespace {

Membership& active_set(const Call& call, int start, int log_stride, int size) {
  const auto pes = static_cast<std::int64_t>(call.world().size());
  const bool fits = start >= 0 && log_stride >= 0 && log_stride < 31 && size >= 1 &&
                    start + ((std::int64_t{size} - 1) << log_stride) < pes;
  if (!fits) {
    call.refuse(fmt::format("there is no active set ({}, {}, {}) among {} PEs", start, log_stride,
                            size, pes));
  }
  Membership& member =
      call.pe().membership(call.world().teams().active_set(start, log_stride, size));
  if (member.number < 0) call.refuse("the PE does not belong to " + member.team->label());
  return member;
}

/// Data that must be symmetric, where each of so many PEs has a part.
Movement movement(const Call& call, void* dest, std::size_t to, const void* source,
                  std::size_t from, std::size_t bytes) {
  call.check_symmetric(dest, bytes_of(to, bytes), "dest");
  call.check_symmetric(source, bytes_of(from, bytes), "source");
  return {dest, source, bytes};
}

std::size_t size_of(const Membership& member) {
  return static_cast<std::size_t>(member.team->members.size());
}

Reduction reduction(const Call& call, coll::Operation operation, Type type, void* dest,
                    const void* source, std::size_t count) {
  movement(call, dest, 1, source, 1, bytes_of(count, type.size));
  return {operation, type, dest, source, count};
}

int reduce_team(const Site& site, coll::Operation operation, Type type, shmem_team_t team,
                void* dest, const void* source, std::size_t count) {
  const Call call(site);
  shmem::reduce(call, call.team(team), reduction(call, operation, type, dest, source, count));
  return 0;
}

/// From the first byte of so many elements to the last one's last.
std::size_t reach(std::size_t elements, std::ptrdiff_t stride, std::size_t size) {
  if (elements == 0) return 0;
  const std::size_t between = bytes_of(elements - 1, static_cast<std::size_t>(stride));
  return between == SIZE_MAX ? SIZE_MAX : bytes_of(between + 1, size);
}

/// What a strided exchange takes from here and puts here.
void check_strides(const Call& call, void* dest, std::ptrdiff_t dst, const void* source,
                   std::ptrdiff_t sst, std::size_t elements, std::size_t size) {
  if (dst < 1 || sst < 1) {
    call.refuse(fmt::format("strides are at least 1: dst is {}, sst is {}", dst, sst));
  }
  call.check_symmetric(dest, reach(elements, dst, size), "dest");
  call.check_symmetric(source, reach(elements, sst, size), "source");
}

}  // namespace

void barrier_all(const Site& site) {
  const Call call(site);
  call.engine().quiet(call.pe(), call.context());
  meet(call, call.pe().teams.front());
}
void sync_all(const Site& site) {
  const Call call(site);
  meet(call, call.pe().teams.front());
}
int team_sync(const Site& site, shmem_team_t team) {
  const Call call(site);
  if (team == SHMEM_TEAM_INVALID) return -1;
  meet(call, call.team(team));
  return 0;
}

int broadcast(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
              std::size_t nelems, int pe_root) {
  const Call call(site);
  shmem::broadcast(call, call.team(team),
                   movement(call, dest, 1, source, 1, bytes_of(nelems, type.size)), pe_root, true);
  return 0;
}
int collect(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
            std::size_t nelems) {
  const Call call(site);
  shmem::collect(call, call.team(team),
                 movement(call, dest, 1, source, 1, bytes_of(nelems, type.size)));
  return 0;
}
int fcollect(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
             std::size_t nelems) {
  const Call call(site);
  Membership& member = call.team(team);
  shmem::fcollect(call, member,
                  movement(call, dest, size_of(member), source, 1, bytes_of(nelems, type.size)));
  return 0;
}
int alltoall(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
             std::size_t nelems) {
  const Call call(site);
  Membership& member = call.team(team);
  shmem::alltoall(
      call, member,
      movement(call, dest, size_of(member), source, size_of(member), bytes_of(nelems, type.size)));
  return 0;
}
int alltoalls(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
              std::ptrdiff_t dst, std::ptrdiff_t sst, std::size_t nelems) {
  const Call call(site);
  Membership& member = call.team(team);
  check_strides(call, dest, dst, source, sst, bytes_of(nelems, size_of(member)), type.size);
  shmem::alltoalls(
      call, member,
      movement(call, dest, size_of(member), source, size_of(member), bytes_of(nelems, type.size)),
      dst, sst, type.size);
  return 0;
}

int sum_inscan(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
               std::size_t nreduce) {
  const Call call(site);
  shmem::scan(call, call.team(team),
              reduction(call, coll::Operation::sum, type, dest, source, nreduce), false);
  return 0;
}
int sum_exscan(const Site& site, Type type, shmem_team_t team, void* dest, const void* source,
               std::size_t nreduce) {
  const Call call(site);
  shmem::scan(call, call.team(team),
              reduction(call, coll::Operation::sum, type, dest, source, nreduce), true);
  return 0;
}

// Reductions, of teams and of active sets.
#define HEDDLE_SHMEM_REDUCTION(NAME, OPERATION)                                                \
  int NAME##_reduce(const Site& site, Type type, shmem_team_t team, void* dest,                \
                    const void* source, std::size_t nreduce) {                                 \
    return reduce_team(site, coll::Operation::OPERATION, type, team, dest, source, nreduce);   \
  }                                                                                            \
  void NAME##_to_all(const Site& site, Type type, void* dest, const void* source, int nreduce, \
                     int PE_start, int logPE_stride, int PE_size, void* /*pWrk*/,              \
                     long* /*pSync*/) {                                                        \
    const Call call(site);                                                                     \
    if (nreduce < 0) call.refuse("nreduce is negative");                                       \
    shmem::reduce(call, active_set(call, PE_start, logPE_stride, PE_size),                     \
                  reduction(call, coll::Operation::OPERATION, type, dest, source,              \
                            static_cast<std::size_t>(nreduce)));                               \
  }
HEDDLE_SHMEM_REDUCTION(and, band)
HEDDLE_SHMEM_REDUCTION(or, bor)
HEDDLE_SHMEM_REDUCTION(xor, bxor)
HEDDLE_SHMEM_REDUCTION(max, max)
HEDDLE_SHMEM_REDUCTION(min, min)
HEDDLE_SHMEM_REDUCTION(sum, sum)
HEDDLE_SHMEM_REDUCTION(prod, prod)
#undef HEDDLE_SHMEM_REDUCTION

// Active sets.

void set_barrier(const Site& site, int PE_start, int logPE_stride, int PE_size, long* /*pSync*/) {
  const Call call(site);
  call.engine().quiet(call.pe(), call.context());
  meet(call, active_set(call, PE_start, logPE_stride, PE_size));
}
void set_sync(const Site& site, int PE_start, int logPE_stride, int PE_size, long* /*pSync*/) {
  const Call call(site);
  meet(call, active_set(call, PE_start, logPE_stride, PE_size));
}
void set_broadcast(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
                   int PE_root, int PE_start, int logPE_stride, int PE_size, long* /*pSync*/) {
  const Call call(site);
  shmem::broadcast(call, active_set(call, PE_start, logPE_stride, PE_size),
                   movement(call, dest, 1, source, 1, bytes_of(nelems, type.size)), PE_root, false);
}
void set_collect(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
                 int PE_start, int logPE_stride, int PE_size, long* /*pSync*/) {
  const Call call(site);
  shmem::collect(call, active_set(call, PE_start, logPE_stride, PE_size),
                 movement(call, dest, 1, source, 1, bytes_of(nelems, type.size)));
}
void set_fcollect(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
                  int PE_start, int logPE_stride, int PE_size, long* /*pSync*/) {
  const Call call(site);
  Membership& member = active_set(call, PE_start, logPE_stride, PE_size);
  shmem::fcollect(call, member,
                  movement(call, dest, size_of(member), source, 1, bytes_of(nelems, type.size)));
}
void set_alltoall(const Site& site, Type type, void* dest, const void* source, std::size_t nelems,
                  int PE_start, int logPE_stride, int PE_size, long* /*pSync*/) {
  const Call call(site);
  Membership& member = active_set(call, PE_start, logPE_stride, PE_size);
  shmem::alltoall(
      call, member,
      movement(call, dest, size_of(member), source, size_of(member), bytes_of(nelems, type.size)));
}
void set_alltoalls(const Site& site, Type type, void* dest, const void* source, std::ptrdiff_t dst,
                   std::ptrdiff_t sst, std::size_t nelems, int PE_start, int logPE_stride,
                   int PE_size, long* /*pSync*/) {
  const Call call(site);
  Membership& member = active_set(call, PE_start, logPE_stride, PE_size);
  check_strides(call, dest, dst, source, sst, bytes_of(nelems, size_of(member)), type.size);
  shmem::alltoalls(
      call, member,
      movement(call, dest, size_of(member), source, size_of(member), bytes_of(nelems, type.size)),
      dst, sst, type.size);
}

}  // namespace heddle::shmem::api
