#include "shmem/symmetric.hpp"

#include <dlfcn.h>
#include <fmt/core.h>
#include <sys/mman.h>

#include <algorithm>
#include <bit>

#include "core/error.hpp"
#include "core/units.hpp"
#include "host/program/hosted_program.hpp"
#include "host/program/process.hpp"
#include "host/rank/job.hpp"

namespace heddle::shmem {

namespace {

constexpr std::size_t kLeastApart = 4096;

/// Addresses for so many bytes from a multiple of `alignment` on; null if there are none.
std::byte* reserve(std::size_t size, std::size_t alignment) {
  void* const memory = mmap(nullptr, size + alignment, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<std::byte*>(memory);
  const std::size_t before = -reinterpret_cast<std::uintptr_t>(begin) % alignment;
  if (before > 0) munmap(begin, before);
  if (before < alignment) munmap(begin + before + size, alignment - before);
  return begin + before;
}

}  // namespace

// Heaps that begin at multiples of a power of two not below their size keep every alignment that
// has room in them, at every PE alike.
SymmetricMemory::SymmetricMemory(host::Job& job, std::size_t heap_size)
    : size_(heap_size),
      apart_(std::bit_ceil(std::max<std::size_t>(heap_size, kLeastApart))),
      all_(apart_ * job.size()),
      base_(reserve(all_, apart_)),
      heap_(heap_size, job.size()) {
  if (base_ == nullptr) {
    throw FiberFailure(
        fmt::format("no room for the symmetric heaps of {} PEs, {} bytes each: make them smaller "
                    "with SHMEM_SYMMETRIC_SIZE or shmem.heap",
                    job.size(), heap_size));
  }
}

SymmetricMemory::~SymmetricMemory() {
  munmap(base_, all_);
}

std::optional<SymmetricMemory::Global> SymmetricMemory::find_global(host::Rank& own,
                                                                    const void* address) const {
  if (own.process() == nullptr) return std::nullopt;
  const auto* bytes = static_cast<const std::byte*>(address);
  const auto& segments = host::process_of(own)->program().loaded(own).writable();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const std::byte* begin = segments[i].data();
    if (bytes < begin || bytes >= begin + segments[i].size()) continue;
    const auto offset = static_cast<std::size_t>(bytes - begin);
    return Global{i, offset, segments[i].size() - offset};
  }
  return std::nullopt;
}

void* SymmetricMemory::translate(host::Rank& own, const void* address, std::size_t size,
                                 host::Rank& target) {
  if (in_heap(own, address)) {
    const auto offset =
        static_cast<std::size_t>(static_cast<const std::byte*>(address) - heap_of(own));
    return size <= size_ - offset ? heap_of(target) + offset : nullptr;
  }
  const auto global = find_global(own, address);
  if (!global || size > global->left) return nullptr;
  // Ranks of a job may run different programs, which have nothing in common.
  host::HostedProgram& program = host::process_of(own)->program();
  if (target.process() != nullptr && &host::process_of(target)->program() != &program) {
    return nullptr;
  }
  return program.loaded(target).writable()[global->segment].data() + global->offset;
}

std::string SymmetricMemory::objection(host::Rank& own, const void* address,
                                       std::size_t size) const {
  if (in_heap(own, address)) {
    return fmt::format("{} bytes at {} reach beyond the end of the symmetric heap, which has {}",
                       size, place(own, address), size_);
  }
  if (const auto global = find_global(own, address)) {
    return fmt::format("{} bytes at {} reach beyond the end of the global variables", size,
                       place(own, address));
  }
  return fmt::format(
      "the address {} is not symmetric: accepted are those in the symmetric heap (shmem_malloc) "
      "and of global and static variables",
      address);
}

std::string SymmetricMemory::place(host::Rank& own, const void* address) const {
  const auto* bytes = static_cast<const std::byte*>(address);
  if (in_heap(own, address)) return fmt::format("heap+{:#x}", bytes - heap_of(own));
  const auto global = find_global(own, address);
  if (!global) return fmt::format("{}", address);
  Dl_info info{};
  if (dladdr(address, &info) == 0 || info.dli_sname == nullptr) {
    return fmt::format("globals+{:#x} ({})", global->offset, address);
  }
  const auto behind = bytes - static_cast<const std::byte*>(info.dli_saddr);
  return behind == 0 ? info.dli_sname : fmt::format("{}+{:#x}", info.dli_sname, behind);
}

}  // namespace heddle::shmem
