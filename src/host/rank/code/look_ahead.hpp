// Looks at what code is going to do, in the handler of a signal.
#pragma once

#include <cstdint>

#include "core/address_space.hpp"
#include "host/rank/code/outlook.hpp"

namespace heddle::host {

/// `context` is what the signal's handler was given, `most` how many instructions are looked at.
Outlook outlook(const void* context, const AddressSpace& memory, std::uint32_t most);

}  // namespace heddle::host
