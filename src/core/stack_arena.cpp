#include "core/stack_arena.hpp"

#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.hpp"
#include "core/units.hpp"

namespace heddle {
namespace {

std::size_t page_size() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Makes memory fault when it is touched. Newer kernels need no mapping of its own for that.
void close_off(void* memory, std::size_t size) {
  constexpr int kInstallGuard = 102;  ///< MADV_GUARD_INSTALL, which older headers do not know.
  if (madvise(memory, size, kInstallGuard) != 0) mprotect(memory, size, PROT_NONE);
}

std::size_t whole_pages(Bytes size, std::size_t page) {
  const auto bytes = static_cast<std::size_t>(size.count());
  return (bytes + page - 1) / page * page;
}

}  // namespace

StackArena::StackArena(Bytes stack_size, std::uint32_t count, std::uint32_t guard_every)
    : page_(page_size()),
      guard_every_(guard_every),
      guard_(guard_every == 0   ? 0
             : guard_every == 1 ? whole_pages(Bytes(kGuard), page_)
                                : page_),
      slot_size_(whole_pages(stack_size, page_) + guard_),
      count_(count) {
  const std::size_t size = page_ + slot_size_ * count;
  void* mapping = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    throw StackError(
        fmt::format("cannot reserve {} of address space for {} stacks of {}: raise the limit on "
                    "virtual memory (ulimit -v), or make the stacks smaller",
                    format_bytes(Bytes(static_cast<std::int64_t>(size))), count,
                    format_bytes(this->stack_size())));
  }
  // A huge page would commit many stacks at the first touch of one. Old kernels may refuse.
  madvise(mapping, size, MADV_NOHUGEPAGE);
  first_ = static_cast<std::byte*>(mapping) + page_;
}

StackArena::~StackArena() {
  munmap(first_ - page_, page_ + slot_size_ * count_);
}

std::optional<std::uint32_t> StackArena::take() {
  if (free_.empty() && fresh_ == count_) return std::nullopt;
  std::uint32_t stack = fresh_;
  if (free_.empty()) {
    ++fresh_;
    if (guard_every_ > 0 && stack % guard_every_ == 0) close_off(bottom(stack), guard_);
  } else {
    stack = free_.back();
    free_.pop_back();
  }
  canary(stack) = kCanary;
  return stack;
}

}  // namespace heddle
