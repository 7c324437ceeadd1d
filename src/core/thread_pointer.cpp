#include "core/thread_pointer.hpp"

#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <asm/prctl.h>
#endif

namespace heddle {

#if defined(__x86_64__)
namespace {

/// Whether the kernel lets programs write the register themselves.
bool may_write_register() {
  constexpr unsigned long kWritable = 1UL << 1;  // HWCAP2_FSGSBASE
  return (getauxval(AT_HWCAP2) & kWritable) != 0;
}

const bool kMayWriteRegister = may_write_register();

}  // namespace

void set_thread_pointer(void* pointer) {
  if (kMayWriteRegister) {
    asm volatile("wrfsbase %0" : : "r"(pointer) : "memory");
  } else {
    syscall(SYS_arch_prctl, ARCH_SET_FS, pointer);
  }
}
#elif defined(__aarch64__)
void set_thread_pointer(void* pointer) {
  asm volatile("msr tpidr_el0, %0" : : "r"(pointer) : "memory");
}
#else
#error "say where this kind of machine keeps its thread pointer"
#endif

}  // namespace heddle
