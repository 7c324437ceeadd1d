// Pages of memory that is going to be used, all at once.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::host {

enum class PageUse : std::uint8_t { read, write };

/// All of `size` bytes from `memory` on are going to be read, or written, soon: has the kernel
/// provide their pages, which costs half of what faults cost one by one, and a tenth of it where
/// huge pages can be had for blocks of neighbours. Contents stay as they are; nothing happens where
/// memory is missing or the kernel does not know how.
void populate(std::byte* memory, std::size_t size, PageUse use);

}  // namespace heddle::host
