// Who wrote where last, for those who wait for memory to change.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::shmem {

/// Remembers the short operations that came last, by a hash of where they went.
class LastWriters {
 public:
  /// A PE has written so many bytes to an address of another.
  void note(int pe, const void* address, std::size_t bytes, int writer) {
    if (bytes > sizeof(std::uint64_t)) return;
    if (written_.empty()) written_.resize(kPlaces);
    written_[hash(pe, address)] = {address, pe, writer};
  }
  /// Who did so last, or -1.
  int find(int pe, const void* address) const {
    if (written_.empty()) return -1;
    const Written& entry = written_[hash(pe, address)];
    return entry.address == address && entry.pe == pe ? entry.writer : -1;
  }

 private:
  struct Written {
    const void* address = nullptr;
    int pe = -1;
    int writer = -1;
  };
  static constexpr unsigned kBits = 14;
  static constexpr std::size_t kPlaces = std::size_t{1} << kBits;
  static std::size_t hash(int pe, const void* address) {
    const auto key = (reinterpret_cast<std::uintptr_t>(address) >> 2) ^
                     (static_cast<std::uintptr_t>(static_cast<unsigned>(pe)) << 40);
    return static_cast<std::size_t>((key * 0x9e3779b97f4a7c15ULL) >> (64 - kBits));
  }
  std::vector<Written> written_;
};

}  // namespace heddle::shmem
