// A list of small things, mostly few.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "core/prefetch.hpp"

namespace heddle {

/// Up to `Within` lie in the list itself; memory for more is kept.
template <class T, std::uint32_t Within>
class ShortList {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;
  using const_iterator = const T*;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return places()[i]; }
  const T& operator[](std::size_t i) const { return places()[i]; }
  T* begin() { return places(); }
  T* end() { return places() + size_; }
  const T* begin() const { return places(); }
  const T* end() const { return places() + size_; }

  /// Whether they lie elsewhere; foresee() asks for that memory.
  bool is_out() const { return size_ > Within; }
  void foresee() const { prefetch(more_.get()); }

  T* data() { return places(); }
  const T* data() const { return places(); }
  const T& front() const { return places()[0]; }

  void clear() { size_ = 0; }
  void push_back(const T& value) {
    if (size_ < Within) {
      within_[size_++] = value;
    } else {
      push_out(value);
    }
  }
  void pop_back() { erase(size_ - 1); }
  /// These and no others; they must not be a part of it.
  void assign(std::span<const T> values) {
    size_ = static_cast<std::uint32_t>(values.size());
    if (is_out() && size_ > capacity_) more_ = std::make_unique<T[]>(capacity_ = size_);
    std::copy(values.begin(), values.end(), places());
  }
  /// Before the one at `i`.
  void insert(std::size_t i, const T& value) {
    if (size_ == Within) move_out();
    if (size_ == capacity_) grow();
    ++size_;
    T* const all = places();
    for (std::size_t at = size_ - 1; at > i; --at) all[at] = all[at - 1];
    all[i] = value;
  }
  void erase(std::size_t i) {
    T* const all = places();
    for (std::size_t at = i + 1; at < size_; ++at) all[at - 1] = all[at];
    if (--size_ == Within) std::copy_n(more_.get(), Within, within_.data());
  }

 private:
  [[gnu::noinline]] void push_out(const T& value) { insert(size_, value); }
  T* places() { return is_out() ? more_.get() : within_.data(); }
  const T* places() const { return is_out() ? more_.get() : within_.data(); }
  void move_out() {
    if (more_ == nullptr) more_ = std::make_unique<T[]>(capacity_ = 2 * Within);
    std::copy_n(within_.data(), Within, more_.get());
  }
  void grow() {
    auto larger = std::make_unique<T[]>(std::size_t{2} * capacity_);
    std::copy_n(more_.get(), capacity_, larger.get());
    more_ = std::move(larger);
    capacity_ *= 2;
  }

  std::array<T, Within> within_{};
  std::unique_ptr<T[]> more_;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = Within;
};

}  // namespace heddle
