// The labels of one rank of a GOAL text.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace heddle::goal {

/// Finds operations by their labels, which must outlive the table. Labels such as Schedgen writes
/// (l1, l2, ...) are looked up by their number, others in a hash table.
class LabelTable {
 public:
  static constexpr std::uint32_t kAbsent = UINT32_MAX;

  void clear();
  /// False if the label is there already.
  bool add(std::string_view label, std::uint32_t op);
  /// The operation with the label, or kAbsent.
  std::uint32_t find(std::string_view label) const {
    const std::size_t number = number_of(label);
    if (number < numbered_.size() && numbered_[number] != kAbsent) return numbered_[number];
    return others_ == 0 ? kAbsent : slots_[slot_of(label)].op;
  }

 private:
  struct Slot {
    std::string_view label;
    std::uint32_t op = kAbsent;
  };
  static constexpr std::size_t kNoNumber = SIZE_MAX;

  /// 7 of "l7"; kNoNumber of other labels, of "l07" too.
  static std::size_t number_of(std::string_view label) {
    constexpr std::size_t kMostDigits = 9;
    if (label.size() < 2 || label.size() > kMostDigits + 1 || label[0] != 'l' || label[1] == '0') {
      return kNoNumber;
    }
    std::size_t number = 0;
    for (const char c : label.substr(1)) {
      const auto digit = static_cast<std::size_t>(static_cast<unsigned char>(c - '0'));
      if (digit > 9) return kNoNumber;
      number = 10 * number + digit;
    }
    return number;
  }
  std::size_t slot_of(std::string_view label) const;
  void grow();

  std::vector<std::uint32_t> numbered_;  ///< By number, or kAbsent.
  std::vector<Slot> slots_;              ///< Open addressing; a power of two.
  std::size_t others_ = 0;               ///< Labels in slots_.
  std::size_t size_ = 0;
};

}  // namespace heddle::goal
