// The symmetric heap.
#include <fmt/core.h>

#include <bit>
#include <cstring>

#include "shmem/api/calls.hpp"
#include "shmem/collectives.hpp"

namespace heddle::shmem::api {
namespace {

using Step = SharedHeap::Step;

/// What the PE does with the heap next, as all others do.
SharedHeap::Result step(const Call& call, const Step& step) {
  std::optional<SharedHeap::Difference> difference;
  SharedHeap& heap = call.world().memory().heap();
  const auto result = heap.next(static_cast<std::uint32_t>(call.pe().number()), step, difference);
  if (difference) {
    call.refuse(fmt::format(
        "symmetric allocations differ: as its operation number {} on the heap PE {} {}, and this "
        "PE {}",
        difference->number, difference->pe, difference->step.text(), step.text()));
  }
  return result;
}

void meet_all(const Call& call) {
  call.engine().quiet(call.pe(), call.pe().contexts.front());
  meet(call, call.pe().teams.front());
}

void* address_of(const Call& call, std::optional<std::size_t> offset) {
  return offset ? call.world().memory().heap_of(call.pe().rank()) + *offset : nullptr;
}

/// Where in the heap a piece is that the program names.
std::size_t offset_of(const Call& call, const void* address) {
  SymmetricMemory& memory = call.world().memory();
  host::Rank& rank = call.pe().rank();
  if (!memory.in_heap(rank, address)) {
    call.refuse(
        fmt::format("{} is not an address of the symmetric heap", memory.place(rank, address)));
  }
  return static_cast<std::size_t>(static_cast<const std::byte*>(address) - memory.heap_of(rank));
}

void check_piece(const Call& call, std::size_t offset) {
  if (!call.world().memory().heap().map().size_at(offset)) {
    call.refuse(fmt::format("nothing that is allocated begins at heap+{:#x}", offset));
  }
}

void* allocate(const Call& call, std::size_t size, std::size_t alignment) {
  if (size == 0) return nullptr;
  const auto result = step(call, {SharedHeap::Action::allocate, size, alignment, 0});
  meet_all(call);
  return address_of(call, result.offset);
}

}  // namespace

void* malloc(const Site& site, std::size_t size) {
  return allocate(Call(site), size, 0);
}

void* malloc_with_hints(const Site& site, std::size_t size, long) {
  return allocate(Call(site), size, 0);
}

void* align(const Site& site, std::size_t alignment, std::size_t size) {
  const Call call(site);
  if (!std::has_single_bit(alignment)) return nullptr;
  return allocate(call, size, alignment);
}

void* calloc(const Site& site, std::size_t count, std::size_t size) {
  const Call call(site);
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes == 0) return nullptr;
  const auto result = step(call, {SharedHeap::Action::allocate, bytes, 0, 0});
  void* piece = address_of(call, result.offset);
  // Before anybody may write to it.
  if (piece != nullptr) std::memset(piece, 0, bytes);
  meet_all(call);
  return piece;
}

void free(const Site& site, void* ptr) {
  const Call call(site);
  if (ptr == nullptr) return;
  const std::size_t offset = offset_of(call, ptr);
  // While nobody has gone on, nobody can have freed it.
  meet_all(call);
  if (call.world().memory().heap().is_next(static_cast<std::uint32_t>(call.pe().number()))) {
    check_piece(call, offset);
  }
  step(call, {SharedHeap::Action::free, 0, 0, offset});
}

void* realloc(const Site& site, void* ptr, std::size_t size) {
  const Call call(site);
  if (ptr == nullptr) return allocate(call, size, 0);
  const std::size_t offset = offset_of(call, ptr);
  meet_all(call);
  if (call.world().memory().heap().is_next(static_cast<std::uint32_t>(call.pe().number()))) {
    check_piece(call, offset);
  }
  if (size == 0) {
    step(call, {SharedHeap::Action::free, 0, 0, offset});
    return nullptr;
  }
  const auto result = step(call, {SharedHeap::Action::resize, size, 0, offset});
  void* piece = address_of(call, result.offset);
  if (piece != nullptr) std::memmove(piece, ptr, std::min(size, result.before));
  meet_all(call);
  return piece;
}

}  // namespace heddle::shmem::api
