// Where messages of collectives wait for their receivers, and receivers for them.
#pragma once

#include <cstdint>
#include <vector>

#include "coll/datatype/datatype.hpp"
#include "shmem/operation.hpp"

namespace heddle::shmem {

/// A receive that has been said.
struct Receive {
  coll::Buffer data;
  std::uint64_t channel = 0;
  bool done = false;
  Receive* next = nullptr;
};

/// Messages and receives by channel: on each, one of both lists is empty. What is needed once is
/// kept for the next time.
class Mailbox {
 public:
  struct Slot {
    std::uint64_t channel = kFree;
    OperationList messages;
    Receive* first = nullptr;
    Receive* last = nullptr;

    void add(Receive& receive) {
      receive.next = nullptr;
      (last != nullptr ? last->next : first) = &receive;
      last = &receive;
    }
    Receive* take() {
      Receive* taken = first;
      if (taken != nullptr) {
        first = taken->next;
        if (first == nullptr) last = nullptr;
      }
      return taken;
    }
    bool idle() const { return first == nullptr && messages.empty(); }
  };

  /// The place of a channel, valid until another is asked for.
  Slot& of(std::uint64_t channel) {
    if (2 * (used_ + 1) > slots_.size()) grow();
    for (std::size_t i = hash(channel) & (slots_.size() - 1);; i = (i + 1) & (slots_.size() - 1)) {
      if (slots_[i].channel == channel) return slots_[i];
      if (slots_[i].channel == kFree) {
        slots_[i].channel = channel;
        ++used_;
        return slots_[i];
      }
    }
  }

 private:
  static constexpr std::uint64_t kFree = UINT64_MAX;
  static std::size_t hash(std::uint64_t channel) {
    return static_cast<std::size_t>((channel * 0x9e3779b97f4a7c15ULL) >> 32);
  }
  /// Drops channels that nobody uses now; makes room if that is not enough.
  void grow() {
    std::vector<Slot> old;
    old.swap(slots_);
    std::size_t busy = 0;
    for (const Slot& slot : old) busy += slot.idle() ? 0 : 1;
    std::size_t size = 8;
    while (size < 4 * (busy + 1)) size *= 2;
    slots_.resize(size < old.size() ? old.size() : size);
    used_ = 0;
    for (const Slot& slot : old) {
      if (!slot.idle()) of(slot.channel) = slot;
    }
  }

  std::vector<Slot> slots_;  ///< A power of two of them.
  std::size_t used_ = 0;
};

}  // namespace heddle::shmem
