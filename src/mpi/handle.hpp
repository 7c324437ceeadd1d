// Handles as the MPICH ABI has them: a kind and a number in an int.
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::mpi {

/// Bits 26 to 29 of a handle.
enum class ObjectKind : std::uint32_t {
  communicator = 1,
  group = 2,
  datatype = 3,
  file = 4,
  error_handler = 5,
  operation = 6,
  info = 7,
  window = 8,
  key = 9,
  attribute = 10,
  request = 11,
  message = 12,
  session = 14,
};

inline constexpr std::uint32_t kHandleNumber = (1U << 26) - 1;
inline constexpr std::uint32_t kHandlePlace = 3U << 30;  ///< Where the object is.
inline constexpr std::uint32_t kBuiltIn = 1U << 30;
inline constexpr std::uint32_t kMade = 2U << 30;  ///< Made by the program.

constexpr ObjectKind kind_of(int handle) {
  return ObjectKind{(static_cast<std::uint32_t>(handle) >> 26) & 15U};
}
constexpr bool is_built_in(int handle) {
  return (static_cast<std::uint32_t>(handle) & kHandlePlace) == kBuiltIn;
}
constexpr std::uint32_t number_of(int handle) {
  return static_cast<std::uint32_t>(handle) & kHandleNumber;
}
constexpr int handle_of(ObjectKind kind, std::uint32_t number) {
  return static_cast<int>(kMade | (static_cast<std::uint32_t>(kind) << 26) | number);
}

/// The objects of one kind that a process has made, by handle. `Entry` is a pointer of some kind;
/// a null one is a free place. Handles of freed objects are used again, the last one first.
template <class Entry, ObjectKind kKind>
class HandleTable {
 public:
  int add(Entry entry) {
    if (!free_.empty()) {
      const std::uint32_t number = free_.back();
      free_.pop_back();
      entries_[number] = std::move(entry);
      return handle_of(kKind, number);
    }
    entries_.push_back(std::move(entry));
    return handle_of(kKind, static_cast<std::uint32_t>(entries_.size() - 1));
  }
  /// Null if there is no such object.
  Entry* find(int handle) {
    const std::uint32_t number = number_of(handle);
    if (handle != handle_of(kKind, number) || number >= entries_.size()) return nullptr;
    return entries_[number] ? &entries_[number] : nullptr;
  }
  /// The object of a handle that find() knows leaves the table.
  Entry remove(int handle) {
    const std::uint32_t number = number_of(handle);
    Entry entry = std::move(entries_[number]);
    entries_[number] = Entry{};
    free_.push_back(number);
    return entry;
  }
  std::size_t size() const { return entries_.size() - free_.size(); }
  /// Calls `f(handle, entry)` for each object.
  template <class F>
  void for_each(F f) {
    for (std::uint32_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i]) f(handle_of(kKind, i), entries_[i]);
    }
  }

 private:
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle::mpi
