// A list of small things, mostly few.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace heddle::network {

/// The first `Within` lie in the list itself; memory for more is kept.
template <class T, std::uint32_t Within>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return places()[i]; }
  const T& operator[](std::size_t i) const { return places()[i]; }

  /// Before the one at `i`.
  void insert(std::size_t i, const T& value) {
    if (size_ == capacity_) grow();
    T* const all = places();
    for (std::size_t at = size_++; at > i; --at) all[at] = all[at - 1];
    all[i] = value;
  }
  void erase(std::size_t i) {
    T* const all = places();
    --size_;
    for (; i < size_; ++i) all[i] = all[i + 1];
  }

 private:
  T* places() { return capacity_ > Within ? more_.get() : within_.data(); }
  const T* places() const { return capacity_ > Within ? more_.get() : within_.data(); }
  void grow() {
    auto larger = std::make_unique<T[]>(std::size_t{2} * capacity_);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = (*this)[i];
    more_ = std::move(larger);
    capacity_ *= 2;
  }

  std::array<T, Within> within_{};
  std::unique_ptr<T[]> more_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = Within;
};

}  // namespace heddle::network
