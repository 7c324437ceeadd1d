// Large arrays of which little may be used.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle {

/// Bytes that are zero at first. Much of it takes memory by pages: those that are written to.
class ZeroedMemory {
 public:
  ZeroedMemory() = default;
  /// Throws std::bad_alloc.
  explicit ZeroedMemory(std::size_t bytes);
  ~ZeroedMemory();
  ZeroedMemory(ZeroedMemory&& other) noexcept { swap(other); }
  ZeroedMemory(const ZeroedMemory& other);
  ZeroedMemory& operator=(ZeroedMemory other) noexcept {
    swap(other);
    return *this;
  }

  std::byte* data() const { return data_; }
  /// From a byte to before another.
  struct Part {
    std::size_t begin;
    std::size_t end;
  };
  /// In ascending order; what is in none of them is zero.
  std::vector<Part> used() const;

 private:
  void swap(ZeroedMemory& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
  }

  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

/// So many elements, whose bytes are all zero at first, with an address that stays. What is never
/// written takes no memory in a large one, and copies and for_each_used() pass over it. Different
/// threads may use different elements.
template <class T>
class SparseVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SparseVector() = default;
  explicit SparseVector(std::size_t size) : memory_(size * sizeof(T)), size_(size) {}
  SparseVector(const std::vector<T>& elements)  // NOLINT: it is the same, elsewhere
      : SparseVector(elements.size()) {
    std::copy(elements.begin(), elements.end(), begin());
  }
  SparseVector(SparseVector&& other) noexcept
      : memory_(std::move(other.memory_)), size_(std::exchange(other.size_, 0)) {}
  SparseVector(const SparseVector&) = default;
  SparseVector& operator=(const SparseVector&) = default;
  SparseVector& operator=(SparseVector&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }
  T* begin() { return reinterpret_cast<T*>(memory_.data()); }
  T* end() { return begin() + size_; }
  const T* begin() const { return reinterpret_cast<const T*>(memory_.data()); }
  const T* end() const { return begin() + size_; }

  /// Calls `visit` with number and element of all that may be other than at first, in ascending
  /// order.
  template <class Visit>
  void for_each_used(Visit visit) const {
    std::size_t next = 0;
    for (const ZeroedMemory::Part& part : memory_.used()) {
      next = std::max(next, part.begin / sizeof(T));
      const std::size_t end = (part.end + sizeof(T) - 1) / sizeof(T);
      for (; next < end; ++next) visit(next, (*this)[next]);
    }
  }

 private:
  ZeroedMemory memory_;
  std::size_t size_ = 0;
};

}  // namespace heddle
