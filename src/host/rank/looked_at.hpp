// What code that waits by looking reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace heddle {
class AddressSpace;
}

namespace heddle::host {

/// Places in a rank's memory with what a loop has found there. As long as that stays as it is, the
/// loop goes on looking: nothing else decides what it does.
class LookedAt {
 public:
  static constexpr std::size_t kMost = 512;

  // Copied with every look, which is few places mostly: what is not in use is left alone.
  LookedAt() {}
  LookedAt(const LookedAt& other) { *this = other; }
  LookedAt& operator=(const LookedAt& other);

  /// Whether it is known what the code reads.
  bool known() const { return count_ > 0; }
  /// Up to eight bytes, of which it has not been told yet. False if there are too many places.
  bool add(std::uint64_t address, std::uint64_t value, std::size_t size);
  std::size_t count() const { return count_; }
  /// What was found at the place that was told of after so many others.
  std::uint64_t value(std::size_t number) const { return words_[number].value; }
  /// Whether all of it is as it was.
  bool same_in(const AddressSpace& memory) const;
  void clear() { count_ = 0; }

 private:
  struct Word {
    std::uint64_t address;
    std::uint64_t value;
    std::size_t size;
  };
  bool same_by_reading(const AddressSpace& memory) const;

  // Noted in handlers of signals, which allocate nothing.
  std::array<Word, kMost> words_;
  std::size_t count_ = 0;
};

}  // namespace heddle::host
