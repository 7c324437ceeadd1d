#include "host/memory/executable_stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace heddle::host {

void make_executable(std::span<std::byte> stack) {
  constexpr std::size_t kGuard = 64 * 1024;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  if (stack.size() > 4 * kGuard) stack = stack.subspan(kGuard);
  const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(stack.data()) & ~(page - 1);
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(stack.data() + stack.size());
  mprotect(reinterpret_cast<void*>(begin), end - begin, PROT_READ | PROT_WRITE | PROT_EXEC);
}

}  // namespace heddle::host
