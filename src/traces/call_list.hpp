// The calls of one rank, in little room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <vector>

#include "traces/call.hpp"

namespace heddle::traces {

/// Calls as a vector has them, but for the last ones packed to a sixth of their size: files of many
/// millions of calls fit into memory beside the schedule that becomes of them. Looking at calls in
/// their order is quick, in any order a hundred times slower. Not for several threads at once.
class CallList {
 public:
  CallList() = default;
  CallList(std::initializer_list<Call> calls) {
    for (const Call& call : calls) push_back(call);
  }

  std::size_t size() const { return kBlock * blocks_.size() + last_.size(); }
  bool empty() const { return size() == 0; }
  Call operator[](std::size_t i) const;
  Call back() const { return last_.back(); }

  void push_back(const Call& call);
  /// The new one, to be filled: valid until anything else is asked of the list.
  Call& emplace_back() {
    push_back({});
    return last_.back();
  }
  /// One to be changed: valid until anything else is asked of the list.
  Call& edit(std::size_t i);
  Call& edit_back() { return last_.back(); }
  void pop_back();

  /// Whether some call is in the set.
  bool has_any(CallKinds kinds) const;
  /// Calls `visit(i, call)` for each that is in the set, in their order.
  template <class Visitor>
  void for_kinds(CallKinds kinds, Visitor visit) const {
    keep_changes();
    for (std::size_t i = 0; i < size(); ++i) {
      const std::size_t block = i / kBlock;
      if (block < blocks_.size() && (blocks_[block].kinds & kinds) == 0) {
        i += kBlock - 1;
        continue;
      }
      const Call call = (*this)[i];
      if ((set_of(call.kind) & kinds) != 0) visit(static_cast<std::uint32_t>(i), call);
    }
  }

  /// Over calls one after another, which it gives by value.
  class Iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Call;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Call;

    Iterator(const CallList& list, std::size_t at) : list_(&list), at_(at) {}
    Call operator*() const { return (*list_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    void operator++(int) { ++at_; }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const CallList* list_;
    std::size_t at_;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }

 private:
  static constexpr std::size_t kBlock = 64;  ///< Calls that are packed together.
  /// So many at the end are not: those that are still changed, as their messages are found.
  static constexpr std::size_t kLast = 4 * kBlock;
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Block {
    std::vector<std::uint8_t> bytes;
    CallKinds kinds = 0;  ///< Of all its calls.
  };

  static Block packed(std::span<const Call> calls);
  void unpack(std::size_t block) const;
  void keep_changes() const;

  // Changed calls go back when another block is looked at.
  mutable std::vector<Block> blocks_;
  std::vector<Call> last_;          ///< Behind the blocks.
  mutable std::vector<Call> open_;  ///< Of one block.
  mutable std::size_t open_block_ = kNone;
  mutable bool changed_ = false;
};

}  // namespace heddle::traces
