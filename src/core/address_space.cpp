#include "core/address_space.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace heddle {

/// Overlapping ranges of one space are not expected here: they are direct.
bool AddressSpace::fetch(void* to, const AddressSpace& from_space, const void* from,
                         std::size_t size) {
  std::array<std::byte, 4096> buffer;
  for (std::size_t done = 0; done < size;) {
    const std::size_t piece = std::min(size - done, buffer.size());
    if (!from_space.read(buffer.data(), static_cast<const std::byte*>(from) + done, piece)) {
      return false;
    }
    if (!store(static_cast<std::byte*>(to) + done, buffer.data(), piece)) return false;
    done += piece;
  }
  return true;
}

bool AddressSpace::copy_from_afar(void* to, const AddressSpace& from_space, const void* from,
                                  std::size_t size) {
  if (std::byte* target = direct_to_change(to, size)) return from_space.read(target, from, size);
  return fetch(to, from_space, from, size);
}

}  // namespace heddle
