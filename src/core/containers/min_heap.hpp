// A binary heap for elements that are compared without a branch.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace heddle {

/// The least element is on top. Which of two is less is as good as random in a heap, so a branch on
/// it would be predicted wrong half of the time: on the way down there is none.
template <class T>
class MinHeap {
 public:
  bool empty() const { return elements_.empty(); }
  std::size_t size() const { return elements_.size(); }
  const T& top() const { return elements_.front(); }
  /// In no order.
  const std::vector<T>& elements() const { return elements_; }

  void clear() { elements_.clear(); }
  /// Adds an element that is put in its place by the next order().
  void append(const T& element) { elements_.push_back(element); }
  void order() {
    for (std::size_t slot = elements_.size() / 2; slot-- > 0;) sink(slot, elements_[slot]);
  }

  void push(const T& element) {
    elements_.push_back(element);
    rise(elements_.size() - 1, 0, element);
  }
  /// The heap must not be empty.
  void pop() {
    const T last = elements_.back();
    elements_.pop_back();
    if (!elements_.empty()) sink(0, last);
  }
  /// The least element gets another value.
  void replace_top(const T& element) { sink(0, element); }

 private:
  /// Down to the bottom, always to the lesser child, and up again from there: what is put in comes
  /// from the bottom, and belongs there most of the time.
  void sink(const std::size_t from, const T element) {
    std::size_t slot = from;
    std::size_t child = 2 * slot + 1;
    for (; child + 1 < elements_.size(); child = 2 * slot + 1) {
      child += static_cast<std::size_t>(elements_[child + 1] < elements_[child]);
      elements_[slot] = elements_[child];
      slot = child;
    }
    if (child < elements_.size()) {
      elements_[slot] = elements_[child];
      slot = child;
    }
    rise(slot, from, element);
  }

  /// Not above `end`.
  void rise(std::size_t slot, std::size_t end, const T element) {
    while (slot > end && element < elements_[(slot - 1) / 2]) {
      elements_[slot] = elements_[(slot - 1) / 2];
      slot = (slot - 1) / 2;
    }
    elements_[slot] = element;
  }

  std::vector<T> elements_;
};

}  // namespace heddle
