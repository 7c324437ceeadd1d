// A queue of records that carry the link to the next one themselves.
#pragma once

namespace heddle {

/// First in, first out; T has a member `T* next`. A record is in at most one queue at a time.
template <class T>
class Fifo {
 public:
  bool empty() const { return first_ == nullptr; }
  /// The oldest record, or null.
  const T* first() const { return first_; }
  void push(T& record) {
    record.next = nullptr;
    (first_ ? last_->next : first_) = &record;
    last_ = &record;
  }
  /// The oldest record, which leaves the queue, or null.
  T* pop() {
    T* const record = first_;
    if (record) first_ = record->next;
    return record;
  }

 private:
  T* first_ = nullptr;
  T* last_ = nullptr;
};

}  // namespace heddle
