// The heap that the ranks of a job share with what the simulator keeps for them.
#pragma once

#include <cstdint>

namespace heddle::host {

/// Many ranks are going to use the heap by turns, each of which would find the translations of its
/// addresses gone: has the kernel provide the first 256 KiB per rank, and 256 MiB at most, in huge
/// pages, and large blocks of ranks lie side by side (`rank_blocks.hpp`). Nothing happens for few
/// ranks, unless blocks are to be compared with each other (`kept_once.hpp`), which have to lie so
/// then; where the system has no huge pages to give, there are none.
void prepare_heap(std::uint32_t ranks, bool compared);

}  // namespace heddle::host
