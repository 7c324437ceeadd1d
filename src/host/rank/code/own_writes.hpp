// What code has written in thought.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "host/rank/code/thought.hpp"

namespace heddle::host {

/// Places that code has written, with what they would hold: it reads them there, and nobody else
/// does. For handlers of signals: nothing is allocated.
class OwnWrites {
 public:
  struct Written {
    std::uint64_t address;
    std::size_t size;
    Thought what;
  };

  void clear() {
    wrote_ = 0;
    filter_.clear();
    newest_.fill(0);
    overlap_ = false;
  }
  /// What was written there last, perhaps with more; null: nothing, or in parts.
  Written* find(std::uint64_t address, std::size_t size, bool& partly);
  /// Writes it where find() has found that; false: there is no room for more.
  bool keep(std::uint64_t address, std::size_t size, const Thought& what, Written* before,
            bool partly);
  std::span<const Written> all() const { return {written_.data(), wrote_}; }

 private:
  /// A bit for each word that may be among what was written.
  class Filter {
   public:
    void clear() { bits_.fill(0); }
    void add(std::uint64_t address, std::size_t size) {
      set(address);
      set(address + size - 1);
    }
    bool may_have(std::uint64_t address, std::size_t size) const {
      return has(address) || has(address + size - 1);
    }

   private:
    static std::size_t place_of(std::uint64_t address) { return (address >> 3) % 1024; }
    void set(std::uint64_t address) {
      bits_[place_of(address) / 64] |= std::uint64_t{1} << place_of(address) % 64;
    }
    bool has(std::uint64_t address) const {
      return (bits_[place_of(address) / 64] >> place_of(address) % 64 & 1) != 0;
    }
    std::array<std::uint64_t, 16> bits_{};
  };
  std::uint16_t& newest(std::uint64_t address) { return newest_[(address >> 2) % newest_.size()]; }

  std::array<Written, 256> written_;
  std::size_t wrote_ = 0;
  Filter filter_;
  /// Where each address is among what was written, one more than that, as long as no two overlap.
  std::array<std::uint16_t, 256> newest_{};
  bool overlap_ = false;
};

}  // namespace heddle::host
