// A pool of records that are handed out and taken back without touching the heap in between.
#pragma once

#include <cstddef>
#include <utility>

#include "core/containers/record_store.hpp"
#include "core/large_vector.hpp"

namespace heddle {

/// Addresses stay valid for the pool's life. Records are constructed once and reused as they are.
template <class T>
class Pool {
 public:
  template <class... Args>
  T& take(Args&&... args) {
    if (free_.empty()) return records_.add(std::forward<Args>(args)...);
    T& record = *free_.back();
    free_.pop_back();
    return record;
  }
  void give_back(T& record) { free_.push_back(&record); }
  /// Calls `visit` for every record there is, those given back included.
  template <class Visit>
  void for_each(Visit visit) const {
    records_.for_each(visit);
  }
  std::size_t in_use() const { return records_.size() - free_.size(); }

 private:
  RecordStore<T, 8> records_;
  LargeVector<T*> free_;
};

}  // namespace heddle
