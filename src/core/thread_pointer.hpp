// What finds the thread-local variables of the running code.
#pragma once

namespace heddle {

/// The thread pointer of the processor, as the C library set it for a thread.
inline void* thread_pointer() {
  return __builtin_thread_pointer();
}

/// Lets the code that follows have the thread-local variables of another thread, which must not
/// run meanwhile. To be called where no thread-local variable is in use.
void set_thread_pointer(void* pointer);

}  // namespace heddle
