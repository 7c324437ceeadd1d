// Looks at what code is going to do, in the handler of a signal.
#pragma once

#include <cstdint>

#include "core/address_space.hpp"
#include "host/rank/code/outlook.hpp"
#include "host/rank/code/proofs.hpp"
#include "host/rank/code/turns.hpp"

namespace heddle::host {

/// `context` is what the signal's handler was given, `most` how many instructions are looked at.
/// Valid until the next one. If the code waits, `turns` becomes where each of its rounds comes by,
/// unless that is null.
const Outlook& outlook(const void* context, const AddressSpace& memory, std::uint32_t most,
                       Turns::Places* turns = nullptr);

/// The same at a trap, to which code comes again and again. Where it waits, what was thought is
/// kept in `proofs`, and need not be thought again as long as it holds.
const Outlook& outlook_at_trap(const void* context, const AddressSpace& memory, std::uint32_t most,
                               Proofs& proofs);

}  // namespace heddle::host
