// What code that waits by looking reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle {
class AddressSpace;
}

namespace heddle::host {

/// Places in a rank's memory with what a loop has found there. As long as that stays as it is, the
/// loop goes on looking: nothing else decides what it does. Places that are told of in the order in
/// which they lie side by side are compared as one.
class LookedAt {
 public:
  static constexpr std::size_t kMost = 4096;

  /// Whether it is known what the code reads.
  bool known() const { return count_ > 0; }
  /// Up to eight bytes, of which it has not been told yet. False if there are too many places.
  bool add(std::uint64_t address, std::uint64_t value, std::size_t size);
  std::size_t count() const { return count_; }
  /// In so many parts it is compared.
  std::size_t stretches() const { return stretches_.size(); }
  /// Whether all of it is as it was.
  bool same_in(const AddressSpace& memory) const;
  /// The same for functions that guarded_call() calls. What can be reached directly and is another
  /// one comes before what cannot be reached.
  enum class Answer : std::uint8_t { same, another, out_of_reach };
  Answer compared_directly(const AddressSpace& memory) const;
  /// For such functions, too: tells of the first byte of each value that is another one, where that
  /// is among all of them and in memory. `changed` answers where to go on among them. False: out
  /// of reach.
  template <typename Changed>
  bool for_each_change(const AddressSpace& memory, const Changed& changed) const {
    const std::byte* const all = all_in(memory);
    std::size_t begin = 0;
    for (const Stretch& stretch : stretches_) {
      const std::byte* const there = place_of(stretch, all, memory);
      if (there == nullptr) return false;
      const std::size_t end = begin + stretch.size;
      for (std::size_t at = begin; (at = first_change(at, end, there + (at - begin))) < end;) {
        at = changed(at, there + (at - begin));
      }
      begin = end;
    }
    return true;
  }
  void clear();

  /// Where the value is that is added next, among all of them, and another value for one that is
  /// there.
  std::size_t end() const { return values_.size(); }
  void put(std::size_t at, std::uint64_t value, std::size_t size);
  std::uint64_t value(std::size_t at, std::size_t size) const;

 private:
  struct Stretch {
    std::uint64_t address;
    std::size_t size;
  };
  bool same_by_reading(const AddressSpace& memory) const;
  /// All at once, where that can be: to ask for each place takes as long as to compare it.
  const std::byte* all_in(const AddressSpace& memory) const;
  const std::byte* place_of(const Stretch& stretch, const std::byte* all,
                            const AddressSpace& memory) const;
  /// Of the values from `at` to `end`, which are there; `end`: none.
  std::size_t first_change(std::size_t at, std::size_t end, const std::byte* there) const;

  std::vector<Stretch> stretches_;
  std::vector<std::byte> values_;  ///< Of all stretches, one behind the other.
  std::uint64_t lowest_ = ~std::uint64_t{0};
  std::uint64_t highest_ = 0;  ///< Behind the last one.
  std::size_t count_ = 0;
};

}  // namespace heddle::host
