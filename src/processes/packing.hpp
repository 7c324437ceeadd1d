// The arguments of a call as bytes: how the process writes them and the simulator reads them. The
// types of the parameters say how, on both sides.
//
// Values go as they are, and so do the addresses that a `void*` means: they are the process's, and
// the simulator only hands them back. What other pointers point to is copied with its length, and
// copied back where it may have been changed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

namespace heddle::processes {

/// `count` elements at `first`, of what may be a null pointer.
template <class T>
struct Array {
  T* first;
  std::size_t count;
};

/// Hands out the room of a slot, piece by piece.
class Room {
 public:
  Room(std::byte* begin, std::size_t size) : next_(begin), left_(size) {}
  /// Null if there is not enough left.
  void* take(std::size_t size) {
    constexpr std::size_t kAlignment = 16;
    const std::size_t rounded = (size + kAlignment - 1) / kAlignment * kAlignment;
    if (size > left_ || rounded > left_) return nullptr;
    left_ -= rounded;
    return std::exchange(next_, next_ + rounded);
  }

 private:
  std::byte* next_;
  std::size_t left_;
};

inline constexpr std::uint64_t kNullPointer = ~std::uint64_t{0};

// The process's side. These answer false if there is not enough room.

template <class T>
bool pack(Room& room, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>);
  void* place = room.take(sizeof value);
  if (place == nullptr) return false;
  std::memcpy(place, &value, sizeof value);
  return true;
}

template <class T>
bool pack(Room& room, const Array<T>& array) {
  const std::uint64_t size = array.first == nullptr ? kNullPointer : array.count * sizeof(T);
  if (!pack(room, size)) return false;
  if (size == kNullPointer) return true;
  void* place = room.take(size);
  if (place != nullptr && size > 0) std::memcpy(place, array.first, size);
  return place != nullptr;
}

template <class T>
void unpack(Room& room, const T& value) {
  room.take(sizeof value);
}

template <class T>
void unpack(Room& room, const Array<T>& array) {
  room.take(sizeof(std::uint64_t));
  if (array.first == nullptr) return;
  [[maybe_unused]] const void* place = room.take(array.count * sizeof(T));
  if constexpr (!std::is_const_v<T>) std::memcpy(array.first, place, array.count * sizeof(T));
}

// The simulator's side. What a process writes is not to be trusted: these never leave the room.

template <class Parameter>
struct Argument {
  static constexpr bool is_memory =
      std::is_pointer_v<Parameter> && !std::is_same_v<Parameter, void*>;
  static bool take(Room& room, Parameter& value) {
    // NOLINTNEXTLINE: what points to memory is told apart
    void* place = room.take(is_memory ? sizeof(std::uint64_t) : sizeof value);
    if (place == nullptr) return false;
    if constexpr (!is_memory) {
      std::memcpy(&value, place, sizeof value);
      return true;
    } else {
      std::uint64_t size;
      std::memcpy(&size, place, sizeof size);
      value = size == kNullPointer ? nullptr : static_cast<Parameter>(room.take(size));
      return size == kNullPointer || value != nullptr;
    }
  }
};

/// Calls a function with the arguments in a room and keeps the bytes of its answer; false, and
/// nothing is called, if they are not complete.
template <class Result, class... Parameters>
bool call_packed(Result (*function)(Parameters...), Room room, std::uint64_t& answer) {
  std::tuple<Parameters...> arguments;
  const bool complete = std::apply(
      [&](auto&... each) { return (Argument<Parameters>::take(room, each) && ... && true); },
      arguments);
  if (!complete) return false;
  if constexpr (std::is_void_v<Result>) {
    std::apply(function, arguments);
  } else {
    const Result result = std::apply(function, arguments);
    static_assert(sizeof result <= sizeof answer);
    std::memcpy(&answer, &result, sizeof result);
  }
  return true;
}

}  // namespace heddle::processes
