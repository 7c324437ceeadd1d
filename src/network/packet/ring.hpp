// A queue in a ring of memory that is kept: in steady state it allocates nothing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace heddle::network {

/// The first `Within` lie in the ring itself.
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
  void pop_front() { ++begin_; }

 private:
  std::size_t place(std::size_t i) const { return (begin_ + i) & (capacity_ - 1); }
  T* places() { return capacity_ > Within ? more_.get() : within_.data(); }
  const T* places() const { return capacity_ > Within ? more_.get() : within_.data(); }
  void grow() {
    const std::uint32_t larger = capacity_ == 0 ? 4 : 2 * capacity_;
    auto places = std::make_unique<T[]>(larger);
    const auto count = static_cast<std::uint32_t>(size());
    for (std::uint32_t i = 0; i < count; ++i) places[i] = std::move((*this)[i]);
    more_ = std::move(places);
    capacity_ = larger;
    begin_ = 0;
    end_ = count;
  }

  std::unique_ptr<T[]> more_;
  std::uint32_t capacity_ = Within;  ///< A power of two, or 0.
  std::uint32_t begin_ = 0;          ///< Counts on; the place is its low part.
  std::uint32_t end_ = 0;
  std::array<T, Within> within_{};
};

}  // namespace heddle::network
