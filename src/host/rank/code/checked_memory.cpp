#include "host/rank/code/checked_memory.hpp"

#include <algorithm>

#include "host/rank/code/number_bits.hpp"

namespace heddle::host {

bool CheckedMemory::read(std::uint64_t address, std::size_t size, std::uint64_t& value) {
  const auto* const at = reinterpret_cast<const void*>(address);
  if (is_there(address, size)) {
    if (const std::byte* const direct = memory_->direct(at, size)) {
      std::memcpy(&value, direct, size);
      return true;
    }
  }
  if (!memory_->read(&value, at, size)) return false;
  page_of(address) = address / kPage;
  return true;
}

bool CheckedMemory::has(std::uint64_t address, std::size_t size, std::uint64_t value) const {
  std::uint64_t there = 0;
  return memory_->read(&there, reinterpret_cast<const void*>(address), size) &&
         there == (value & ones(static_cast<unsigned>(8 * size)));
}

std::size_t CheckedMemory::fetch_with_care(std::uint64_t place, void* to, std::size_t size) {
  const std::size_t found = fetch_from_memory(place, to, size);
  CodeTraps::restore(place, to, found);
  return found;
}

std::size_t CheckedMemory::fetch_from_memory(std::uint64_t place, void* to, std::size_t size) {
  const std::uint64_t end = (place / kPage + 1) * kPage;
  const auto* const at = reinterpret_cast<const void*>(place);
  const std::size_t here = std::min<std::size_t>(size, end - place);
  if (!memory_->read(to, at, here)) return 0;
  page_of(place) = place / kPage;
  // The rest, of an instruction on two pages.
  auto* const rest = static_cast<char*>(to) + here;
  const bool whole =
      here < size && memory_->read(rest, reinterpret_cast<const void*>(end), size - here);
  if (whole) page_of(end) = end / kPage;
  return whole ? size : here;
}

}  // namespace heddle::host
