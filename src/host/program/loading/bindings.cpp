#include "host/program/loading/bindings.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace heddle::host {

void Bindings::put(void** slot, void* value) {
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  auto* start = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(slot) / page * page);
  mprotect(start, page, PROT_READ | PROT_WRITE);
  *slot = value;
}

const Elf64_Dyn* Bindings::entry(std::int64_t tag) const {
  for (const Elf64_Dyn* one = object_.l_ld; one->d_tag != DT_NULL; ++one) {
    if (one->d_tag == tag) return one;
  }
  return nullptr;
}

/// The loader has made addresses of some of these.
const void* Bindings::address(std::int64_t tag) const {
  const Elf64_Dyn* const found = entry(tag);
  if (found == nullptr) return nullptr;
  std::uint64_t place = found->d_un.d_ptr;
  if (place < object_.l_addr) place += object_.l_addr;
  return reinterpret_cast<const void*>(place);
}

std::size_t Bindings::size_of(std::int64_t tag) const {
  const Elf64_Dyn* const found = entry(tag);
  return found == nullptr ? 0 : found->d_un.d_val;
}

}  // namespace heddle::host
