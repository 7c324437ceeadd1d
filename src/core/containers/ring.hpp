// A queue in a ring of memory that is kept: in steady state it allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace heddle {

/// Up to `Within` lie in the ring itself, as again from when it has been empty.
template <class T, std::uint32_t Within = 0>
class Ring {
  static_assert((Within & (Within - 1)) == 0);

 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  T& operator[](std::size_t i) { return places()[place(i)]; }
  const T& operator[](std::size_t i) const { return places()[place(i)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }
  void push_back(const T& value) {
    if (size() == capacity_) grow();
    ++end_;
    back() = value;
  }
  /// An empty ring begins anew with its first places, so that a short one touches no others.
  void pop_front() {
    if (++begin_ != end_) return;
    begin_ = end_ = 0;
    if (Within > 0) capacity_ = Within;
  }

 private:
  std::size_t place(std::size_t i) const { return (begin_ + i) & (capacity_ - 1); }
  T* places() { return capacity_ > Within ? more_.get() : within_.data(); }
  const T* places() const { return capacity_ > Within ? more_.get() : within_.data(); }
  [[gnu::noinline]] void grow() {
    const std::uint32_t larger = capacity_ == 0 ? 4 : 2 * capacity_;
    const auto count = static_cast<std::uint32_t>(size());
    if (capacity_ == Within && larger <= room_) {
      for (std::uint32_t i = 0; i < count; ++i) more_[i] = std::move((*this)[i]);
    } else {
      auto places = std::make_unique<T[]>(larger);
      for (std::uint32_t i = 0; i < count; ++i) places[i] = std::move((*this)[i]);
      more_ = std::move(places);
      room_ = larger;
    }
    capacity_ = room_;
    begin_ = 0;
    end_ = count;
  }

  std::unique_ptr<T[]> more_;
  std::uint32_t room_ = 0;           ///< In `more_`.
  std::uint32_t capacity_ = Within;  ///< Of what is in use; a power of two, or 0.
  std::uint32_t begin_ = 0;          ///< Counts on; the place is its low part.
  std::uint32_t end_ = 0;
  std::array<T, Within> within_{};
};

}  // namespace heddle
