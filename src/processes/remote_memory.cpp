#include "processes/remote_memory.hpp"

#include "processes/calls.hpp"
#include "processes/child.hpp"
#include "processes/moving.hpp"

namespace heddle::processes {
namespace {

/// How long an errand may not have begun: its thread may be busy with a signal.
constexpr timespec kErrandPatience{0, 200'000'000};

void* changeable(const void* address) {
  return const_cast<void*>(address);
}

/// A thread that waits for an answer; null if there is none.
Slot* waiting_thread(Channel& channel) {
  for (std::uint32_t i = 0; i < channel.slots_used; ++i) {
    Slot& slot = channel.slots[i];
    // Who ends does not wait.
    const bool ends = slot.call == static_cast<std::uint32_t>(CallNumber::end_thread);
    if (is(slot, Turn::simulator) && !ends) return &slot;
  }
  return nullptr;
}

bool swap_turn(Slot& slot, Turn from, Turn to) {
  auto expected = static_cast<std::uint32_t>(from);
  return slot.turn.compare_exchange_strong(expected, static_cast<std::uint32_t>(to));
}

}  // namespace

bool RemoteMemory::read(void* to, const void* address, std::size_t size) const {
  return move_all(process_vm_readv, channel_.process, to, address, size);
}

bool RemoteMemory::store(void* address, const void* from, std::size_t size) {
  return move_all(process_vm_writev, channel_.process, changeable(from), address, size);
}

bool RemoteMemory::fetch(void* to, const AddressSpace& from_space, const void* from,
                         std::size_t size) {
  const auto* other = dynamic_cast<const RemoteMemory*>(&from_space);
  if (other != nullptr && size >= kWorthAnErrand) {
    if (send({other->channel_.process, false, false, to, changeable(from), size})) return true;
    if (other->send({channel_.process, true, false, changeable(from), to, size})) return true;
  }
  return AddressSpace::fetch(to, from_space, from, size);
}

bool RemoteMemory::send(const Errand& errand) const {
  Slot* const slot = waiting_thread(channel_);
  if (slot == nullptr) return false;
  slot->errand = errand;
  if (!swap_turn(*slot, Turn::simulator, Turn::errand)) return false;
  if (slot->waiting.load() != 0) wake(slot->turn);
  while (!is(*slot, Turn::simulator)) {
    wait_for_call(channel_, *slot, kErrandPatience);
    if (swap_turn(*slot, Turn::errand, Turn::simulator)) return false;
    // Whoever has begun will be through, unless somebody has killed it.
    if (is(*slot, Turn::errand_begun) && activity_of(slot->thread) == Activity::gone) return false;
  }
  return slot->errand.done;
}

}  // namespace heddle::processes
