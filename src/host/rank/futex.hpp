// The kernel's futexes, for threads that are fibers.
#pragma once

#include <array>

namespace heddle::host {

/// As futex(2), called by the running thread of a rank: answers what the system call does, a
/// negative error number included.
long futex(const std::array<long, 6>& arguments);

}  // namespace heddle::host
