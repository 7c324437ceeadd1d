// Looks at what code is going to do, in the handler of a signal.
#pragma once

#include <cstdint>

#include "core/address_space.hpp"
#include "host/rank/code/outlook.hpp"
#include "host/rank/code/turns.hpp"

namespace heddle::host {

/// `context` is what the signal's handler was given, `most` how many instructions are looked at.
/// Valid until the next one. If the code waits, `turns` becomes where each of its rounds comes by,
/// unless that is null.
const Outlook& outlook(const void* context, const AddressSpace& memory, std::uint32_t most,
                       Turns::Places* turns = nullptr);

}  // namespace heddle::host
