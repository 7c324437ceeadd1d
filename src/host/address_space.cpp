#include "host/address_space.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "host/spinners.hpp"

namespace heddle::host {
namespace {

/// Through a buffer, for memory that cannot be reached directly. Overlapping ranges of one space
/// are not expected here: they are direct.
bool copy_in_pieces(AddressSpace& to_space, std::byte* to, const AddressSpace& from_space,
                    const std::byte* from, std::size_t size) {
  std::array<std::byte, 4096> buffer;
  while (size > 0) {
    const std::size_t piece = std::min(size, buffer.size());
    if (!from_space.read(buffer.data(), from, piece)) return false;
    if (!to_space.write(to, buffer.data(), piece)) return false;
    from += piece;
    to += piece;
    size -= piece;
  }
  return true;
}

}  // namespace

bool copy(AddressSpace& to_space, void* to, const AddressSpace& from_space, const void* from,
          std::size_t size) {
  if (Spinners::instance().any()) Spinners::instance().written(to_space);
  if (const std::byte* source = from_space.direct(from, size))
    return to_space.write(to, source, size);
  if (std::byte* target = to_space.direct(to, size)) return from_space.read(target, from, size);
  return copy_in_pieces(to_space, static_cast<std::byte*>(to), from_space,
                        static_cast<const std::byte*>(from), size);
}

}  // namespace heddle::host
