// Memory of programs that is read in thought, where it need not be there.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/address_space.hpp"
#include "host/rank/code/code_traps.hpp"

namespace heddle::host {

/// Reads what code reads, and the code itself. What has been seen to be there is read without care
/// from then on: nobody else runs meanwhile.
class CheckedMemory {
 public:
  void begin(const AddressSpace& memory) {
    memory_ = &memory;
    pages_.fill(~std::uint64_t{0});
  }
  /// Whether these bytes, of no more than two pages, have been seen to be there.
  bool is_there(std::uint64_t place, std::size_t size) {
    const std::uint64_t end = place + size - 1;
    return page_of(place) == place / kPage && page_of(end) == end / kPage;
  }
  /// A number of up to eight bytes; false: it is not there.
  bool read(std::uint64_t address, std::size_t size, std::uint64_t& value);
  /// Whether it is there, and this one.
  bool has(std::uint64_t address, std::size_t size, std::uint64_t value) const;
  /// Up to a page of code; how much there is of it.
  std::size_t fetch(std::uint64_t place, void* to, std::size_t size) {
    if (!is_there(place, size)) return fetch_with_care(place, to, size);
    std::memcpy(to, reinterpret_cast<const void*>(place), size);
    CodeTraps::restore(place, to, size);
    return size;
  }

 private:
  static constexpr std::uint64_t kPage = 4096;
  std::uint64_t& page_of(std::uint64_t place) { return pages_[place / kPage % pages_.size()]; }
  std::size_t fetch_with_care(std::uint64_t place, void* to, std::size_t size);
  std::size_t fetch_from_memory(std::uint64_t place, void* to, std::size_t size);

  const AddressSpace* memory_ = nullptr;
  std::array<std::uint64_t, 32> pages_{};  ///< That can be read.
};

}  // namespace heddle::host
