// A pool of records that are handed out and taken back without touching the heap in between.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace heddle::network {

/// Addresses stay valid for the pool's life. Records are constructed once and reused as they are.
template <class T>
class Pool {
 public:
  template <class... Args>
  T& take(Args&&... args) {
    if (free_.empty()) return records_.emplace_back(std::forward<Args>(args)...);
    T& record = *free_.back();
    free_.pop_back();
    return record;
  }
  void give_back(T& record) { free_.push_back(&record); }
  /// Every record there is, those given back included.
  const std::deque<T>& all() const { return records_; }
  std::size_t in_use() const { return records_.size() - free_.size(); }

 private:
  std::deque<T> records_;
  std::vector<T*> free_;
};

}  // namespace heddle::network
