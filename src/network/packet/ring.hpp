// A queue in a ring of memory that is kept: in steady state it allocates nothing.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle::network {

template <class T>
class Ring {
 public:
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  T& operator[](std::size_t i) { return places_[(begin_ + i) & (places_.size() - 1)]; }
  const T& operator[](std::size_t i) const { return places_[(begin_ + i) & (places_.size() - 1)]; }
  T& front() { return (*this)[0]; }
  const T& front() const { return (*this)[0]; }
  T& back() { return (*this)[size() - 1]; }
  void push_back(const T& value) {
    if (size() == places_.size()) grow();
    ++end_;
    back() = value;
  }
  void pop_front() { ++begin_; }

 private:
  void grow() {
    std::vector<T> larger(places_.empty() ? 4 : 2 * places_.size());
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) larger[i] = std::move((*this)[i]);
    places_ = std::move(larger);
    begin_ = 0;
    end_ = count;
  }

  std::vector<T> places_;  ///< Their number is a power of two.
  std::size_t begin_ = 0;  ///< Counts on; the place is its low part.
  std::size_t end_ = 0;
};

}  // namespace heddle::network
