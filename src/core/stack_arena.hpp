// Stacks for fibers, all from one mapping that the kernel fills in as they are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/quantity.hpp"

namespace heddle {

/// A fixed number of equal stacks. One mapping, because the kernel allows a process only some
/// 65,000 of them; pages are committed when first touched, and stacks are reused last in, first
/// out, so memory follows the number in use.
///
/// Stacks grow downwards. The word below each one is a canary: a stack that has grown too far has
/// overwritten it. It lies on the page that holds the top of the stack below, so it costs no page.
class StackArena {
 public:
  /// `stack_size` is rounded up to whole pages. Every so many stacks (none for zero) have a guard
  /// below them: what overflows one by less than the guard's size at a time faults there, after it
  /// has run through the stacks between. A guard takes two mappings; it is 64 KiB where every stack
  /// has one, else a page. Throws RunError if the address space is not to be had.
  StackArena(Bytes stack_size, std::uint32_t count, std::uint32_t guard_every = 0);
  ~StackArena();
  StackArena(const StackArena&) = delete;
  StackArena& operator=(const StackArena&) = delete;

  /// The number of a free stack, or nothing if all are in use.
  std::optional<std::uint32_t> take();
  void give_back(std::uint32_t stack) { free_.push_back(stack); }

  /// Lowest address of a stack.
  std::byte* bottom(std::uint32_t stack) const { return first_ + stack * slot_size_; }
  /// Bytes of a stack that may be used.
  std::size_t usable_size() const { return slot_size_ - kReserved; }
  /// One past its highest usable address, aligned to 16.
  std::byte* top(std::uint32_t stack) const { return bottom(stack) + usable_size(); }
  /// Whether the stack has stayed within its bounds, as far as its canary can tell.
  bool intact(std::uint32_t stack) const { return canary(stack) == kCanary; }

  /// Whether an address is in the guard below a stack, or lower.
  bool below(std::uint32_t stack, const void* address) const {
    return address < bottom(stack) + guard_;
  }

  std::uint32_t count() const { return count_; }
  Bytes stack_size() const { return Bytes(static_cast<std::int64_t>(slot_size_ - guard_)); }

 private:
  static constexpr std::uint64_t kCanary = 0x5ca1ab1e0ddba11eULL;
  static constexpr std::size_t kGuard = 64 * 1024;  ///< Compilers probe large frames so often.
  static constexpr std::size_t kReserved = 16;      ///< At each top: the canary of the stack above.

  std::uint64_t& canary(std::uint32_t stack) const {
    return reinterpret_cast<std::uint64_t*>(bottom(stack))[-1];
  }

  std::size_t page_;
  std::uint32_t guard_every_;
  std::size_t guard_;  ///< Room at the bottom of each stack; zero for none.
  std::size_t slot_size_;
  std::uint32_t count_;
  std::byte* first_;         ///< Bottom of stack 0, one page into the mapping.
  std::uint32_t fresh_ = 0;  ///< Stacks from here on have never been used.
  std::vector<std::uint32_t> free_;
};

}  // namespace heddle
